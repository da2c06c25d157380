// Shows that a full world with listeners fails cleanly: whichever allocation fails, what was reported fits what is there, every
// JavaScript value has one end, and memory is whole. Every KiB from none to plenty is tried, so that every site fails once; only
// `npm test` tries every third.

import { describe, expect, it } from 'vitest'
import {
  addMany,
  cloneEntity,
  createCommands,
  queueDestroy,
  endFrame,
  createGroup,
  LimitError,
  component,
  entity,
  f32,
  object,
  onAdd,
  onRemove,
  removeMany,
  sortRows,
  cloneMany,
  sparse,
  stable,
  tag,
  text,
  toggle,
  u32,
  type ComponentLike,
  type Entity,
  type World,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { isShort } from '../support/proofs'
import { leaveFree, withoutFreeObjects } from '../support/scarcity'
import { testWorld } from '../support/world'

const MIB = 2 ** 20
/** KiB from one amount of memory to the next; an odd number, because what is done takes turns. */
const STEP = isShort ? 5 : 1

const Body = component('Body', { n: u32, name: text, who: entity }, { toggle, trackChanges: 'row' })
const Left = component('Left', { x: f32 }, { storage: sparse })
const Right = component('Right', { x: f32 }, { storage: sparse })
const Slot = component('Slot', { n: u32 }, { storage: stable })
const Brief = component('Brief', { n: u32 }, { lifetime: 'frame' })
const Line = tag('Line', { order: 'insertion' })
const Sorted = tag('Sorted', { order: 'insertion' })
const Frozen = tag('Frozen')
interface Value {
  readonly n: number
}
const lives = new Map<Value, string>()
function begin(value: Value): void {
  lives.set(value, `${lives.get(value) ?? ''}init `)
}
function end(value: Value): void {
  lives.set(value, `${lives.get(value) ?? ''}dispose `)
}
const Copied = object<Value>('Copied', { init: begin, dispose: end, clone: ({ n }) => ({ n }) })
const Own = object<Value>('Own', { init: begin, dispose: end })
const OBJECTS = [Copied, Own]
const ALL: readonly ComponentLike[] = [Body, Left, Right, Slot, Brief, Line, Sorted, Frozen, Copied, Own]

/** Who has what by what the handlers were told. */
function listen(world: World): Map<ComponentLike, Set<Entity>> {
  const told = new Map<ComponentLike, Set<Entity>>()
  for (const kind of ALL) {
    const members = new Set<Entity>(membersOf(world, kind))
    told.set(kind, members)
    onAdd(world, kind, (e) => members.add(e))
    onRemove(world, kind, (e) => members.delete(e))
  }
  return told
}

function membersOf(world: World, kind: ComponentLike): Entity[] {
  return [...world.query().entities()].filter((e) => world.has(e, kind)).sort((a, b) => a - b)
}

interface Scenario {
  readonly name: string
  readonly act: (world: World) => void
}

const first = (world: World): Entity => world.query(Body).first() as Entity
const full = (world: World, n: number): Entity =>
  world.spawn(
    Body({ n, name: `name ${n}` }),
    Left,
    Right,
    Slot,
    Brief,
    Line,
    Sorted,
    Copied({ n }),
    Own({ n }),
  )

const SCENARIOS: readonly Scenario[] = [
  { name: 'clone', act: (world) => cloneEntity(world, first(world)) },
  { name: 'spawnFrom', act: (world) => cloneMany(world, first(world), 400) },
  { name: 'clone in a block', act: (world) => world.batch(() => cloneEntity(world, first(world))) },
  { name: 'spawnFrom in a block', act: (world) => world.batch(() => cloneMany(world, first(world), 400)) },
  {
    name: 'spawn of everything',
    act: (world) => {
      for (let i = 0; i < 40; i++) full(world, 1000 + i)
    },
  },
  {
    name: 'add of objects and a tag',
    act: (world) => world.add(world.spawn(), Own({ n: 9 }), Copied({ n: 8 }), Frozen, Line),
  },
  { name: 'add to a page', act: (world) => addMany(world.query(Body).slice(3, 43), Frozen, Line, Sorted) },
  { name: 'add of values by query', act: (world) => addMany(world.query(Body), Frozen, Slot({ n: 4 })) },
  {
    name: 'remove from a page',
    act: (world) => removeMany(world.query(Body).slice(3, 43), Brief, Own, Copied),
  },
  { name: 'remove by query', act: (world) => removeMany(world.query(Body), Brief, Own, Left) },
  {
    name: 'exchange',
    act: (world) =>
      world.exchange(first(world), [Body, Own], [Own({ n: 5 }), Frozen, Body({ name: 'x'.repeat(3000) })]),
  },
  {
    name: 'a buffer',
    act: (world) => {
      const commands = createCommands(world)
      try {
        const e = commands.spawn(Own({ n: 5 }), Body({ name: 'y'.repeat(3000) }), Line)
        commands.add(e, Left, Right, Copied({ n: 6 }))
        commands.remove(first(world), Own, Line)
        commands.add(first(world), Frozen)
        commands.apply()
      } finally {
        commands.clear()
      }
    },
  },
  { name: 'sort of a group', act: (world) => sortRows(world, Left, 'x') },
  { name: 'sort of a tag', act: (world) => sortRows(world, Line, Body, 'n') },
  {
    name: 'endFrame',
    act: (world) => {
      queueDestroy(world, first(world))
      endFrame(world)
    },
  },
]

describe.each(SCENARIOS)('in a world without memory and with listeners: $name', ({ act }) => {
  it('what was reported is what exists, and every value has one life', () => {
    let failures = 0
    for (let kib = 0; kib <= 80; kib += STEP) {
      lives.clear()
      const world = testWorld({ memory: { initial: MIB, maximum: MIB } })
      createGroup(world, Left, Right)
      for (let i = 0; i < 120; i++) full(world, i)
      const told = listen(world)
      leaveFree(world, kib)
      let error: unknown
      const attempt = () => {
        try {
          act(world)
        } catch (thrown) {
          error = thrown
        }
      }
      if (kib % 2 === 0) withoutFreeObjects(world, attempt)
      else attempt()
      if (error !== undefined) {
        failures++
        expect(error, `${kib} KiB`).toBeInstanceOf(LimitError)
      }
      checkInvariants(world)
      for (const kind of ALL) {
        expect(
          [...(told.get(kind) as Set<Entity>)].sort((a, b) => a - b),
          `${kib} KiB: ${kind.componentName}`,
        ).toEqual(membersOf(world, kind))
      }
      for (const kind of OBJECTS) {
        for (const e of membersOf(world, kind)) {
          const value = world.get(e, kind) as Value | undefined
          expect(value, `${kib} KiB: a value of ${kind.componentName}`).not.toBe(undefined)
          expect(lives.get(value as Value)).toBe('init ')
        }
      }
      world.dispose()
      for (const life of lives.values()) expect(['init dispose ', 'dispose ']).toContain(life)
    }
    expect(failures).toBeGreaterThan(0)
  })
})
