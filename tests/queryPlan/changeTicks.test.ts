// Shows what `changed` and `added` find, by chunk and by row, what counts as having seen a change, and that all of it goes on
// when ticks wrap around.

import { describe, expect, it } from 'vitest'
import { WORLD_TICK } from '../../build/layout'
import {
  added,
  addMany,
  any,
  changed,
  clearWorld,
  cloneEntity,
  component,
  createAccessor,
  destroyMany,
  disableMany,
  enableMany,
  f32,
  not,
  optional,
  removeMany,
  resetWorld,
  cloneMany,
  sparse,
  spawnMany,
  stable,
  tag,
  toggle,
  u32,
  vec,
  type Component,
  type Entity,
  type Query,
  type Storage,
  type World,
} from '../../bindings/index'
import { changeTickOf, pokeWord } from '../support/inside'
import { STORAGES, STORED } from '../support/storages'
import { watchedWorld } from '../support/watched'

const Position = component('Position', { x: f32, y: f32 })
const Other = component('Other', { n: u32 })
const Marked = tag('Marked')

type Numbered = Component<{ value: typeof u32 }, Storage>

interface Granularity {
  readonly name: string
  readonly storage: Storage
  readonly rows: boolean
}

const KINDS: readonly Granularity[] = STORAGES.flatMap((storage) => [
  { name: `a ${storage} component, told by chunk`, storage, rows: false },
  { name: `a ${storage} component, told by row`, storage, rows: true },
])

/** Looks at all that a query finds, to the end: it has seen that then. */
function look(query: Query): Set<number> {
  const found = new Set<number>()
  for (const chunk of query) {
    for (let row = chunk.start; row < chunk.end; row++) {
      const entity = chunk.entities[row] as number
      if (found.has(entity)) expect.unreachable(`entity ${entity} was visited twice`)
      found.add(entity)
    }
  }
  return found
}

/** Everything that only peeks says what a loop would find, and so does the loop afterwards. */
function lookTwice(query: Query): Set<number> {
  const { count, isEmpty } = query
  const first = query.first()
  const page = [...query.slice(0, 1_000_000).entities()]
  const found = look(query)
  expect(count).toBe(found.size)
  expect(isEmpty).toBe(found.size === 0)
  expect(first).toBe([...found][0])
  expect(page).toEqual([...found])
  return found
}

/** Sets the tick of a world in which nothing changed yet. */
function beginAt(world: World, tick: number): void {
  pokeWord(world, WORLD_TICK, tick)
}

describe.each(KINDS)('changes of $name', ({ storage, rows }) => {
  const C: Numbered = component(
    'C',
    { value: u32 },
    rows ? { storage: STORED[storage], trackChanges: 'row' } : { storage: STORED[storage] },
  )
  const D = component('D', { n: u32 }, rows ? { trackChanges: 'row' } : {})
  /** Enough for several chunks. */
  const MANY = 3000

  /** Exactly these where rows are told apart; at least these, not everything, where chunks are. */
  function expectFound(query: Query, expected: Iterable<number>, all: number = MANY): void {
    const wanted = new Set(expected)
    const found = lookTwice(query)
    if (rows || wanted.size === 0) expect(found).toEqual(wanted)
    else {
      expect([...wanted].filter((entity) => !found.has(entity))).toEqual([])
      expect(found.size).toBeLessThan(all)
    }
    expect(look(query).size).toBe(0)
  }

  it('a query for changes finds everything at its first look, and nothing at the next', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, MANY, [C])
    for (const query of [world.query(changed(C)), world.query(added(C)), world.query(changed(C), added(C))]) {
      expect(lookTwice(query)).toEqual(new Set(handles))
      expect(look(query).size).toBe(0)
      expect(look(query).size).toBe(0)
    }
  })

  it('a query for changes finds entities new since the last look, by spawn and by add, as changed and as added', () => {
    const world = watchedWorld()
    spawnMany(world, MANY, [C])
    const queries = [world.query(changed(C)), world.query(added(C))]
    for (const query of queries) look(query)
    const spawned = world.spawn(C({ value: 1 }))
    const given = world.spawn()
    world.add(given, C)
    const many = spawnMany(world, 3, [C])
    const set = world.spawn()
    world.set(set, C, { value: 2 })
    for (const query of queries) expectFound(query, [spawned, given, ...many, set])
    const tagged = spawnMany(world, 70, [Marked])
    addMany(world.query(Marked), C)
    for (const query of queries) expectFound(query, tagged)
  })

  it('a query for changes finds every way of writing, and not reads', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, MANY, [C])
    const last = handles[MANY - 1]
    const query = world.query(changed(C))
    const new_ = world.query(added(C))
    const all = world.query(C)
    look(query)
    look(new_)
    const accessor = createAccessor(world, C)
    const writes: (() => void)[] = [
      () => world.set(last, C, { value: 1 }),
      () => void world.setIfDifferent(last, C, { value: 2 }),
      () => void world.add(last, C({ value: 3 })),
      () => (accessor.of(last).value = 4),
      () => {
        for (const chunk of all) {
          const row = chunk.entities.subarray(0, chunk.end).indexOf(last)
          if (row >= 0) chunk.cursor(C).at(row).value = 5
        }
      },
      () => {
        for (const chunk of all) {
          const row = chunk.entities.subarray(0, chunk.end).indexOf(last)
          if (row >= 0) chunk.markChanged(C as never, row)
        }
      },
      () => all.each((entity, c) => entity === last && (c.value = 6)),
    ]
    for (const write of writes) {
      world.advanceTick()
      write()
      expectFound(query, [last])
      expect(look(new_).size).toBe(0)
    }
    world.get(last, C)
    world.has(last, C)
    expect(accessor.of(last).value).toBe(6)
    expect(world.setIfDifferent(last, C, { value: 6 })).toBe(false)
    all.each((_, c) => void c.value)
    for (const chunk of all) expect([chunk.read(C as never), chunk.index(C as never, 'value')].length).toBe(2)
    expect(look(query).size).toBe(0)
  })

  it('a query for changes finds the rows of the runs in which write and touch were called', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, MANY, [C])
    handles.forEach((entity, i) => world.set(entity, C, { value: i }))
    const query = world.query(changed(C))
    look(query)
    const middle = new Set(handles.subarray(1500, 1600))
    for (const chunk of world.query(C).where(C, 'value', '>=', 1500).where(C, 'value', '<', 1600)) {
      chunk.write(C as never)
    }
    expectFound(query, middle)
    for (const chunk of world.query(C).slice(1500, 1_600)) chunk.markChanged(C as never)
    expectFound(query, middle)
    for (const chunk of world.query(C)) chunk.write(C as never)
    expect(look(query)).toEqual(new Set(handles))
  })

  it('a query for changes distinguishes rows where they are tracked, and chunks where they are not', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, MANY, [C])
    const query = world.query(changed(C))
    look(query)
    const edges = [0, 1, 62, 63, 64, 65, 127, 128, MANY - 2, MANY - 1].map((i) => handles[i])
    for (const entity of edges) world.set(entity, C, { value: 1 })
    // Some of each chunk: where rows are not told apart, all are found.
    expectFound(query, edges, MANY + 1)
    const chunks = Array.from(world.query(C), (chunk) => [...chunk.entities.subarray(chunk.start, chunk.end)])
    world.set(handles[2000], C, { value: 2 })
    const home = chunks.find((entities) => entities.includes(handles[2000]))
    expect(look(query)).toEqual(new Set(rows ? [handles[2000]] : home))
  })

  it('a move keeps the tick of the last change; only components new to the entity count as added', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, MANY, [C, Position])
    const [query, new_] = [world.query(changed(C)), world.query(added(C))]
    look(query)
    look(new_)
    for (let i = 0; i < MANY; i += 3) world.add(handles[i], Other)
    addMany(world.query(Other), Marked)
    removeMany(world.query(Other), Other)
    addMany(world.query(Position), D)
    expect(look(query).size).toBe(0)
    expect(look(new_).size).toBe(0)
    // A change is carried along, too.
    const one = handles[5]
    world.set(one, C, { value: 1 })
    world.add(one, Other, Marked)
    expectFound(query, [one])
    expect(look(new_).size).toBe(0)
    world.remove(one, C)
    world.add(one, C)
    expectFound(query, [one])
    expectFound(new_, [one])
  })

  it('keeps the ticks of rows that are swapped into holes', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, MANY, [C])
    const query = world.query(changed(C))
    look(query)
    const last = handles[MANY - 1]
    world.set(last, C, { value: 1 })
    world.destroy(handles[0])
    expectFound(query, [last])
    for (let i = 1; i < 500; i++) world.destroy(handles[i])
    expect(look(query).size).toBe(0)
  })

  it('a query for changes does not find a chunk that its writer skipped', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, MANY, [C])
    handles.forEach((entity, i) => world.set(entity, C, { value: i }))
    const query = world.query(changed(C))
    look(query)
    const written = new Set<number>()
    let number = 0
    for (const chunk of world.query(C)) {
      if (number++ % 2 === 0) continue
      chunk.write(C as never)
      for (let row = chunk.start; row < chunk.end; row++) written.add(chunk.entities[row] as number)
    }
    expect(written.size).toBeGreaterThan(0)
    expect(look(query)).toEqual(written)
  })

  it('finds a change in a table, a pool, or beside a table component, with other terms and conditions', () => {
    const world = watchedWorld()
    const plain = spawnMany(world, MANY, [C])
    const placed = spawnMany(world, MANY, [C, Position])
    const marked = spawnMany(world, MANY, [C, Position, Marked])
    const [one, two, three] = [plain, placed, marked].map((list) => list[1500]) as [Entity, Entity, Entity]
    const queries = new Map<Query, readonly Entity[]>([
      [world.query(changed(C)) as Query, [one, two, three]],
      [world.query(Position, changed(C)) as Query, [two, three]],
      [world.query(changed(C), not(Marked)) as Query, [one, two]],
      [world.query(changed(C), Marked) as Query, [three]],
      [world.query(Position, changed(C), any(Marked, Other), optional(D)) as Query, [three]],
      [
        world.query(C, changed(C)).where(C as never, 'value' as never, '==', 9 as never) as unknown as Query,
        [one, two, three],
      ],
    ])
    for (const query of queries.keys()) look(query)
    for (const entity of [one, two, three]) world.set(entity, C, { value: 9 })
    for (const [query, expected] of queries) expectFound(query, expected, 3 * MANY)
  })

  it('requires both when two components must have changed', () => {
    const world = watchedWorld()
    spawnMany(world, MANY, [C, D])
    const both = world.query(changed(C), changed(D))
    const order = [...world.query(C, D).entities()]
    look(both)
    const [a, b, c] = [order[10], order[1500], order[2900]] as [Entity, Entity, Entity]
    world.set(a, C, { value: 1 })
    world.set(b, D, { n: 1 })
    expect(look(both).size).toBe(0)
    world.set(c, C, { value: 1 })
    world.set(c, D, { n: 1 })
    expectFound(both, [c])
  })

  it('each query has a memory of its own, and so does each call of world.query', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, MANY, [C])
    const [first, second] = [world.query(changed(C)), world.query(changed(C))]
    expect(first).not.toBe(second)
    look(first)
    world.set(handles[0], C, { value: 1 })
    expectFound(first, [handles[0] as number])
    expect(look(second)).toEqual(new Set(handles))
    world.set(handles[2000], C, { value: 1 })
    expectFound(second, [handles[2000] as number])
    expectFound(first, [handles[2000] as number])
  })

  it('an early exit, count, first, isEmpty and pages do not count as a look; each, entities and bulk changes do', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, MANY, [C])
    const query = world.query(changed(C))
    const write = () => world.set(handles[7], C, { value: 1 })
    const found = () => query.count > 0
    for (const chunk of query) if (chunk.end > 0) break
    expect(query.count).toBe(MANY)
    expect(() => query.each(() => expect.unreachable('enough'))).toThrow('enough')
    expect([query.first() !== undefined, query.isEmpty, query.at(1) !== undefined]).toEqual([
      true,
      false,
      true,
    ])
    look(query.slice(0, MANY))
    addMany(query.slice(0, MANY), Marked)
    expect([query.partition(0, 1).count, query.count]).toEqual([MANY, MANY])
    const consumers: (() => void)[] = [
      () => void look(query),
      () => query.each(() => {}),
      () => void query.entities(),
      () => void addMany(query, Marked),
      () => void addMany(query, Other({ n: 1 })),
      () => void removeMany(query, Marked),
      () => void look(query.where(C as never, 'value' as never, '>=', 0 as never)),
      () => void destroyMany(query.where(C as never, 'value' as never, '>', 7 as never)),
    ]
    for (const [i, consume] of consumers.entries()) {
      expect(found()).toBe(true)
      consume()
      if (found()) expect.unreachable(`consumer ${i} has seen nothing`)
      write()
    }
  })

  it('a loop does not find its own writes again, nor anything written before it ended', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, MANY, [C])
    const query = world.query(C, changed(C))
    query.each((_, c) => (c.value += 1))
    expect(look(query).size).toBe(0)
    world.set(handles[0], C, { value: 1 })
    query.each((_, c) => (c.value += 1))
    expect(look(query).size).toBe(0)
    // Another reader finds both.
    const other = world.query(changed(C))
    look(other)
    world.set(handles[0], C, { value: 1 })
    query.each((_, c) => (c.value += 1))
    expectFound(other, [handles[0] as number])
  })

  it('finds what was queued in its own loop, since it is applied after it', () => {
    const world = watchedWorld()
    spawnMany(world, MANY, [C])
    const query = world.query(added(C))
    let made = 0
    for (const chunk of query) if (made === 0 && chunk.end > 0) made = world.spawn(C)
    expectFound(query, [made])
  })

  it('marks a write with the current tick, through a cursor taken before a loop over changes advanced it', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, MANY, [C])
    const [query, inner] = [world.query(changed(C)), world.query(changed(C))]
    look(query)
    const cursor = createAccessor(world, C).of(handles[9])
    look(query)
    look(inner)
    cursor.value = 1
    expectFound(query, [handles[9] as number])
    // A write through a cursor that was seated before a loop inside of the loop ended.
    look(inner)
    for (const chunk of world.query(C).slice(20, 21)) {
      const at = chunk.cursor(C).at(chunk.start)
      look(inner)
      at.value = 2
    }
    expectFound(inner, [[...world.query(C).entities()][20] as number])
  })

  it('a removed or destroyed entity is no longer found, and nothing else is found in its place', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, MANY, [C])
    const query = world.query(changed(C))
    look(query)
    const [a, b, c] = [handles[0], handles[1500], handles[MANY - 1]] as [Entity, Entity, Entity]
    for (const entity of [a, b, c]) world.set(entity, C, { value: 1 })
    world.destroy(a)
    world.remove(b, C)
    if (rows) expectFound(query, [c])
    else expect(look(query).has(a) || look(query).has(b)).toBe(false)
  })

  it('gives the same results for a query made inside a loop', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, MANY, [C, Position])
    const outside = world.query(Position, changed(C))
    let inside: Query | undefined
    world.batch(() => {
      inside = world.query(Position, changed(C)) as unknown as Query
      expect(look(inside)).toEqual(new Set(handles))
      expect(look(inside).size).toBe(0)
      world.set(handles[100], C, { value: 1 })
      expectFound(inside, [handles[100] as number])
    })
    look(outside)
    world.set(handles[100], C, { value: 2 })
    expectFound(inside as Query, [handles[100] as number])
    expectFound(outside as unknown as Query, [handles[100] as number])
  })

  it('starts over after a reset', () => {
    const world = watchedWorld()
    spawnMany(world, MANY, [C])
    const query = world.query(changed(C))
    look(query)
    resetWorld(world)
    const handles = spawnMany(world, 10, [C])
    expect(look(query)).toEqual(new Set(handles))
    expect(look(query).size).toBe(0)
  })

  it.each([2 ** 31 - 3, 2 ** 31 - 1, 2 ** 32 - 3, 2 ** 32 - 1, 2 ** 30 - 2, 3 * 2 ** 30 - 2])(
    'goes on when the tick advances from %i',
    (tick) => {
      const world = watchedWorld()
      beginAt(world, tick)
      const handles = spawnMany(world, MANY, [C])
      spawnMany(world, MANY, [Marked])
      const [query, new_] = [world.query(changed(C)), world.query(added(C))]
      for (let i = 0; i < 8; i++) {
        if (i === 0) expect([look(query).size, look(new_).size]).toEqual([MANY, MANY])
        else {
          world.set(handles[i], C, { value: i })
          expectFound(query, [handles[i] as number])
          expect(look(new_).size).toBe(0)
        }
        world.advanceTick()
      }
      const fresh = world.spawn(C)
      expectFound(new_, [fresh])
      expect(world.tick).toBeLessThan(2 ** 32)
    },
  )

  it('keeps components that never change old for ever, however often the tick wraps', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, MANY, [C])
    const query = world.query(changed(C))
    for (let quarter = 1; quarter <= 9; quarter++) {
      look(query)
      // As if so many frames had gone by.
      pokeWord(world, WORLD_TICK, (quarter * 2 ** 30 - 1) >>> 0)
      expect(look(query).size).toBe(0)
      world.advanceTick()
      expect(look(query).size).toBe(0)
      const one = handles[quarter]
      world.set(one, C, { value: quarter })
      expectFound(query, [one])
    }
  })

  it('misses nothing after a gap longer than ticks can measure', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, MANY, [C])
    const query = world.query(changed(C))
    for (let quarters = 1; quarters <= 9; quarters++) {
      look(query)
      const start = world.tick
      for (let i = 1; i <= quarters; i++) {
        pokeWord(world, WORLD_TICK, ((Math.floor(start / 2 ** 30) + i) * 2 ** 30 - 1) >>> 0)
        world.advanceTick()
      }
      world.set(handles[quarters], C, { value: quarters })
      expect(look(query).has(handles[quarters] as number)).toBe(true)
      expect(look(query).size).toBe(0)
    }
  })
})

describe('changes', () => {
  const Tracked = component('Tracked', { value: u32, list: vec(f32, 2) }, { trackChanges: 'row' })

  it('cannot be queried for tags and for components without fields, unless they are tracked', () => {
    for (const kind of [Marked, component('Empty', {})]) {
      for (const term of [changed, added]) {
        const refusal = expect.objectContaining({ code: 'INVALID_QUERY' }) as Error
        expect(() => term(kind)).toThrow(refusal)
        expect(() => term(kind)).toThrow(/only if it is declared with \{ trackChanges: 'row' \}/)
      }
    }
    for (const wrong of [undefined, 'Position', {}, Position({ x: 1 })]) {
      expect(() => changed(wrong as never)).toThrow(/takes a component or a tag/)
      expect(() => added(wrong as never)).toThrow(/takes a component or a tag/)
    }
    expect(() => component('X', { x: f32 }, { trackChanges: 'rows' as never })).toThrow(
      /trackChanges must be 'row', 'chunk' or left out/,
    )
  })

  it('can be queried for a component without fields whose rows take memory', () => {
    const world = watchedWorld()
    const Sparse = component('Sparse', { n: u32 }, { storage: sparse })
    for (const options of [{ trackChanges: 'row' }, { toggle }, { storage: sparse }] as const) {
      const Empty = component(`Empty ${JSON.stringify(options)}`, {}, options)
      spawnMany(world, 100, [Empty, Sparse])
      const query = world.query(added(Empty), Sparse)
      expect(look(query).size).toBe(100)
      const one = world.spawn(Empty, Sparse)
      expect(look(query).has(one)).toBe(true)
      expect(look(query).size).toBe(0)
      destroyMany(world.query(Empty))
    }
  })

  it('require their component, which no other term may name', () => {
    const world = watchedWorld()
    expect(() => world.query(changed(Position), changed(Position))).toThrow(/names Position twice/)
    expect(() => world.query(not(Position), changed(Position))).toThrow(/names Position twice/)
    expect(() => world.query(changed(Position), optional(Position))).toThrow(/names Position twice/)
    expect(() => world.query(Position, changed(Position), Position)).toThrow(/names Position twice/)
    expect(() => world.query(any(Position, Other), added(Position))).toThrow(/names Position twice/)
    const handle = world.spawn(Position({ x: 4 }), Other)
    const given: unknown[][] = []
    const note = (...args: unknown[]) =>
      given.push(args.slice(1).map((cursor) => Object.keys(Object.getPrototypeOf(cursor) as object)))
    world.query(changed(Position)).each(note)
    world.query(Position, changed(Position)).each(note)
    world.query(changed(Position), added(Position), Other).each(note)
    world.query(changed(Position), Other, Position).each(note)
    const [p, o] = [['x', 'y'], ['n']]
    expect(given).toEqual([[p], [p], [p, o], [o, p]])
    expect(world.isAlive(handle)).toBe(true)
  })

  it('are not made by setIfDifferent with an equal value, rounded as the field rounds', () => {
    const world = watchedWorld()
    const entity = world.spawn(Position({ x: 0.1 }), Tracked({ list: [0.1, NaN] }))
    const [p, t] = [world.query(changed(Position)), world.query(changed(Tracked))]
    look(p)
    look(t)
    expect(world.setIfDifferent(entity, Position, { x: 0.1 })).toBe(false)
    expect(world.setIfDifferent(entity, Position, {})).toBe(false)
    expect(world.setIfDifferent(entity, Tracked, { value: 0, list: [0.1, NaN] })).toBe(false)
    world.batch(() => expect(world.setIfDifferent(entity, Position, { x: 0.1 })).toBe(false))
    for (const chunk of world.query(Position)) {
      expect(world.setIfDifferent(chunk.entities[chunk.start], Position, { x: 0.1 })).toBe(false)
    }
    expect([look(p).size, look(t).size]).toEqual([0, 0])
    expect(world.setIfDifferent(entity, Position, { x: 0.1, y: 2 })).toBe(true)
    expect(world.setIfDifferent(entity, Tracked, { list: [0.1, 2] })).toBe(true)
    expect([look(p).size, look(t).size]).toEqual([1, 1])
    expect(world.get(entity, Position)).toEqual({ x: Math.fround(0.1), y: 2 })
    const bare = world.spawn()
    expect(world.setIfDifferent(bare, Position, { x: 0 })).toBe(true)
    expect(world.has(bare, Position)).toBe(true)
    world.destroy(bare)
    expect(() => world.setIfDifferent(bare, Position, { x: 0 })).toThrow('is not alive')
    expect(() => world.setIfDifferent(entity, Position, { z: 0 } as never)).toThrow(/z/)
  })

  it('that are queued come after earlier ones for the same entity', () => {
    const world = watchedWorld()
    const entity = world.spawn(Position({ x: 1 }))
    world.batch(() => {
      world.remove(entity, Position)
      expect(world.setIfDifferent(entity, Position, { x: 1 })).toBe(true)
    })
    expect(world.get(entity, Position)).toEqual({ x: 1, y: 0 })
  })

  it('are made by reading a vec through a cursor, which may be written to', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, 100, [Tracked])
    const query = world.query(changed(Tracked))
    look(query)
    createAccessor(world, Tracked).of(handles[3]).list[1] = 5
    expect(look(query)).toEqual(new Set([handles[3]]))
  })

  it('are not made by a switch', () => {
    const world = watchedWorld()
    const Switched = component('Switched', { n: u32 }, { toggle, trackChanges: 'row' })
    const handles = spawnMany(world, 100, [Switched])
    const query = world.query(changed(Switched))
    look(query)
    world.disable(handles[0], Switched)
    world.enable(handles[0], Switched)
    expect(look(query).size).toBe(0)
    world.set(handles[0], Switched, { n: 1 })
    world.disable(handles[0], Switched)
    expect(query.count).toBe(0)
    world.enable(handles[0], Switched)
    expect(look(query)).toEqual(new Set([handles[0]]))
  })

  it('advance the tick at the end of a complete look', () => {
    const world = watchedWorld()
    const entity = world.spawn(Position)
    const query = world.query(changed(Position))
    const tick = world.tick
    expect([query.count, world.tick]).toEqual([1, tick])
    look(query)
    expect(world.tick).toBe(tick + 1)
    look(world.query(Position))
    expect(world.tick).toBe(tick + 1)
    world.set(entity, Position, { x: 1 })
    expect(changeTickOf(world, entity, Position)).toBe(tick + 1)
  })

  it('are not found in entities that a bulk change has only placed next to changed ones', () => {
    const world = watchedWorld()
    const Pooled = component('Pooled', { n: u32 }, { storage: sparse })
    const query = world.query(changed(Position))
    const old = spawnMany(world, 10, [Position, Marked])
    look(query)
    const fresh = spawnMany(world, 3, [Position])
    // The rows of the fresh ones move into the chunk of the old ones, and bring their ticks.
    expect(addMany(query, Marked, Pooled)).toBe(3)
    expect(new Set(world.query(Pooled).entities())).toEqual(new Set(fresh))
    look(query)
    const bare = spawnMany(world, 2, [Position, Marked, Pooled])
    removeMany(world.query(Position), Marked)
    look(query)
    addMany(world.query(Position).where(Position, 'x', '==', 0), Pooled)
    look(query)
    const late = spawnMany(world, 4, [Position, Marked, Pooled])
    expect(removeMany(query, Marked, Pooled)).toBe(4)
    expect(world.query(Pooled).count).toBe(old.length + fresh.length + bare.length)
    expect([...late].filter((entity) => world.has(entity, Pooled))).toEqual([])
  })
})

describe('the version of a query', () => {
  const Pooled = component('Pooled', { n: u32 }, { storage: sparse })
  const Stable = component('Stable', { n: u32 }, { storage: stable })
  const Switched = component('Switched', { n: u32 }, { toggle })
  const SwitchedPool = component('SwitchedPool', { n: u32 }, { toggle, storage: sparse })

  it('changes whenever rows appear, disappear or swap places, and not when values are written', () => {
    const world = watchedWorld()
    spawnMany(world, 300, [Position, Pooled, Stable])
    for (const query of [
      world.query(Position),
      world.query(Pooled),
      world.query(Stable),
      world.query(),
    ] as unknown as Query[]) {
      const [a, b, c] = [1, 2, 3].map(() => world.spawn(Position, Pooled, Stable)) as [Entity, Entity, Entity]
      const steps: (() => unknown)[] = [
        () => world.spawn(Position, Pooled, Stable),
        () => spawnMany(world, 500, [Position, Pooled, Stable]),
        () => cloneEntity(world, a),
        () => cloneMany(world, a, 300),
        () => world.batch(() => cloneEntity(world, a)),
        () => world.add(a, Other),
        () => world.remove(b, Position, Pooled, Stable),
        () => world.add(b, Position, Pooled, Stable),
        () => world.destroy(query.at(15) as Entity),
        () => addMany(world.query(Position), Marked),
        () => removeMany(world.query(Position), Marked, Other),
        () => destroyMany(world.query(Position, Pooled, Stable).slice(100, 103)),
      ]
      for (const [i, step] of steps.entries()) {
        const before = query.version
        step()
        if (query.version === before) expect.unreachable(`step ${i} did not move the version on`)
      }
      const before = query.version
      world.set(c, Position, { x: 1 })
      world.set(c, Pooled, { n: 1 })
      world.advanceTick()
      query.each(() => {})
      for (const chunk of world.query(Position)) chunk.write(Position)
      expect(query.version).toBe(before)
    }
    const before = world.query(Position).version
    clearWorld(world)
    expect(world.query(Position).version).not.toBe(before)
  })

  it('stays the same when only what the query cannot match changes', () => {
    const world = watchedWorld()
    spawnMany(world, 3, [Position])
    const query = world.query(Position)
    const before = query.version
    spawnMany(world, 5, [Other])
    addMany(world.query(Other), Pooled)
    expect(query.version).toBe(before)
  })

  it('changes for sparse components that are excluded or alternatives', () => {
    const world = watchedWorld()
    const entity = world.spawn(Position)
    for (const query of [
      world.query(Position, not(Pooled)),
      world.query(Position, any(Pooled, Marked)),
      world.query(any(Pooled, Stable)),
    ] as unknown as Query[]) {
      const before = query.version
      world.add(entity, Pooled)
      expect(query.version).not.toBe(before)
      const there = query.version
      world.remove(entity, Pooled)
      expect(query.version).not.toBe(there)
    }
  })

  it('changes when a component is switched, one by one or by query, and not when nothing is switched', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, 100, [Position, Switched, SwitchedPool])
    for (const C of [Switched, SwitchedPool]) {
      for (const query of [
        world.query(C),
        world.query(Position, C),
        world.query(Position, not(C)),
      ] as unknown as Query[]) {
        const steps: (() => unknown)[] = [
          () => world.disable(handles[0], C),
          () => world.enable(handles[0], C),
          () => disableMany(world.query(Position), C),
          () => enableMany(world.query(C), C),
          () => disableMany(world.query(Position, Switched).slice(0, 1), C),
          () => enableMany(world.query(Position), C),
        ]
        for (const [i, step] of steps.entries()) {
          const before = query.version
          step()
          if (query.version === before) expect.unreachable(`step ${i} did not move the version on`)
        }
        const before = query.version
        expect(world.enable(handles[0], C)).toBe(false)
        expect(query.version).toBe(before)
      }
    }
  })
})
