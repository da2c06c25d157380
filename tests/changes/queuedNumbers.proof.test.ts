// Shows that values which wait as numbers equal values that are written at once: in a block, in a buffer, folded, next to values
// that are not numbers, and however many they are.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Entity,
  type World,
  bool,
  component,
  createCommands,
  entity,
  f32,
  f64,
  i32,
  onSet,
  sparse,
  spawnMany,
  stable,
  tag,
  text,
  u8,
  vec,
} from '../../bindings/index'
import { proofLength } from '../support/proofs'
import { watchedWorld } from '../support/watched'
import { testWorld } from '../support/world'

const NUMBERS = [0, -0, 1, -1, NaN, Infinity, 0.1, 255, 2 ** 31]
const anyNumber = (n: number) => NUMBERS[n % NUMBERS.length] as number
const byte = (n: number) => n & 127

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, k) => [`f${k}`, i32.default(k)]))
const manyValues = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, k) => [`f${k}`, (n: number) => byte(n + k)]))

/** Components, and for each of their fields what a number becomes there. */
const KINDS: readonly { readonly Component: any; readonly fields: Record<string, (n: number) => unknown> }[] =
  [
    { Component: component('One', { x: f32.default(4) }), fields: { x: anyNumber } },
    {
      Component: component('Wide', { a: f64.default(7), b: i32, c: u8.default(9), who: entity }),
      fields: { a: anyNumber, b: byte, c: byte, who: byte },
    },
    {
      Component: component('Sparse', { x: f32.default(5), y: f32, z: f32 }, { storage: sparse }),
      fields: { x: anyNumber, y: byte, z: anyNumber },
    },
    {
      Component: component('Stable', { x: f64 }, { storage: stable, trackChanges: 'row' }),
      fields: { x: anyNumber },
    },
    {
      Component: component('Mixed', { n: i32, on: bool, name: text, at: vec(f32, 2) }),
      fields: { n: byte, on: (n) => n % 2 === 0, name: String, at: (n) => [n, -n] },
    },
    { Component: component('Most', many(31)), fields: manyValues(31) },
    { Component: component('More', many(32)), fields: manyValues(32) },
    { Component: tag('Mark'), fields: {} },
  ]

interface Step {
  readonly kind: 'add' | 'set' | 'spawn' | 'remove' | 'exchange' | 'destroy'
  readonly entity: number
  readonly components: readonly number[]
  /** A bit for each of the first fields that is given; with none, no values are. */
  readonly listed: number
  readonly value: number
}

const steps = fc.array(
  fc.record<Step>({
    kind: fc.constantFrom('add', 'add', 'add', 'set', 'spawn', 'remove', 'exchange', 'destroy'),
    entity: fc.nat(7),
    components: fc.uniqueArray(fc.nat(KINDS.length - 1), { maxLength: 3 }),
    listed: fc.nat(63),
    value: fc.nat(40),
  }),
  { maxLength: 60 },
)

function valuesOf(kind: number, { listed, value }: Step): Record<string, unknown> {
  const fields = Object.entries(KINDS[kind]!.fields)
  const given = fields.filter((_, k) => ((listed >> (k % 6)) & 1) !== 0)
  return Object.fromEntries(given.map(([name, become], k) => [name, become(value + k)]))
}

/** Makes a step in a world, or records it in a buffer. */
function make(world: World, into: any, handles: Entity[], step: Step): void {
  const bare = step.components.map((kind) => KINDS[kind]!.Component)
  const valued = step.components.map((kind, i) =>
    step.listed === 0 || kind === KINDS.length - 1 ? bare[i] : bare[i](valuesOf(kind, step)),
  )
  if (step.kind === 'spawn') {
    handles.push(into.spawn(...valued))
    return
  }
  const e = handles[step.entity % handles.length] as Entity
  if (!world.isAlive(e)) return
  if (step.kind === 'add') into.add(e, ...valued)
  else if (step.kind === 'remove') into.remove(e, ...bare)
  else if (step.kind === 'destroy') into.destroy(e)
  else if (step.kind === 'exchange') into.exchange(e, [KINDS[step.value % KINDS.length]!.Component], valued)
  else if (bare.length > 0 && step.components[0] !== KINDS.length - 1)
    into.set(e, bare[0], valuesOf(step.components[0]!, step))
}

function contents(world: World, handles: readonly Entity[]): unknown[] {
  return handles.map((e) =>
    KINDS.map(({ Component }) =>
      world.isAlive(e) && world.has(e, Component) ? (world.get(e, Component) ?? 'tag') : undefined,
    ),
  )
}

/** Carries steps out, five at a time, and says what the entities have after each. */
function carriedOut(
  list: readonly Step[],
  listens: boolean,
  part: (world: World, few: readonly Step[], handles: Entity[]) => void,
) {
  const world = testWorld()
  const heard: unknown[] = []
  const [, { Component: Watched }] = KINDS as any
  if (listens) onSet(world, Watched, (e) => heard.push([e, world.get(e, Watched)]))
  const handles = [world.spawn(), world.spawn(), world.spawn()]
  const seen: unknown[] = []
  for (let i = 0; i < list.length; i += 5) {
    part(world, list.slice(i, i + 5), handles)
    seen.push(contents(world, handles))
  }
  world.dispose()
  return { seen, heard }
}

describe('queued values', () => {
  it('are the same as values written at once, in blocks and buffers, with listeners and without', () => {
    fc.assert(
      fc.property(steps, fc.boolean(), (list, listens) => {
        const atOnce = carriedOut(list, listens, (world, few, handles) => {
          for (const step of few) make(world, world, handles, step)
        })
        const inBlocks = carriedOut(list, listens, (world, few, handles) => {
          for (const step of few) world.batch(() => make(world, world, handles, step))
        })
        const inBlock = carriedOut(list, listens, (world, few, handles) =>
          world.batch(() => few.forEach((step) => make(world, world, handles, step))),
        )
        const inBuffer = carriedOut(list, listens, (world, few, handles) => {
          const buffer = createCommands(world)
          for (const step of few) make(world, buffer, handles, step)
          world.batch(() => buffer.apply())
        })
        expect(inBlocks).toEqual(atOnce)
        expect(inBlock.seen).toEqual(atOnce.seen)
        expect(inBuffer.seen).toEqual(atOnce.seen)
      }),
      { numRuns: proofLength(300), seed: 46 },
    )
  })

  it.each([0, 1, 63, 64, 65, 127, 128, 129, 5000])(
    '%i of them keep their numbers and their order',
    (count) => {
      const [One, Wide] = [component('One', { x: f64 }), component('Wide', { x: f32, n: i32 })]
      const world = watchedWorld()
      const handles = [...spawnMany(world, count, [])] as Entity[]
      for (let round = 0; round < 2; round++) {
        world.batch(() => {
          handles.forEach((e, i) => world.add(e, One({ x: i / 3 + round })))
          handles.forEach((e, i) => i % 2 === 0 && world.add(e, Wide({ n: i }), One({ x: -i })))
          handles.forEach((e, i) => i % 3 === 0 && world.remove(e, One))
        })
        handles.forEach((e, i) => {
          expect(world.get(e, One)?.x).toBe(i % 3 === 0 ? undefined : i % 2 === 0 ? -i : i / 3 + round)
          expect(world.get(e, Wide)).toEqual(i % 2 === 0 ? { x: 0, n: i } : undefined)
        })
      }
    },
  )

  it('are not written to the entity that took the place of one that died meanwhile', () => {
    const One = component('One', { x: f64 })
    const world = watchedWorld()
    const handles = [...spawnMany(world, 6, [])] as Entity[]
    const buffer = createCommands(world)
    handles.forEach((e, i) => buffer.add(e, One({ x: i })))
    world.destroy(handles[2] as Entity)
    buffer.apply()
    expect(handles.map((e) => world.get(e, One)?.x)).toEqual([0, 1, undefined, 3, 4, 5])
    expect(world.query(One).count).toBe(5)
  })
})
