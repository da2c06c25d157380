// What people do to a swarm, as values that can be kept, done again, and sent to others. With the seed, the list of them is all
// that one needs to come to the same world again.

import { destroyMany, type Component, type World } from 'strata-ecs'
import { random } from 'strata-ecs/kernel'
import * as declared from './components.ts'
import { MOST_PREY } from './settings.ts'
import { scatter } from './systems.ts'

const { Clock, Prey, Sparks, Wish } = declared

/** One thing that a person did. Components go by their names. */
export type Input =
  | { readonly kind: 'fire'; readonly x: number; readonly y: number; readonly radius: number }
  | { readonly kind: 'prey'; readonly count: number }
  | ({ readonly kind: 'set'; readonly entity: number; readonly component: string } & Values)

interface Values {
  readonly values: Readonly<Record<string, unknown>>
}

/** An input, and after how many steps it came. */
export type Entry = Input & { readonly tick: number }

/** Does what a person does, in one world. */
export function createHand(world: World, seed: number) {
  const everyPrey = world.query(Prey)

  function populate(count: number): void {
    world.resource(Wish).prey = count
    const missing = count - everyPrey.count
    // Another key each time, also while the clock stands still: none comes to lie on another.
    if (missing > 0)
      scatter(world, missing, random(random(seed, world.resource(Clock).tick), everyPrey.count))
    else destroyMany(everyPrey.slice(0, -missing))
  }

  /** @throws StrataError what the library refuses; nothing has changed then */
  return function perform(input: Input): void {
    if (input.kind === 'prey') return populate(input.count)
    if (input.kind === 'fire') {
      const { x, y, radius } = input
      return void world.resource(Sparks)!.push({ x, y, radius })
    }
    const { entity, component: name, values } = input
    const component = (Object.values(declared) as Component[]).find(
      ({ kind, componentName }) => kind === 'component' && componentName === name,
    )
    if (component && world.has(entity, component)) world.set(entity, component, values as never)
  }
}

/** Who does more than this loses the beginning, and with it the link to now. */
export const MOST_ENTRIES = 1000

/** The list of all that people did, and how far it has been done. */
export class Journal {
  /** By tick, each not before the one in front of it. */
  entries: Entry[] = []
  /** The first one that is not done yet: in the past, the later ones wait for their ticks. */
  next = 0
  /** False when the beginning was forgotten. */
  isWhole = true
  /** Called when something is done now: what was recorded for later is gone. */
  onAdd: () => void = () => {}

  /** Notes what was done after so many steps. */
  add(tick: number, input: Input): void {
    this.cut()
    this.entries.push({ ...input, tick })
    if (this.entries.length > MOST_ENTRIES) {
      this.entries.shift()
      this.isWhole = false
    }
    this.next = this.entries.length
    this.onAdd()
  }

  /** The next entry when it is due after so many steps; it then counts as done. */
  take(tick: number): Entry | undefined {
    const entry = this.entries[this.next]
    if (entry === undefined || entry.tick > tick) return undefined
    this.next++
    return entry
  }

  /** Goes back to the moment just after so many steps: what came then, and later, is not done yet. */
  returnTo(tick: number): void {
    const first = this.entries.findIndex((entry) => entry.tick >= tick)
    this.next = first === -1 ? this.entries.length : first
  }

  /** Forgets what is not done yet. */
  cut(): void {
    this.entries.length = this.next
  }
}

/** Inputs as text that can stand in an address. */
export function encodeInputs(entries: readonly Entry[]): string {
  const bytes = new TextEncoder().encode(JSON.stringify(entries))
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** The other way round; undefined for whatever `encodeInputs` cannot have written, for an address is not to be trusted. */
export function decodeInputs(text: string): Entry[] | undefined {
  let said: unknown
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    said = JSON.parse(new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0))))
  } catch {
    return undefined
  }
  if (!Array.isArray(said) || !said.every(isEntry)) return undefined
  return said.every(({ tick }, k) => k === 0 || tick >= said[k - 1].tick) ? said : undefined
}

const isWhole = (value: unknown, most: number) =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most

function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null) return false
  const { kind, tick, x, y, radius, count, entity, component, values } = value as Record<string, unknown>
  if (!isWhole(tick, 0xffffffff)) return false
  if (kind === 'fire') return [x, y, radius].every(Number.isFinite) && Math.abs(radius as number) < 2048
  if (kind === 'prey') return isWhole(count, MOST_PREY)
  const isSet = kind === 'set' && typeof component === 'string' && isWhole(entity, 0xffffffff)
  return isSet && typeof values === 'object' && values !== null
}
