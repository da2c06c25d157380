// Shows what terms of several components mean, and groups of alternatives that share components or name an absence, over every
// kind of component and in every way to look at a query. Expectations come from a list of what was spawned.

import { describe, expect, it } from 'vitest'
import {
  added,
  addMany,
  any,
  changed,
  component,
  destroyMany,
  disableMany,
  not,
  object,
  onEnter,
  onExit,
  optional,
  removeMany,
  sortedEntities,
  sparse,
  stable,
  tag,
  toggle,
  u32,
  type ComponentLike,
  type Entity,
  type Ingredient,
  type Query,
  type Term,
  type World,
} from '../../bindings/index'
import { seededRandom, STORED, TABLE_AND_POOL } from '../support/storages'
import { watchedWorld } from '../support/watched'

const Counter = component('Counter', { n: u32 })
const Marked = tag('Marked')

const MAKERS = {
  table: (name) => component(name, { n: u32 }),
  sparse: (name) => component(name, { n: u32 }, { storage: sparse }),
  stable: (name) => component(name, { n: u32 }, { storage: stable }),
  tag: (name) => tag(name),
  'ordered tag': (name) => tag(name, { order: 'insertion' }),
  'table with a switch': (name) => component(name, { n: u32 }, { toggle }),
  'sparse with a switch': (name) => component(name, { n: u32 }, { storage: sparse, toggle }),
  'tag with a switch': (name) => tag(name, { toggle }),
  object: (name) => object<string>(name),
} satisfies Record<string, (name: string) => ComponentLike>

type Kind = keyof typeof MAKERS
type Trio = readonly [Kind, Kind, Kind]
const KINDS = Object.keys(MAKERS) as Kind[]
/** Three components of each kind, and mixtures of kinds. */
const TRIOS: Trio[] = [
  ...KINDS.map((kind): Trio => [kind, kind, kind]),
  ['table', 'sparse', 'tag'],
  ['stable', 'table with a switch', 'object'],
  ['sparse with a switch', 'ordered tag', 'tag with a switch'],
]

type Components = readonly [ComponentLike, ComponentLike, ComponentLike]
/** Whether an entity has a component, switched on. */
type Has = (component: ComponentLike) => boolean

interface Case {
  readonly name: string
  readonly terms: (...components: Components) => Term[]
  readonly holds: (a: boolean, b: boolean, c: boolean) => boolean
}

const CASES: Case[] = [
  { name: 'not(A, B)', terms: (A, B) => [not(A, B)], holds: (a, b) => !a && !b },
  { name: 'not(A, B), C', terms: (A, B, C) => [not(A, B), C], holds: (a, b, c) => !a && !b && c },
  { name: 'not(any(A, B))', terms: (A, B) => [not(any(A, B))], holds: (a, b) => !a && !b },
  { name: 'not(any(A, B), C)', terms: (A, B, C) => [not(any(A, B), C)], holds: (a, b, c) => !(a || b || c) },
  { name: 'optional(A, B)', terms: (A, B) => [optional(A, B)], holds: () => true },
  {
    name: 'any(A, B), any(B, C)',
    terms: (A, B, C) => [any(A, B), any(B, C)],
    holds: (a, b, c) => b || (a && c),
  },
  {
    name: 'any(A, B), any(A, C), any(B, C)',
    terms: (A, B, C) => [any(A, B), any(A, C), any(B, C)],
    holds: (a, b, c) => Number(a) + Number(b) + Number(c) >= 2,
  },
  {
    name: 'any(A, B), any(not(A), not(B))',
    terms: (A, B) => [any(A, B), any(not(A), not(B))],
    holds: (a, b) => a !== b,
  },
  { name: 'any(not(A), B)', terms: (A, B) => [any(not(A), B)], holds: (a, b) => !a || b },
  {
    name: 'C, any(not(A), not(B))',
    terms: (A, B, C) => [C, any(not(A), not(B))],
    holds: (a, b, c) => c && !(a && b),
  },
]

/** A world with entities of all eight mixtures, and what is known of them. */
class Population {
  readonly components: Components
  readonly switched = new Map<Entity, Set<ComponentLike>>()
  readonly having = new Map<Entity, Set<ComponentLike>>()

  constructor(
    readonly world: World,
    trio: Trio,
  ) {
    const [first, second, third] = trio
    this.components = [MAKERS[first]('A'), MAKERS[second]('B'), MAKERS[third]('C')]
  }

  fill(copies: number): this {
    for (let i = 0; i < 8 * copies; i++) {
      const parts = this.components.filter((_, k) => (i >> k) & 1)
      this.note(this.world.spawn(...parts.map(given), Counter({ n: i })), parts)
    }
    for (const [k, component] of this.components.entries()) {
      if (!canSwitch(component)) continue
      let i = 0
      for (const entity of this.having.keys()) if (i++ % (k + 2) === 0) this.disable(entity, component)
    }
    return this
  }

  note(entity: Entity, parts: readonly ComponentLike[]): void {
    this.having.set(entity, new Set(parts))
    this.switched.set(entity, new Set())
  }

  disable(entity: Entity, component: ComponentLike): void {
    if (this.world.disable(entity, component)) this.switched.get(entity)?.add(component)
  }

  has(entity: Entity): Has {
    return (component) =>
      this.having.get(entity)?.has(component) === true && !this.switched.get(entity)?.has(component)
  }

  /** Who matches a case, ascending. */
  matching({ holds }: Case): Entity[] {
    const [A, B, C] = this.components
    return [...this.having.keys()]
      .filter((entity) => {
        const has = this.has(entity)
        return holds(has(A), has(B), has(C))
      })
      .sort((a, b) => a - b)
  }
}

const SWITCHING: readonly Kind[] = ['table with a switch', 'sparse with a switch', 'tag with a switch']
const switching = new WeakSet<ComponentLike>()
for (const kind of SWITCHING) {
  const make = MAKERS[kind] as (name: string) => ComponentLike
  Object.assign(MAKERS, {
    [kind]: (name: string) => {
      const made = make(name)
      switching.add(made)
      return made
    },
  })
}
const canSwitch = (component: ComponentLike) => switching.has(component)

/** A component as spawn takes it: an object component needs a value. */
function given(component: ComponentLike): Ingredient {
  return component.kind === 'object' ? component('held') : component
}

function ordered(handles: Iterable<number>): number[] {
  return [...handles].sort((a, b) => a - b)
}

/** Every way to look at a query gives these entities, each once. */
function expectFinds(query: Query, wanted: readonly number[], name: string): void {
  const walked: number[] = []
  for (const chunk of query) for (let i = chunk.start; i < chunk.end; i++) walked.push(chunk.entities[i])
  const called: number[] = []
  query.each((entity) => void called.push(entity))
  expect(ordered(walked), `${name}, by chunks`).toEqual(wanted)
  expect(called, `${name}, by each`).toEqual(walked)
  expect([...query.entities()], `${name}, as a list`).toEqual(walked)
  expect([query.count, query.isEmpty, query.first()], name).toEqual([
    wanted.length,
    wanted.length === 0,
    walked[0],
  ])
}

describe.each(TRIOS)('with A %s, B %s and C %s', (...trio) => {
  it('every case finds exactly the entities for which it holds', () => {
    const population = new Population(watchedWorld(), trio).fill(24)
    const { world, components } = population
    for (const one of CASES) {
      expectFinds(world.query(...one.terms(...components)), population.matching(one), one.name)
      const counted = world.query(Counter, ...one.terms(...components)) as Query<[typeof Counter]>
      expectFinds(counted as unknown as Query, population.matching(one), `Counter, ${one.name}`)
      const wanted = population.matching(one).filter((e) => (world.get(e, Counter)?.n ?? 0) >= 50)
      expect(ordered(counted.where(Counter, 'n', '>=', 50).entities()), one.name).toEqual(wanted)
      expect(ordered(sortedEntities(counted, Counter, 'n')), one.name).toEqual(population.matching(one))
    }
  })

  it('a query first made inside a loop finds the same, even before its components are known', () => {
    const population = new Population(watchedWorld(), trio)
    const { world, components } = population
    const bare = world.spawn(Counter)
    population.note(bare, [])
    world.batch(() => {
      for (const one of CASES)
        expectFinds(world.query(...one.terms(...components)), population.matching(one), one.name)
    })
    population.fill(3)
    world.batch(() => {
      for (const one of CASES)
        expectFinds(world.query(Counter, ...one.terms(...components)), population.matching(one), one.name)
    })
    for (const one of CASES)
      expectFinds(world.query(...one.terms(...components)), population.matching(one), one.name)
  })

  it('bulk changes affect exactly the entities for which a case holds', () => {
    for (const one of CASES) {
      const population = new Population(watchedWorld({ memory: { initial: 2 ** 20 } }), trio).fill(12)
      const { world, components } = population
      const wanted = population.matching(one)
      const query = world.query(...one.terms(...components))
      expect(addMany(query, Marked), one.name).toBe(wanted.length)
      expect(ordered(world.query(Marked).entities()), one.name).toEqual(wanted)
      const counted = world.query(...one.terms(...components), Marked)
      expect(removeMany(counted, Counter), one.name).toBe(wanted.length)
      expect(world.query(Counter).count, one.name).toBe(population.having.size - wanted.length)
      expect(destroyMany(query), one.name).toBe(wanted.length)
      for (const entity of wanted) population.having.delete(entity)
      expect(ordered(world.query().entities()), one.name).toEqual(ordered(population.having.keys()))
    }
  })

  it('onEnter and onExit follow every case while components are added, removed and switched', () => {
    const population = new Population(watchedWorld(), trio).fill(2)
    const { world, components, having, switched } = population
    const members = CASES.map((one) => {
      const found = new Set<number>()
      const query = world.query(...one.terms(...components))
      onEnter(query, (entity) => {
        expect(found.has(entity), one.name).toBe(false)
        found.add(entity)
      })
      onExit(query, (entity) => expect(found.delete(entity), one.name).toBe(true))
      for (const entity of population.matching(one)) found.add(entity)
      return found
    })
    const random = seededRandom(12)
    for (let step = 0; step < 150; step++) {
      const all = [...having.keys()]
      const entity = all[Math.floor(random() * all.length)]
      const part = components[Math.floor(random() * 3)] as ComponentLike
      const choice = random()
      if (choice < 0.35) {
        world.add(entity, given(part))
        having.get(entity)?.add(part)
      } else if (choice < 0.6) {
        world.remove(entity, part)
        having.get(entity)?.delete(part)
        switched.get(entity)?.delete(part)
      } else if (choice < 0.8 && canSwitch(part)) {
        if (switched.get(entity)?.delete(part)) world.enable(entity, part)
        else population.disable(entity, part)
      } else if (choice < 0.9) {
        const parts = components.filter(() => random() < 0.5)
        population.note(world.spawn(...parts.map(given)), parts)
      } else if (all.length > 4) {
        world.destroy(entity)
        having.delete(entity)
        switched.delete(entity)
      }
      CASES.forEach((one, i) =>
        expect(ordered(members[i] as Set<number>), `${one.name}, step ${step}`).toEqual(
          population.matching(one),
        ),
      )
    }
  })
})

describe('a component with a switch', () => {
  it.each(SWITCHING)('as %s, is switched by a query in which it is an absent alternative', (kind) => {
    const population = new Population(watchedWorld(), [kind, 'tag', 'sparse']).fill(8)
    const { world, components } = population
    const [A, B] = components
    // The query's own term on the component asks only whether it is there.
    const wanted = [...population.having.keys()].filter((e) => world.has(e, A) && population.has(e)(B))
    expect(disableMany(world.query(any(not(A), B)), A)).toBe(wanted.length)
    for (const entity of population.having.keys())
      expect(world.isEnabled(entity, A)).toBe(population.has(entity)(A) && !population.has(entity)(B))
  })
})

describe.each(TABLE_AND_POOL)('changed and added of several components in %s storage', (storage) => {
  const options = { storage: STORED[storage], trackChanges: 'row' } as const
  const A = component('A', { n: u32 }, options)
  const B = component('B', { n: u32 }, options)

  it('find the entities in which each of them changed, or was added, since the last look', () => {
    const world = watchedWorld()
    const handles = Array.from({ length: 300 }, (_, i) => {
      const parts = [A, B].filter((_, k) => (i >> k) & 1)
      return world.spawn(...parts)
    })
    const moved = world.query(changed(A, B))
    const came = world.query(added(A, B))
    const both = handles.filter((_, i) => (i & 3) === 3)
    expect(ordered(moved.entities())).toEqual(ordered(both))
    expect(ordered(came.entities())).toEqual(ordered(both))
    expect([moved.entities().length, came.entities().length]).toEqual([0, 0])
    both.forEach((entity, i) => {
      if (i % 2 === 0) world.set(entity, A, { n: i })
      if (i % 3 === 0) world.set(entity, B, { n: i })
    })
    expect(ordered(moved.entities())).toEqual(ordered(both.filter((_, i) => i % 6 === 0)))
    expect(came.entities().length).toBe(0)
    const [bare, withA] = [handles[0], handles[1]]
    world.add(bare, A, B)
    world.add(withA, B)
    expect(ordered(came.entities())).toEqual([bare])
  })

  it('give one cursor for each of them, in their order', () => {
    const world = watchedWorld()
    world.spawn(A({ n: 1 }), B({ n: 2 }))
    const seen: unknown[] = []
    world.query(changed(B, A)).each((_, b, a, ...rest) => void seen.push(b.n, a.n, rest.length))
    world.query(A, changed(A, B)).each((_, a, b, ...rest) => void seen.push(a.n, b.n, rest.length))
    world.query(added(A), changed(A, B)).each((_, a, b, ...rest) => void seen.push(a.n, b.n, rest.length))
    expect(seen).toEqual([2, 1, 0, 1, 2, 0, 1, 2, 0])
  })
})

describe('each', () => {
  const A = component('A', { n: u32 })
  const B = component('B', { n: u32 })
  const C = component('C', { n: u32 })
  const rows = (world: World, ...terms: Term[]) => {
    const found: unknown[] = []
    const query = world.query(...terms) as unknown as {
      each(callback: (e: Entity, ...cursors: ({ n: number } | undefined)[]) => void): void
    }
    query.each((_, ...cursors) => void found.push(cursors.map((cursor) => cursor?.n)))
    return found
  }

  it('passes a component shared by several groups of alternatives once, where it is named first', () => {
    const world = watchedWorld()
    world.spawn(A({ n: 1 }), B({ n: 2 }), C({ n: 3 }))
    world.spawn(B({ n: 20 }))
    const all = rows(world, any(A, B), any(B, C))
    expect(all).toEqual([
      [1, 2, 3],
      [undefined, 20, undefined],
    ])
  })

  it('passes nothing for a component that must be absent, and its values where another term names it', () => {
    const world = watchedWorld()
    world.spawn(A({ n: 1 }), B({ n: 2 }))
    world.spawn(C({ n: 3 }))
    expect(rows(world, any(not(A), B))).toEqual([[2], [undefined]])
    expect(rows(world, any(not(A), B), any(A, C))).toEqual([
      [2, 1, undefined],
      [undefined, undefined, 3],
    ])
  })

  it('passes a cursor for each of several optional components', () => {
    const world = watchedWorld()
    world.spawn(A({ n: 1 }), C({ n: 3 }))
    expect(rows(world, A, optional(C, B))).toEqual([[1, 3, undefined]])
  })
})

describe('terms that cannot be combined, or nested', () => {
  const A = component('A', { n: u32 })
  const B = component('B', { n: u32 })
  const Mark = tag('Mark')
  const Sprite = object<string>('Sprite')
  const refused: readonly (readonly [string, (world: World) => unknown, string])[] = [
    ['A, not(A, B)', (w) => w.query(A, not(A, B)), 'query names A twice, by itself and in not(A, B)'],
    [
      'not(A, B), not(B)',
      (w) => w.query(not(A, B), not(B)),
      'query names B twice, in not(A, B) and in not(B)',
    ],
    ['not(A, A)', (w) => w.query(not(A, A)), 'query names A twice, both times in not(A, A)'],
    ['A, any(A, B)', (w) => w.query(A, any(A, B)), 'query names A twice, by itself and in any(A, B)'],
    ['any(A, not(A))', (w) => w.query(any(A, not(A))), 'query names A twice, both times in any(A, not(A))'],
    [
      'any(A, B), optional(B)',
      (w) => w.query(any(A, B), optional(B)),
      'query names B twice, in any(A, B) and in optional(B)',
    ],
    [
      'changed(A), not(A)',
      (w) => w.query(changed(A), not(A)),
      'query names A twice, in changed(A) and in not(A)',
    ],
    [
      'any(optional(A))',
      () => any(optional(A) as never),
      'any takes components and tags, not, any, all and present, not optional(A)',
    ],
    [
      'not(not(A))',
      () => not(not(A) as never),
      'not takes components and tags, any, all and present, not not(A): name A by itself',
    ],
    [
      'not(changed(A))',
      () => not(changed(A) as never),
      'not changed(A): write changed(A) as a term of its own',
    ],
    [
      'optional(any(A, B))',
      () => optional(any(A, B) as never),
      'optional takes components and tags, not any(A, B)',
    ],
    [
      'changed(Sprite)',
      () => changed(A, Sprite),
      "changed(Sprite): a world notes when an object component was given only if it is declared with { trackChanges: 'row' }.",
    ],
    ['added(Sprite)', () => added(Sprite), "only if it is declared with { trackChanges: 'row' }."],
    [
      'changed(Mark)',
      () => changed(Mark),
      'changed(Mark): a world notes when a tag was given only if it is declared',
    ],
    [
      'changed(Mark, { added: false })',
      () => changed(Mark, { added: false }),
      'it changes only by being added. Use added(Mark)',
    ],
    ...[not, optional, any, changed, added].map(
      (term) =>
        [
          `${term.name} of nothing`,
          () => (term as unknown as () => Term)(),
          `${term.name}: name at least one component`,
        ] as const,
    ),
  ]

  it.each(refused)('%s is refused with a sentence that names the term', (_, ask, sentence) => {
    const world = watchedWorld()
    let error: unknown
    try {
      ask(world)
    } catch (thrown) {
      error = thrown
    }
    expect(error).toMatchObject({ code: 'INVALID_QUERY' })
    expect((error as Error).message).toContain(sentence)
  })

  it.each([not, optional, any, changed, added])(
    '%o refuses anything but a component at any position',
    (term) => {
      for (const wrong of [undefined, 'A', term === changed ? [] : {}, A({ n: 1 })])
        expect(() => (term as typeof not)(A, wrong as never)).toThrow(
          expect.objectContaining({ code: 'NOT_A_COMPONENT' }),
        )
    },
  )

  it('a query is described with its terms as they were written', () => {
    const world = watchedWorld()
    world.spawn()
    expect(() => world.query(not(A, B), any(Mark, not(Sprite)), optional(Counter)).single()).not.toThrow()
    world.spawn()
    expect(() => world.query(not(A, B), any(Mark, not(Sprite)), optional(Counter)).single()).toThrow(
      'the query (not(A), not(B), any(Mark, not(Sprite)), optional(Counter))',
    )
  })
})
