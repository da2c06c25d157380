// Shows how components and tags are switched on and off: one bit a row, carried along wherever the row goes, looked at by every
// query, over every storage.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addMany,
  any,
  clearWorld,
  component,
  disableMany,
  enableMany,
  f32,
  not,
  optional,
  removeMany,
  sparse,
  spawnMany,
  tag,
  toggle,
  u32,
  u8,
  vec,
  type ComponentLike,
  type Entity,
  type Query,
  type World,
} from '../../bindings/index'
import { indexOf } from '../support/inside'
import { proofLength } from '../support/proofs'
import { STORAGES, STORED } from '../support/storages'
import { watchedWorld } from '../support/watched'

const Position = component('Position', { x: f32, y: f32 })
const Other = component('Other', { n: u8 })
const Large = component('Large', { values: vec(f32, 64) })
const Marked = tag('Marked')
const Pooled = component('Pooled', { n: u32 }, { storage: sparse })

interface Kind {
  readonly name: string
  /** What is switched. */
  readonly C: ComponentLike
  /** Another one of the same kind. */
  readonly D: ComponentLike
}

const KINDS: readonly Kind[] = [
  ...STORAGES.map((storage) => ({
    name: `a ${storage} component`,
    C: component('C', { value: u32 }, { storage: STORED[storage], toggle }),
    D: component('D', { value: u32 }, { storage: STORED[storage], toggle }),
  })),
  { name: 'a tag', C: tag('C', { toggle }), D: tag('D', { toggle }) },
  {
    name: 'a component without fields',
    C: component('C', {}, { toggle }),
    D: component('D', {}, { toggle }),
  },
]

/** Rows of the first chunk and of a full one, for entities with just this component. */
function capacitiesOf(C: ComponentLike): { first: number; full: number } {
  const world = watchedWorld()
  spawnMany(world, 10_000, [C])
  const lengths = Array.from(world.query(C), (chunk) => chunk.entities.length)
  return { first: lengths[0] as number, full: lengths[1] as number }
}

function countsAround({ first, full }: { first: number; full: number }): number[] {
  const edges = [1, 64, first, first + full]
  return [...new Set([0, ...edges.flatMap((edge) => [edge - 1, edge, edge + 1])])].sort((a, b) => a - b)
}

/** Everything a query tells about which entities match says the same; the handles, in the order of a loop. */
function metBy(query: Query): number[] {
  const looped: number[] = []
  for (const chunk of query) {
    expect(chunk.start).toBeLessThan(chunk.end)
    for (let row = chunk.start; row < chunk.end; row++) looped.push(chunk.entities[row] as number)
  }
  const each: number[] = []
  query.each((entity) => each.push(entity))
  expect(each).toEqual(looped)
  expect([...query.entities()]).toEqual(looped)
  expect(query.count).toBe(looped.length)
  expect(query.isEmpty).toBe(looped.length === 0)
  expect(query.first()).toBe(looped[0])
  return looped
}

const sorted = (handles: Iterable<number>) => [...handles].sort((a, b) => a - b)

function expectOff(world: World, C: ComponentLike, entities: ArrayLike<number>, off: ReadonlySet<number>) {
  for (let i = 0; i < entities.length; i++) {
    const entity = entities[i] as number
    if (world.isEnabled(entity, C) === off.has(entity)) {
      expect.unreachable(`entity ${i} of ${entities.length} is ${off.has(entity) ? 'on' : 'off'}`)
    }
  }
  const on = Array.from(entities).filter((entity) => !off.has(entity))
  expect(sorted(metBy(world.query(C)))).toEqual(sorted(on))
  expect(sorted(metBy(world.query(Position, not(C))))).toEqual(sorted(off))
}

describe.each(KINDS)('$name that can be switched off', ({ C, D }) => {
  const counts = countsAround(capacitiesOf(C))

  it('a switch is on in new entities, however they are made', () => {
    const world = watchedWorld()
    const made = [world.spawn(C), ...spawnMany(world, 70, [C])]
    const given = world.spawn()
    world.add(given, C)
    const bulk = spawnMany(world, 70, [Marked])
    addMany(world.query(Marked), C)
    const all = [...made, given, ...bulk]
    for (const entity of all) expect(world.isEnabled(entity, C)).toBe(true)
    expect(sorted(metBy(world.query(C)))).toEqual(sorted(all))
  })

  it('switching off keeps the entity, its value and has; queries that require it skip it, not finds it', () => {
    const world = watchedWorld()
    const [a, b, c] = [1, 2, 3].map((n) => world.spawn(Position({ x: n }), C)) as [Entity, Entity, Entity]
    const plain = world.spawn(Position)
    const before = 'schema' in C ? world.get(b, C as typeof Position) : undefined
    expect(world.disable(b, C)).toBe(true)
    expect(world.has(b, C)).toBe(true)
    expect(world.isEnabled(b, C)).toBe(false)
    if ('schema' in C) expect(world.get(b, C as typeof Position)).toEqual(before)
    expect(world.get(b, Position)).toEqual({ x: 2, y: 0 })
    expect(sorted(metBy(world.query(C)))).toEqual(sorted([a, c]))
    expect(sorted(metBy(world.query(Position, C)))).toEqual(sorted([a, c]))
    expect(sorted(metBy(world.query(not(C))))).toEqual(sorted([b, plain]))
    expect(sorted(metBy(world.query(Position, not(C))))).toEqual(sorted([b, plain]))
    expect(world.enable(b, C)).toBe(true)
    expect(sorted(metBy(world.query(C)))).toEqual(sorted([a, b, c]))
    expect(metBy(world.query(not(C)))).toEqual([plain])
  })

  it('counts for any only while it is on, and optional finds it on or off', () => {
    const world = watchedWorld()
    const both = world.spawn(Position, C, D)
    const onlyC = world.spawn(Position, C)
    const onlyD = world.spawn(Position, D)
    world.spawn(Position)
    const query = world.query(Position, any(C, D))
    expect(sorted(metBy(query))).toEqual(sorted([both, onlyC, onlyD]))
    world.disable(both, C)
    expect(sorted(metBy(query))).toEqual(sorted([both, onlyC, onlyD]))
    world.disable(onlyC, C)
    expect(sorted(metBy(query))).toEqual(sorted([both, onlyD]))
    world.disable(both, D)
    expect(metBy(query)).toEqual([onlyD])
    expect(sorted(metBy(world.query(any(C, D))))).toEqual([onlyD])
    expect(metBy(world.query(Position, optional(C))).length).toBe(4)
    if (!('schema' in C) || Object.keys(C.schema as object).length === 0) return
    const seen = new Map<number, boolean>()
    world.query(Position, optional(C)).each((entity, _, c) => seen.set(entity, c !== undefined))
    expect([both, onlyC, onlyD].map((entity) => seen.get(entity))).toEqual([true, true, false])
  })

  it('switching returns whether it changed: false if it is so already, is absent, or the entity is dead', () => {
    const world = watchedWorld()
    const entity = world.spawn(C)
    const plain = world.spawn()
    const dead = world.spawn(C)
    world.destroy(dead)
    expect(world.enable(entity, C)).toBe(false)
    expect(world.disable(entity, C)).toBe(true)
    expect(world.disable(entity, C)).toBe(false)
    expect(world.enable(entity, C)).toBe(true)
    for (const nobody of [plain, dead, 0xffffffff, 0, 12_345, -1, 1.5, NaN] as Entity[]) {
      expect(world.disable(nobody, C)).toBe(false)
      expect(world.enable(nobody, C)).toBe(false)
      expect(world.isEnabled(nobody, C)).toBe(false)
    }
    expect(world.isEnabled(entity, C)).toBe(true)
  })

  it.each(counts)('keeps apart the bits of %i rows, switched one by one', (count) => {
    const world = watchedWorld()
    const handles = spawnMany(world, count, [Position, C])
    const off = new Set<number>()
    for (const i of [0, 1, 62, 63, 64, 65, 127, 128, count - 2, count - 1]) {
      const entity = handles[i]
      if (entity === undefined) continue
      world.disable(entity, C)
      off.add(entity)
    }
    expectOff(world, C, handles, off)
    for (const entity of [...off].slice(0, 3)) {
      world.enable(entity, C)
      off.delete(entity)
    }
    expectOff(world, C, handles, off)
  })

  it.each(counts)('a switch moves along when rows out of %i are swapped into holes', (count) => {
    const world = watchedWorld()
    const handles = spawnMany(world, count, [Position, C])
    const off = new Set(handles.filter((_, i) => i % 3 === 0))
    for (const entity of off) world.disable(entity, C)
    const kept = handles.filter((_, i) => i % 5 !== 0 && i % 7 !== 0)
    const gone = handles.filter((_, i) => i % 5 === 0)
    for (const entity of gone) world.destroy(entity)
    const without = handles.filter((_, i) => i % 5 !== 0 && i % 7 === 0)
    for (const entity of without) world.remove(entity, C)
    for (const entity of [...gone, ...without]) off.delete(entity)
    for (const entity of kept) expect(world.isEnabled(entity, C)).toBe(!off.has(entity))
    expect(sorted(metBy(world.query(C)))).toEqual(sorted(kept.filter((entity) => !off.has(entity))))
    expect(sorted(metBy(world.query(Position, not(C))))).toEqual(sorted([...off, ...without]))
  })

  it.each(counts)('a switch moves along when %i entities move to another archetype, one by one', (count) => {
    const world = watchedWorld()
    const handles = spawnMany(world, count, [Position, C])
    const off = new Set(handles.filter((_, i) => i % 3 === 1))
    for (const entity of off) world.disable(entity, C)
    for (const [i, entity] of handles.entries()) {
      if (i % 2 === 0) world.add(entity, Other)
      if (i % 4 === 0) world.add(entity, Marked, D)
      if (i % 8 === 0) world.remove(entity, Other)
    }
    expectOff(world, C, handles, off)
    for (const entity of handles) expect(world.isEnabled(entity, D)).toBe(world.has(entity, D))
  })

  it.each(counts)('a switch moves along when %i entities move in bulk into a chunk begun', (count) => {
    const world = watchedWorld()
    // The chunks they come to are partly filled, with rows of their own that are off.
    const begun = spawnMany(world, 5, [Position, C, Other, Marked])
    const tagged = spawnMany(world, 7, [Position, C, Marked])
    const off = new Set<number>([begun[1], begun[4], tagged[0], tagged[6]] as number[])
    const handles = spawnMany(world, count, [Position, C])
    for (const [i, entity] of handles.entries()) if (i % 3 === 2 || i === count - 1) off.add(entity)
    for (const entity of off) world.disable(entity, C)
    const all = [...begun, ...tagged, ...handles]
    addMany(world.query(Position), Marked)
    expectOff(world, C, all, off)
    addMany(world.query(Position), Other)
    expectOff(world, C, all, off)
    removeMany(world.query(Position), Marked)
    removeMany(world.query(Position), Other)
    expectOff(world, C, all, off)
  })

  it('a switch is on again after it was removed and added, even if the row was used before', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, 130, [Position, C])
    disableMany(world.query(C), C)
    expect(metBy(world.query(C))).toEqual([])
    for (const entity of handles) {
      world.remove(entity, C)
      world.add(entity, C)
    }
    expectOff(world, C, handles, new Set())
    disableMany(world.query(Position), C)
    removeMany(world.query(Position), C)
    expect(world.query(not(C)).count).toBe(130)
    addMany(world.query(Position), C)
    expectOff(world, C, handles, new Set())
    disableMany(world.query(Position), C)
    clearWorld(world)
    expectOff(world, C, spawnMany(world, 130, [Position, C]), new Set())
  })

  it.each(counts)('is switched by query in all of %i rows, whatever it was before', (count) => {
    const world = watchedWorld()
    const handles = spawnMany(world, count, [Position, C])
    for (let i = 0; i < count; i += 2) world.disable(handles[i] as number, C)
    expect(disableMany(world.query(C), C)).toBe(count)
    expectOff(world, C, handles, new Set(handles))
    expect(enableMany(world.query(Position), C)).toBe(count)
    expectOff(world, C, handles, new Set())
    expect(disableMany(world.query(Position, C), C)).toBe(count)
    expectOff(world, C, handles, new Set(handles))
    expect(enableMany(world.query(C), C)).toBe(count)
    expectOff(world, C, handles, new Set())
  })

  it('is switched by query where the other terms hold, and its own term only requires its presence', () => {
    const world = watchedWorld()
    const plain = spawnMany(world, 100, [Position, C])
    const marked = spawnMany(world, 100, [Position, C, Marked])
    const pooled = spawnMany(world, 100, [Position, C, Pooled])
    const withD = spawnMany(world, 100, [Position, C, D])
    const all = [...plain, ...marked, ...pooled, ...withD]
    expect(disableMany(world.query(C, Marked), C)).toBe(100)
    expectOff(world, C, all, new Set(marked))
    expect(disableMany(world.query(C, Pooled), C)).toBe(100)
    expectOff(world, C, all, new Set([...marked, ...pooled]))
    expect(disableMany(world.query(C, not(Pooled), not(Marked), not(D)), C)).toBe(100)
    expectOff(world, C, all, new Set([...marked, ...pooled, ...plain]))
    expect(enableMany(world.query(Position, C), C)).toBe(400)
    for (let i = 0; i < 100; i += 2) world.disable(withD[i] as number, D)
    expect(disableMany(world.query(C, D), C)).toBe(50)
    expectOff(world, C, all, new Set(withD.filter((_, i) => i % 2 === 1)))
    expect(enableMany(world.query(any(C, D)), C)).toBe(400)
    expectOff(world, C, all, new Set())
    expect(disableMany(world.query(not(C)), C)).toBe(0)
    expectOff(world, C, all, new Set())
  })

  it('is switched by page, by where and in a part, and nowhere else', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, 300, [Position, C])
    handles.forEach((entity, i) => world.set(entity, Position, { x: i }))
    expect(disableMany(world.query(Position).where(Position, 'x', '<', 100), C)).toBe(100)
    expectOff(world, C, handles, new Set(handles.subarray(0, 100)))
    expect(enableMany(world.query(Position).slice(40, 60), C)).toBe(20)
    expectOff(world, C, handles, new Set(handles.filter((_, i) => i < 40 || (i >= 60 && i < 100))))
    expect(disableMany(world.query(Position).partition(2, 3), C)).toBe(100)
    expectOff(
      world,
      C,
      handles,
      new Set(handles.filter((_, i) => i < 40 || (i >= 60 && i < 100) || i >= 200)),
    )
  })

  it('is switched by query after the loop, if the query is called in one', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, 200, [Position, C])
    let visited = 0
    for (const chunk of world.query(C)) {
      visited += chunk.end - chunk.start
      if (visited > 0 && world.query(C).count === 200) expect(disableMany(world.query(C), C)).toBe(200)
      expect(world.query(C).count).toBe(200)
    }
    expect(visited).toBe(200)
    expectOff(world, C, handles, new Set(handles))
  })

  it('is switched at once inside a loop: the current chunk is seen as it was, later ones as they are', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, 5000, [Position, C])
    const visited: number[] = []
    for (const chunk of world.query(C)) {
      for (let row = chunk.start; row < chunk.end; row++) {
        const entity = chunk.entities[row]
        visited.push(entity)
        // This one, and one that lies far ahead.
        world.disable(entity, C)
        world.disable(handles[handles.length - visited.length] as number, C)
        expect(world.isEnabled(entity, C)).toBe(false)
      }
    }
    expect(new Set(visited).size).toBe(visited.length)
    expect(visited.length).toBeLessThan(5000)
    expectOff(world, C, handles, new Set(handles))
  })

  it('a switch follows what is queued for the same entity in a block', () => {
    const world = watchedWorld()
    const [a, b, c, d] = [C, C, Position, C].map((kind) => world.spawn(kind)) as [
      Entity,
      Entity,
      Entity,
      Entity,
    ]
    world.disable(b, C)
    let made = 0 as Entity
    world.batch(() => {
      world.remove(a, C)
      world.add(a, C)
      world.disable(a, C)
      world.remove(b, C)
      world.add(b, C)
      world.add(c, C)
      world.disable(c, C)
      world.enable(c, C)
      world.disable(c, C)
      made = world.spawn(Position, C)
      world.disable(made, C)
      world.destroy(d)
      world.disable(d, C)
    })
    expect([a, b, c, made].map((entity) => world.isEnabled(entity, C))).toEqual([false, true, false, false])
    expect(world.isAlive(d)).toBe(false)
    expect(metBy(world.query(C))).toEqual([b])
  })

  it('needs no memory, and is as it was after a change that failed without it', () => {
    const world = watchedWorld({ memory: { initial: 2 ** 20, maximum: 2 ** 20 } })
    const handles: number[] = [...spawnMany(world, 100, [Position, C])]
    expectOff(world, C, handles, new Set())
    const noMemory = expect.objectContaining({ code: 'MEMORY_LIMIT' }) as Error
    expect(() => {
      while (true) handles.push(...spawnMany(world, 100, [Position, C]))
    }).toThrow(noMemory)
    const off = new Set(handles.filter((_, i) => i % 3 === 0))
    for (const entity of off) expect(world.disable(entity as Entity, C)).toBe(true)
    expect(() => addMany(world.query(Position), Large)).toThrow(noMemory)
    expectOff(world, C, handles, off)
    expect(disableMany(world.query(C), C)).toBe(handles.length)
    expectOff(world, C, handles, new Set(handles))
  })

  it('is found, or not, by queries that a loop makes while memory must not grow', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, 130, [Position, C])
    const off = handles.filter((_, i) => i % 2 === 0)
    for (const entity of off) world.disable(entity, C)
    world.batch(() => {
      expect(metBy(world.query(Position, C, not(Marked)))).toEqual([...handles.filter((_, i) => i % 2 === 1)])
      expect(metBy(world.query(Position, not(C), not(Marked)))).toEqual([...off])
      expect(metBy(world.query(any(C, Marked)))).toEqual([...handles.filter((_, i) => i % 2 === 1)])
    })
    expect(metBy(world.query(Position, C, not(Marked)))).toEqual([...handles.filter((_, i) => i % 2 === 1)])
  })

  it('holds what a Map would hold after any changes', () => {
    const operations = fc.array(fc.tuple(fc.nat(7), fc.nat(200), fc.nat(200)), {
      minLength: 1,
      maxLength: 150,
    })
    fc.assert(
      fc.property(operations, (steps) => {
        const world = watchedWorld({ memory: { initial: 2 ** 20 } })
        /** Living entities; whether C is on, undefined where it is not there. */
        const model = new Map<number, boolean | undefined>()
        const pick = (n: number) => [...model.keys()][n % Math.max(model.size, 1)] ?? 0
        for (const [operation, a, b] of steps) {
          const entity = pick(a) as Entity
          const there = model.get(entity) !== undefined
          if (operation === 0 || model.size === 0) {
            for (const made of spawnMany(world, b % 70, [Position, C])) model.set(made, true)
          } else if (operation === 1 || operation === 2) {
            expect(world.disable(entity, C)).toBe(model.get(entity) === true)
            if (there) model.set(entity, false)
          } else if (operation === 3) {
            expect(world.enable(entity, C)).toBe(model.get(entity) === false)
            if (there) model.set(entity, true)
          } else if (operation === 4) {
            if (b % 2 === 0) world.destroy(entity)
            else world.remove(entity, C)
            if (b % 2 === 0) model.delete(entity)
            else model.set(entity, undefined)
          } else if (operation === 5) {
            world.add(entity, C, Marked)
            if (!there) model.set(entity, true)
          } else if (operation === 6) {
            if (b % 2 === 0) removeMany(world.query(Marked), Marked)
            else addMany(world.query(C), Other)
          } else {
            const off = b % 2 === 0
            if (off) disableMany(world.query(Marked), C)
            else enableMany(world.query(Marked), C)
            for (const [other, on] of model) {
              if (on !== undefined && world.has(other, Marked)) model.set(other, !off)
            }
          }
        }
        const on = [...model].filter(([, state]) => state === true).map(([entity]) => entity)
        const off = [...model].filter(([, state]) => state !== true).map(([entity]) => entity)
        expect(sorted(metBy(world.query(C)))).toEqual(sorted(on))
        expect(sorted(metBy(world.query(Position, not(C))))).toEqual(sorted(off))
        for (const [entity, state] of model) expect(world.isEnabled(entity, C)).toBe(state === true)
      }),
      { numRuns: proofLength(30), seed: 7 },
    )
  })
})

describe('switching off', () => {
  const C = component('C', { value: u32 }, { toggle })

  it('is refused for components without a toggle, and for anything but a component', () => {
    const world = watchedWorld()
    const entity = world.spawn(Position, Marked)
    const query = world.query(Position)
    for (const kind of [Position, Marked, Pooled]) {
      const refusal = expect.objectContaining({ code: 'NOT_A_TOGGLE' }) as Error
      expect(() => world.disable(entity, kind)).toThrow(refusal)
      expect(() => world.enable(entity, kind)).toThrow(refusal)
      expect(() => disableMany(query, kind)).toThrow(refusal)
      expect(() => enableMany(query, kind)).toThrow(refusal)
    }
    expect(() => world.disable(entity, Position)).toThrow(/Position cannot be switched: declare it with/)
    for (const wrong of [undefined, 'Position', {}, C({ value: 1 })]) {
      const refusal = expect.objectContaining({ code: 'NOT_A_COMPONENT' }) as Error
      expect(() => world.disable(entity, wrong as never)).toThrow(refusal)
      expect(() => disableMany(query, wrong as never)).toThrow(refusal)
      expect(() => world.isEnabled(entity, wrong as never)).toThrow(refusal)
    }
    expect(() => component('X', {}, { toggle: true as never })).toThrow(/toggle must be what is imported/)
    expect(() => tag('X', { toggle: 'yes' as never })).toThrow(/toggle must be what is imported/)
  })

  it('falls back to has in isEnabled, for what cannot be switched', () => {
    const world = watchedWorld()
    const entity = world.spawn(Position, Pooled)
    expect([Position, Pooled, Marked, C].map((kind) => world.isEnabled(entity, kind))).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  it('of one component leaves the others of the same row alone', () => {
    const world = watchedWorld()
    const kinds = Array.from({ length: 9 }, (_, i) => component(`K${i}`, { n: u8 }, { toggle }))
    const handles = spawnMany(world, 100, kinds)
    handles.forEach((entity, i) =>
      kinds.forEach((kind, k) => (i + k) % 4 === 0 && world.disable(entity, kind)),
    )
    addMany(world.query(kinds[0] as ComponentLike), Marked)
    kinds.forEach((kind, k) => {
      expect(world.query(kind).count).toBe(handles.filter((_, i) => (i + k) % 4 !== 0).length)
    })
    expect(world.query(...kinds.slice(0, 2)).count).toBe(
      handles.filter((_, i) => i % 4 !== 0 && (i + 1) % 4 !== 0).length,
    )
  })

  it('splits a chunk into runs of rows, and a chunk that is all off gives none', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, 130, [C])
    for (const i of [0, 1, 63, 64, 65, 129]) world.disable(handles[i] as number, C)
    const [first = 0] = Array.from(world.query(optional(C)), (chunk) => chunk.end)
    const runs = Array.from(world.query(C), (chunk) => [chunk.start, chunk.end])
    const absolute: number[] = []
    world.query(C).each((entity) => absolute.push(indexOf(entity) - indexOf(handles[0] as number)))
    expect(absolute).toEqual(
      Array.from({ length: 130 }, (_, i) => i).filter((i) => ![0, 1, 63, 64, 65, 129].includes(i)),
    )
    expect(runs[0]).toEqual([2, Math.min(63, first)])
    disableMany(world.query(C), C)
    expect(Array.from(world.query(C))).toEqual([])
  })

  it('is checked for the entity, not for its row, by pools walked in place of archetypes', () => {
    const world = watchedWorld()
    spawnMany(world, 5000, [Position, C])
    const few = spawnMany(world, 20, [Position, C, Pooled])
    for (const entity of few.subarray(0, 5)) world.disable(entity, C)
    expect(sorted(metBy(world.query(Position, C, Pooled)))).toEqual(sorted(few.subarray(5)))
    expect(sorted(metBy(world.query(Position, not(C), Pooled)))).toEqual(sorted(few.subarray(0, 5)))
  })

  it('marks nothing changed and moves nothing', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, 200, [Position, C])
    const order = [...world.query(Position).entities()]
    world.advanceTick()
    const stats = world.stats()
    for (const entity of handles) world.disable(entity, C)
    enableMany(world.query(Position), C)
    expect([...world.query(Position).entities()]).toEqual(order)
    expect(world.stats()).toEqual(stats)
  })
})
