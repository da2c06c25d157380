// Shows what any(), all(), not() and present() mean inside each other, to any depth and over every kind of component: in loops,
// kernels, bulk changes and listeners, and after going back in time. The test evaluates each term itself, entity by entity.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addMany,
  all,
  any,
  component,
  createKernel,
  destroyMany,
  disableMany,
  forkWorld,
  not,
  object,
  onEnter,
  onExit,
  optional,
  present,
  onChange,
  sparse,
  stable,
  sumOf,
  tag,
  toggle,
  u32,
  type Alternative,
  type ComponentLike,
  type Entity,
  type Ingredient,
  type Query,
  type Term,
  type World,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { kernelsOf } from '../support/kernels'
import { proofLength } from '../support/proofs'
import { watchedWorld } from '../support/watched'
import { testWorld } from '../support/world'

const Table = component('Table', { n: u32 })
const Other = component('Other', { n: u32 })
const Sparse = component('Sparse', { n: u32 }, { storage: sparse })
const Stable = component('Stable', { n: u32 }, { storage: stable })
const Switch = component('Switch', { n: u32 }, { toggle })
const Loose = component('Loose', { n: u32 }, { toggle, storage: sparse })
const Mark = tag('Mark')
const Flag = tag('Flag', { toggle })
const Listed = tag('Listed', { order: 'insertion' })
const Sprite = object<string>('Sprite', { revive: () => 'held' })
const Prefab = tag('Prefab', { excludeFromQueries: true })
const KINDS: readonly ComponentLike[] = [
  Table,
  Other,
  Sparse,
  Stable,
  Switch,
  Loose,
  Mark,
  Flag,
  Listed,
  Sprite,
  Prefab,
]
const SWITCHED: readonly ComponentLike[] = [Switch, Loose, Flag]
const Counted = component('Counted', { n: u32 })
const Touched = tag('Touched')

const kernels = await kernelsOf(`
export function bump(rows: Rows, n: Column<u32>): Count {
  for (let i = rows.start; i < rows.end; i++) n[i] += 1
  return rows.end - rows.start
}`)

// ── terms, as data ───────────────────────────────────────────────────────────────────────────────────────

interface Node {
  readonly operator: 'any' | 'all' | 'not' | 'present' | 'is'
  readonly kinds: readonly ComponentLike[]
  readonly parts: readonly Node[]
}

const kind = fc.constantFrom(...KINDS)
const leaf: fc.Arbitrary<Node> = fc.oneof(
  { weight: 4, arbitrary: kind.map((one): Node => ({ operator: 'is', kinds: [one], parts: [] })) },
  {
    weight: 1,
    arbitrary: fc
      .uniqueArray(kind, { minLength: 1, maxLength: 2 })
      .map((kinds): Node => ({ operator: 'present', kinds, parts: [] })),
  },
)
const { node } = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'terms' },
    leaf,
    fc
      .tuple(
        fc.constantFrom('any' as const, 'all' as const, 'not' as const),
        fc.array(tie('node'), { minLength: 1, maxLength: 3, depthIdentifier: 'terms' }),
      )
      .map(([operator, parts]): Node => ({ operator, kinds: [], parts })),
  ),
}))

function write({ operator, kinds, parts }: Node): Alternative {
  if (operator === 'is') return kinds[0] as ComponentLike
  if (operator === 'present') return present(...(kinds as [ComponentLike])) as never
  const written = parts.map(write) as never[]
  if (operator === 'any') return any(...(written as [never])) as never
  if (operator === 'all') return all(...(written as [never])) as never
  // A not in a not is refused: of an any with one alternative it is not.
  const inner = parts.map((part, i) => (part.operator === 'not' ? any(written[i] as never) : written[i]))
  return not(...(inner as [never])) as never
}

interface Held {
  /** What the entity has, and whether it is switched on. */
  readonly has: Map<ComponentLike, boolean>
}

function holds({ operator, kinds, parts }: Node, { has }: Held): boolean {
  if (operator === 'is') return has.get(kinds[0] as ComponentLike) === true
  if (operator === 'present') return kinds.every((one) => has.has(one))
  const results = parts.map((part) => holds(part, { has }))
  if (operator === 'any') return results.includes(true)
  if (operator === 'all') return !results.includes(false)
  return !results.includes(true)
}

function namesIn({ kinds, parts }: Node): ComponentLike[] {
  return [...kinds, ...parts.flatMap(namesIn)]
}

/** Components whose values are given, in the order of the cursors. */
function givenBy({ operator, kinds, parts }: Node): ComponentLike[] {
  if (operator === 'not') return []
  return [...new Set([...kinds, ...parts.flatMap(givenBy)])].filter(hasValues)
}
const hasValues = (one: ComponentLike) => one.kind === 'object' || one.kind === 'component'

const matches = (term: Node, held: Held) =>
  holds(term, held) && (!held.has.has(Prefab) || namesIn(term).includes(Prefab))

/** The query of any() of one term, as a user would write it; undefined where it comes to too many conditions. */
function queryOf(world: World, term: Node, ...more: Term[]): Query | undefined {
  try {
    return world.query(...more, any(write(term))) as unknown as Query
  } catch (error) {
    expect((error as Error).message).toContain('comes to more than 256 conditions')
    return undefined
  }
}

const given = (one: ComponentLike): Ingredient => (one.kind === 'object' ? (one('held') as never) : one)

class Population {
  readonly held = new Map<Entity, Held>()
  constructor(readonly world: World) {}

  spawn(bits: number, off: number): Entity {
    const kinds = KINDS.filter((_, i) => (bits >> i) & 1)
    const entity = this.world.spawn(...kinds.map(given), Counted)
    this.held.set(entity, { has: new Map(kinds.map((one) => [one, true])) })
    SWITCHED.forEach((one, i) => (off >> i) & 1 && this.switch(entity, one))
    return entity
  }

  switch(entity: Entity, one: ComponentLike): void {
    const { has } = this.held.get(entity) as Held
    if (!has.has(one)) return
    if (has.get(one) === true) this.world.disable(entity, one)
    else this.world.enable(entity, one)
    has.set(one, has.get(one) !== true)
  }

  toggle(entity: Entity, one: ComponentLike): void {
    const { has } = this.held.get(entity) as Held
    if (has.delete(one)) this.world.remove(entity, one)
    else {
      this.world.add(entity, given(one))
      has.set(one, true)
    }
  }

  matching(term: Node): Entity[] {
    return [...this.held].filter(([, held]) => matches(term, held)).map(([entity]) => entity)
  }
}

const sorted = (handles: Iterable<number>) => [...handles].sort((a, b) => a - b)

function expectFinds(query: Query, wanted: readonly number[]): void {
  const walked: number[] = []
  for (const chunk of query) for (let i = chunk.start; i < chunk.end; i++) walked.push(chunk.entities[i])
  expect(sorted(walked)).toEqual(sorted(wanted))
  expect([...query.entities()]).toEqual(walked)
  expect([query.count, query.first()]).toEqual([wanted.length, walked[0]])
}

const population = fc.array(fc.tuple(fc.nat(2 ** KINDS.length - 1), fc.nat(7)), { maxLength: 40 })
const terms = fc.array(node, { minLength: 1, maxLength: 4 })

describe('nested terms', () => {
  it('find what they say, with the current values, in loops, lists, forks, open loops and kernels', () => {
    fc.assert(
      fc.property(population, terms, (entities, asked) => {
        const world = testWorld({ memory: { initial: 2 ** 20 } })
        const people = new Population(world)
        const early = asked.map((term) => queryOf(world, term))
        for (const [bits, off] of entities) people.spawn(bits, off)
        const step = createKernel(world, kernels['bump'] as never, { n: [Counted, 'n'] } as never)
        const twin = forkWorld(world)
        asked.forEach((term, i) => {
          const wanted = people.matching(term)
          const query = early[i]
          if (query === undefined) return
          expectFinds(query, wanted)
          expect(sorted(queryOf(twin, term)?.entities() ?? [])).toEqual(sorted(wanted))
          world.batch(() => expectFinds(queryOf(world, term, optional(Touched)) as Query, wanted))
          expectFinds(queryOf(world, term, Counted) as Query, wanted)
          expect(queryOf(world, term, Counted)?.run(step as never)).toBe(wanted.length)
          const values = givenBy(term)
          query.each((entity, ...cursors: unknown[]) => {
            const { has } = people.held.get(entity) as Held
            expect(cursors.map((cursor) => cursor !== undefined)).toEqual(values.map((one) => has.has(one)))
          })
        })
        for (const one of [world, twin]) {
          checkInvariants(one)
          one.dispose()
        }
      }),
      { numRuns: proofLength(400) },
    )
  })

  it('are followed by listeners while components are added, removed and switched', () => {
    fc.assert(
      fc.property(
        population,
        terms,
        fc.array(fc.tuple(fc.nat(50), kind, fc.boolean()), { maxLength: 30 }),
        (entities, asked, changes) => {
          const world = testWorld({ memory: { initial: 2 ** 20 } })
          const people = new Population(world)
          const followed = asked.flatMap((term) => {
            const query = queryOf(world, term)
            if (query === undefined) return []
            const inside = new Set<number>()
            let calls = 0
            onEnter(query, (entity) => expect(inside.size).toBeLessThan(inside.add(entity).size))
            onExit(query, (entity) => expect(inside.delete(entity)).toBe(true))
            onChange(query, () => void calls++)
            return [{ term, inside, calls: () => calls }]
          })
          const check = (change: () => void) => {
            const before = followed.map(({ inside, calls }) => [sorted(inside).join(), calls()] as const)
            change()
            followed.forEach(({ term, inside, calls }, i) => {
              const wanted = sorted(people.matching(term))
              expect(sorted(inside)).toEqual(wanted)
              const [was, called] = before[i] as readonly [string, number]
              if (was !== wanted.join()) expect(calls()).toBeGreaterThan(called)
            })
          }
          for (const [bits, off] of entities) check(() => people.spawn(bits, off))
          for (const [at, one, switches] of changes) {
            const entity = [...people.held.keys()][at % Math.max(people.held.size, 1)]
            if (entity === undefined) continue
            check(() =>
              switches && SWITCHED.includes(one) ? people.switch(entity, one) : people.toggle(entity, one),
            )
          }
          checkInvariants(world)
          world.dispose()
        },
      ),
      { numRuns: proofLength(200) },
    )
  })

  it('limit bulk changes', () => {
    fc.assert(
      fc.property(population, node, (entities, term) => {
        const world = testWorld({ memory: { initial: 2 ** 20 } })
        const people = new Population(world)
        for (const [bits, off] of entities) people.spawn(bits, off)
        const query = queryOf(world, term)
        if (query !== undefined) {
          const wanted = sorted(people.matching(term))
          expect(addMany(query, Touched)).toBe(wanted.length)
          expect(sorted(world.query(Touched, optional(Prefab)).entities())).toEqual(wanted)
          expect(disableMany(query, Switch)).toBeGreaterThanOrEqual(0)
          expect(destroyMany(world.query(Touched, optional(Prefab)))).toBe(wanted.length)
        }
        checkInvariants(world)
        world.dispose()
      }),
      { numRuns: proofLength(200) },
    )
  })
})

describe('any, all and not', () => {
  const A = component('A', { a: u32 })
  const B = component('B', { b: u32 })
  const C = component('C', { c: u32 })
  const D = tag('D')

  it('give values in the order in which components are written, and none from inside a not', () => {
    const world = watchedWorld()
    world.spawn(A({ a: 1 }), B({ b: 2 }))
    world.spawn(C({ c: 3 }))
    const found: unknown[] = []
    world.query(any(all(A, B), all(C, not(B)))).each((_, a, b, c, ...rest) => {
      found.push([a?.a, b?.b, c?.c, rest])
    })
    expect(found).toEqual([
      [1, 2, undefined, []],
      [undefined, undefined, 3, []],
    ])
    for (const chunk of world.query(any(A, not(any(C, D))))) {
      expect(chunk.read(A)?.a[0]).toBe(1)
      expect(() => (chunk.read as (one: unknown) => unknown)(C)).toThrow(
        expect.objectContaining({ code: 'NOT_A_COLUMN' }),
      )
    }
  })

  it('all equals its parts where it is a term by itself', () => {
    const world = watchedWorld()
    const both = world.spawn(A({ a: 5 }), B, D)
    world.spawn(A, D)
    const query = world.query(all(A, any(B, C), D))
    expect([...query.entities()]).toEqual([both])
    for (const chunk of query) expect(chunk.write(A).a[0]).toBe(5)
    expect(sumOf(query, A, 'a')).toBe(5)
  })

  it('exclude a combination', () => {
    const world = watchedWorld()
    world.spawn(A, B)
    const [a, b] = [world.spawn(A), world.spawn(B)]
    expect([...world.query(not(all(A, B))).entities()]).toEqual([a, b])
    expect([...world.query(any(A, B), not(all(A, B))).entities()]).toEqual([a, b])
  })

  it('share one query if they are written alike', () => {
    const world = watchedWorld()
    const ask = () => world.query(any(all(A, B), not(C)))
    expect(ask()).toBe(ask())
  })

  it.each([
    ['any', (term: Alternative) => any(term, Other), 1],
    ['all', (term: Alternative) => all(term, Other), 1],
    ['any', (term: Alternative) => any(not(term as typeof Table), Other), 1],
    ['all', (term: Alternative) => all(Other, not(term as typeof Table)), 0],
  ])('%s are refused when nested more than 100 deep: %#', (name, wrap, count) => {
    const nested = (levels: number): Alternative => {
      let term: Alternative = Table
      for (let i = 0; i < levels; i++) term = wrap(term)
      return term
    }
    const world = testWorld()
    world.spawn(Table, Other)
    expect(world.query(any(nested(99), Mark)).count).toBe(count)
    for (const levels of [101, 1000, 100_000])
      expect(() => nested(levels)).toThrow(
        expect.objectContaining({
          code: 'INVALID_QUERY',
          message: expect.stringMatching(
            new RegExp(`^${name}: more than 100 any\\(\\) and all\\(\\) stand inside`),
          ),
        }),
      )
    checkInvariants(world)
  })

  it('are refused when they expand to more conditions than a query may have', () => {
    const tags = Array.from({ length: 24 }, (_, i) => tag(`T${i}`))
    const pairs = Array.from({ length: 12 }, (_, i) =>
      all(tags[2 * i] as typeof D, tags[2 * i + 1] as typeof D),
    )
    const world = watchedWorld()
    const ask = () => world.query(any(...(pairs as [never])))
    expect(ask).toThrow(
      expect.objectContaining({
        code: 'INVALID_QUERY',
        message: expect.stringContaining('comes to more than 256 conditions') as unknown,
      }),
    )
    expect(world.query(any(...(pairs.slice(0, 5) as [never]))).count).toBe(0)
    expect(world.query(not(any(...(pairs as [never])))).count).toBe(0)
  })

  it.each([
    ['a term of its own in all', () => all(optional(A) as never), 'write optional(A) as a term of its own'],
    ['nothing in all', () => (all as () => unknown)(), 'all: name at least one component'],
    [
      'a component that another term requires',
      (world: World) => world.query(A, any(all(A, B), C)),
      'A twice',
    ],
    ['the same twice in a plain any', (world: World) => world.query(any(A, A)), 'query names A twice'],
  ])('refuse %s', (_, ask, sentence) => {
    const world = watchedWorld()
    expect(() => ask(world)).toThrow(
      expect.objectContaining({
        code: 'INVALID_QUERY',
        message: expect.stringContaining(sentence) as unknown,
      }),
    )
  })
})
