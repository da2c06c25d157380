// Owns what a person can do to the swarm, as values that can be kept, done again, and sent to others.

import type { Component, Entity, World } from 'strata-ecs'
import { random } from 'strata-ecs/kernel'
import * as declared from './components.ts'
import { scatter } from './population.ts'
import { Clock, Sparks, Wish } from './resources.ts'
import { MOST_PREY } from './settings.ts'

const { Burning, Prey } = declared

/** One thing that a person did. Components go by their names. */
export type Input =
  | { readonly kind: 'fire'; readonly x: number; readonly y: number; readonly radius: number }
  | { readonly kind: 'prey'; readonly count: number }
  | {
      readonly kind: 'set'
      readonly entity: number
      readonly component: string
      readonly values: Readonly<Record<string, unknown>>
    }
  | { readonly kind: 'enable'; readonly entity: number; readonly component: string; readonly on: boolean }
  | { readonly kind: 'burn'; readonly entity: number; readonly on: boolean }
  | { readonly kind: 'destroy'; readonly entity: number }

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
    else everyPrey.page(0, -missing).destroy()
  }

  /** @throws StrataError what the library refuses; nothing has changed then */
  return function perform(input: Input): void {
    if (input.kind === 'fire') {
      const { x, y, radius } = input
      world.resource(Sparks)!.push({ x, y, radius })
      return
    }
    if (input.kind === 'prey') return populate(input.count)
    const entity = input.entity as Entity
    if (input.kind === 'destroy') return void world.destroy(entity)
    if (!world.isAlive(entity)) return
    if (input.kind === 'burn') {
      if (input.on) world.add(entity, Burning)
      else world.remove(entity, Burning)
      return
    }
    const component = componentNamed(input.component)
    if (component === undefined || !world.has(entity, component)) return
    if (input.kind === 'set') world.set(entity, component, input.values as never)
    else if (input.on) world.enable(entity, component)
    else world.disable(entity, component)
  }
}

function componentNamed(name: string): Component | undefined {
  return (Object.values(declared) as Component[]).find(
    ({ kind, componentName }) => kind === 'component' && componentName === name,
  )
}

/** Inputs as text that can stand in an address. */
export function encodeInputs(entries: readonly Entry[]): string {
  const bytes = new TextEncoder().encode(JSON.stringify(entries))
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** The other way round; undefined for whatever `encodeInputs` cannot have written. */
export function decodeInputs(text: string): Entry[] | undefined {
  let said: unknown
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    said = JSON.parse(new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0))))
  } catch {
    return undefined
  }
  if (!Array.isArray(said)) return undefined
  let tick = 0
  for (const entry of said as unknown[]) {
    if (!isEntry(entry) || entry.tick < tick) return undefined
    tick = entry.tick
  }
  return said as Entry[]
}

const isWhole = (value: unknown, most: number): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most
const isNumber = (value: unknown): value is number => Number.isFinite(value)

/** An address is not to be trusted. */
function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null) return false
  const entry = value as Record<string, unknown>
  if (!isWhole(entry.tick, 0xffffffff)) return false
  const isOfEntity = isWhole(entry.entity, 0xffffffff)
  switch (entry.kind) {
    case 'fire':
      return isNumber(entry.x) && isNumber(entry.y) && isNumber(entry.radius) && Math.abs(entry.radius) < 2048
    case 'prey':
      return isWhole(entry.count, MOST_PREY)
    case 'set':
      return (
        isOfEntity &&
        typeof entry.component === 'string' &&
        typeof entry.values === 'object' &&
        entry.values !== null
      )
    case 'enable':
      return isOfEntity && typeof entry.component === 'string' && typeof entry.on === 'boolean'
    case 'burn':
      return isOfEntity && typeof entry.on === 'boolean'
    case 'destroy':
      return isOfEntity
    default:
      return false
  }
}
