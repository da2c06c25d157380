// Shows that a filter finds the entities for which it holds, as plain JavaScript decides for one after the other, over every
// storage, with toggles, links, texts and orders. What a filter may look like is in filterSyntax.test.ts.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Entity,
  type Ingredient,
  addMany,
  NULL_ENTITY,
  type World,
  all,
  any,
  bool,
  component,
  entity,
  f32,
  f64,
  i16,
  not,
  object,
  relation,
  removeMany,
  restoreWorld,
  snapshotWorld,
  sparse,
  spawnMany,
  stable,
  tag,
  text,
  toggle,
  u32,
  u8,
  vec,
} from '../../../../bindings/index'
import { inspect } from '../../src/inspect/inspect'
import { proofLength } from '../../../../tests/support/proofs'
import { STORAGES, STORED } from '../../../../tests/support/storages'
import { watchedWorld } from '../../../../tests/support/watched'
import { testWorld } from '../../../../tests/support/world'

const Table = component('Table', { x: f32, n: i16 })
const Sparse = component('Sparse', { n: u8 }, { storage: sparse })
const Stable = component('Stable', { n: f64 }, { storage: stable })
const Switch = component('Switch', { on: bool }, { toggle })
const Loose = component('Loose', { who: entity }, { toggle, storage: sparse })
const Label = component('Label', { value: text })
const Note = component('Note', { value: text }, { storage: sparse })
const Matrix = component('Matrix', { m: vec(f32, 3), flags: vec(bool, 2) })
const Mark = tag('Mark')
const Flag = tag('Flag', { toggle })
const Listed = tag('Listed', { order: 'insertion' })
const Prefab = tag('Prefab', { excludeFromQueries: true })
const Sprite = object<string>('Sprite')
const ChildOf = relation('ChildOf', { weight: u32 }, { exclusive: true, onTargetDestroy: 'keep' })
const Likes = relation('Likes', { much: f32 })

// ── the model ──────────────────────────────────────────────────────────────────────────────────────────────

type Values = Readonly<Record<string, unknown>>
interface ModelEntity {
  readonly values: Map<string, Values>
  readonly off: Set<string>
  readonly links: Map<string, Entity[]>
}
type Model = Map<Entity, ModelEntity>

const NUMBERS = [-1, 0, 0.5, 1, 2, 3, 200, NaN, Infinity]
const WHOLE = [0, 1, 2, 3, 200]
const TEXTS = ['', 'Ann', 'Bob', 'say "hi"']

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values)
const spec = fc.record({
  Table: fc.option(fc.record({ x: oneOf(...NUMBERS), n: oneOf(-3, ...WHOLE) })),
  Sparse: fc.option(fc.record({ n: oneOf(...WHOLE) })),
  Stable: fc.option(fc.record({ n: oneOf(...NUMBERS) })),
  Switch: fc.option(fc.record({ on: fc.boolean() })),
  Loose: fc.option(fc.record({ who: fc.nat(12) })),
  Label: fc.option(fc.record({ value: oneOf(...TEXTS) })),
  Note: fc.option(fc.record({ value: oneOf(...TEXTS) })),
  Matrix: fc.option(
    fc.record({
      m: fc.tuple(oneOf(...NUMBERS), oneOf(...NUMBERS), oneOf(...NUMBERS)),
      flags: fc.tuple(fc.boolean(), fc.boolean()),
    }),
  ),
  Mark: fc.option(fc.constant({})),
  Flag: fc.option(fc.constant({})),
  Listed: fc.option(fc.constant({})),
  Prefab: fc.option(fc.constant({}), { freq: 8 }),
  Sprite: fc.option(fc.constant({})),
  off: fc.subarray(['Switch', 'Loose', 'Flag']),
  ChildOf: fc.option(fc.record({ to: fc.nat(12), weight: oneOf(...WHOLE) })),
  Likes: fc.uniqueArray(fc.nat(12), { maxLength: 3 }),
})
type Spec = typeof spec extends fc.Arbitrary<infer S> ? S : never

const PLAIN = { Table, Sparse, Stable, Switch, Label, Note, Matrix, Mark, Flag, Listed, Prefab }
const ALL_NAMES = [...Object.keys(PLAIN), 'Loose', 'Sprite', 'ChildOf', 'Likes']

/** A world that has met every component, and what is in it. */
function build(specs: readonly Spec[]): { world: World; model: Model } {
  const world = testWorld()
  const model: Model = new Map()
  world.query(...Object.values(PLAIN), Loose, Sprite, ChildOf, Likes)
  const handles = specs.map((one) => {
    const values = new Map<string, Values>()
    const ingredients: Ingredient[] = []
    for (const [name, declared] of Object.entries(PLAIN)) {
      const given = one[name as keyof typeof PLAIN]
      if (given === null) continue
      values.set(name, given)
      const isTag = declared.kind === 'tag'
      ingredients.push(
        (isTag ? declared : (declared as (values: unknown) => Ingredient)(given)) as Ingredient,
      )
    }
    const handle = world.spawn(...(ingredients as []))
    if (one.Sprite !== null) {
      world.add(handle, Sprite('sprite'))
      values.set('Sprite', {})
    }
    model.set(handle, { values, off: new Set(), links: new Map() })
    return handle
  })
  const handleAt = (place: number) => handles[place] ?? NULL_ENTITY
  specs.forEach((one, place) => {
    const handle = handles[place]
    const { values, off, links } = model.get(handle) as ModelEntity
    if (one.Loose !== null) {
      const who = handleAt(one.Loose.who)
      world.add(handle, Loose({ who }))
      values.set('Loose', { who })
    }
    const parent = one.ChildOf === null ? undefined : handles[one.ChildOf.to]
    if (one.ChildOf !== null && parent !== undefined && one.ChildOf.to < place) {
      world.add(handle, ChildOf(parent, { weight: one.ChildOf.weight }))
      values.set('ChildOf', { weight: one.ChildOf.weight })
      links.set('ChildOf', [parent])
    }
    const liked = one.Likes.filter((to) => to < handles.length).map((to) => handles[to])
    for (const to of liked) world.add(handle, Likes(to))
    if (liked.length > 0) {
      values.set('Likes', {})
      links.set('Likes', liked)
    }
    for (const name of one.off) {
      if (!values.has(name)) continue
      off.add(name)
      world.disable(handle, { Switch, Loose, Flag }[name as 'Flag'])
    }
  })
  return { world, model }
}

// ── filters ────────────────────────────────────────────────────────────────────────────────────────────────

type Value = number | string | boolean
type Node =
  | { readonly kind: 'has'; readonly name: string }
  | { readonly kind: 'link'; readonly name: string; readonly to: number | string }
  | {
      readonly kind: 'compare'
      readonly name: string
      readonly field: string
      readonly place: number | undefined
      readonly op: string
      readonly value: Value
    }
  | { readonly kind: 'all' }
  | { readonly kind: 'not'; readonly part: Node }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Node[] }

const OPERATORS = ['<', '<=', '>', '>=', '==', '!=']
const comparing = <V extends Value>(name: string, field: string, values: readonly V[], place?: number) =>
  fc.record({
    kind: fc.constant('compare' as const),
    name: fc.constant(name),
    field: fc.constant(field),
    place: fc.constant(place),
    op: oneOf(...OPERATORS),
    value: oneOf<Value>(...values),
  })
const LITERALS = [-1, -0.5, 0, 0.1, 0.5, 1, 2, 3, 200, 1e9, Infinity, -Infinity]
const has = fc.record({ kind: fc.constant('has' as const), name: oneOf(...ALL_NAMES) })
const single: fc.Arbitrary<Node> = fc.oneof(
  { weight: 6, arbitrary: has },
  fc.record({
    kind: fc.constant('link' as const),
    name: oneOf('ChildOf', 'Likes'),
    to: fc.oneof(fc.nat(13), oneOf('*', 'Mark', 'Sparse', 'Flag')),
  }),
  comparing('Table', 'x', LITERALS),
  comparing('Table', 'n', LITERALS),
  comparing('Sparse', 'n', LITERALS),
  comparing('Stable', 'n', LITERALS),
  comparing('Switch', 'on', [true, false]),
  comparing('Label', 'value', TEXTS),
  comparing('Note', 'value', TEXTS),
  comparing('Matrix', 'm', LITERALS, 1),
  comparing('Matrix', 'flags', [true, false], 0),
  comparing('ChildOf', 'weight', LITERALS),
  comparing('Loose', 'who', [1, 2, 3, NULL_ENTITY as number]),
  fc.record({ kind: fc.constant('all' as const) }),
)
const node = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    single,
    fc.record({ kind: fc.constant('not' as const), part: tie('node') }),
    fc.record({
      kind: oneOf('and' as const, 'or' as const),
      parts: fc.array(tie('node'), { minLength: 2, maxLength: 3 }),
    }),
  ),
})).node

/** A filter as a user writes it. Handles are the numbers of a fresh world, which count from 1. */
function written(filter: Node): string {
  switch (filter.kind) {
    case 'all':
      return '*'
    case 'has':
      return filter.name
    case 'link':
      return `${filter.name}(${typeof filter.to === 'number' ? `#${filter.to}` : filter.to})`
    case 'compare': {
      const { name, field, place, op, value } = filter
      const isHandle = field === 'who'
      const shown = isHandle ? (value === NULL_ENTITY ? 'null' : `#${String(value)}`) : JSON.stringify(value)
      const literal = value === Infinity || value === -Infinity ? String(value) : shown
      const index = place === undefined ? '' : `[${place}]`
      return `${name}.${field}${index} ${op} ${literal}`
    }
    case 'not':
      return `!(${written(filter.part)})`
    default:
      return `(${filter.parts.map(written).join(filter.kind === 'and' ? ' & ' : ' | ')})`
  }
}

function holds(filter: Node, handle: Entity, model: Model): boolean {
  const { values, off, links } = model.get(handle) as ModelEntity
  const isOn = (name: string, one: ModelEntity = { values, off, links }) =>
    one.values.has(name) && !one.off.has(name)
  switch (filter.kind) {
    case 'all':
      return true
    case 'has':
      return isOn(filter.name)
    case 'link': {
      const targets = links.get(filter.name) ?? []
      const { to } = filter
      if (to === '*') return targets.length > 0
      return targets.some((target) =>
        typeof to === 'number' ? target === to : isOn(to, model.get(target) as ModelEntity),
      )
    }
    case 'compare': {
      const { name, field, place, op, value } = filter
      if (!isOn(name)) return false
      const content = values.get(name)?.[field]
      const stored = place === undefined ? content : (content as unknown[])[place]
      const isSingle = (name === 'Table' && field === 'x') || name === 'Matrix'
      const found = (isSingle && typeof stored === 'number' ? Math.fround(stored) : stored) as Value
      return compare(found, op, value)
    }
    case 'not':
      return !holds(filter.part, handle, model)
    case 'and':
      return filter.parts.every((part) => holds(part, handle, model))
    default:
      return filter.parts.some((part) => holds(part, handle, model))
  }
}

function compare(a: Value, op: string, b: Value): boolean {
  switch (op) {
    case '<':
      return a < b
    case '<=':
      return a <= b
    case '>':
      return a > b
    case '>=':
      return a >= b
    case '==':
      return a === b
    default:
      return a !== b
  }
}

function names(filter: Node): string[] {
  if (filter.kind === 'has' || filter.kind === 'compare') return [filter.name]
  if (filter.kind === 'link') return [filter.name, String(filter.to)]
  if (filter.kind === 'not') return names(filter.part)
  return filter.kind === 'all' ? [] : filter.parts.flatMap(names)
}

/** What a filter finds, in the order in which the entities were created. */
function expected(filter: Node, model: Model, orderedBy?: string): Entity[] {
  const meetsPrefabs = names(filter).includes('Prefab')
  return [...model.keys()].filter((handle) => {
    const { values, off } = model.get(handle) as ModelEntity
    if (orderedBy !== undefined && (!values.has(orderedBy) || off.has(orderedBy))) return false
    return (meetsPrefabs || !values.has('Prefab')) && holds(filter, handle, model)
  })
}

const sorted = (handles: readonly number[]) => [...handles].sort((a, b) => a - b)

describe('a filter', () => {
  it('finds exactly the entities for which it holds, in every storage, and counts them', () => {
    fc.assert(
      fc.property(fc.array(spec, { maxLength: 12 }), node, (specs, filter) => {
        const { world, model } = build(specs)
        try {
          const found = inspect(world).find(written(filter))
          const wanted = expected(filter, model)
          const page = found.page(0, 100)
          expect(sorted(page)).toEqual(sorted(wanted))
          expect(found.count).toBe(wanted.length)
          const pages = [0, 2, 4, 6, 8, 10].flatMap((offset) => found.page(offset, 2))
          expect(pages).toEqual(page)
        } finally {
          world.dispose()
        }
      }),
      { numRuns: proofLength(1500), seed: 18 },
    )
  })

  it('sorts its matches by a field, equal values in the order of their creation, NaN last', () => {
    const fields: [name: string, field: string, place?: number][] = [
      ['Table', 'x'],
      ['Table', 'n'],
      ['Sparse', 'n'],
      ['Stable', 'n'],
      ['Switch', 'on'],
      ['Label', 'value'],
      ['Note', 'value'],
      ['Matrix', 'm', 1],
      ['ChildOf', 'weight'],
    ]
    fc.assert(
      fc.property(
        fc.array(spec, { maxLength: 12 }),
        node,
        oneOf(...fields),
        fc.boolean(),
        (specs, filter, [name, field, place], descending) => {
          const { world, model } = build(specs)
          try {
            const valueOf = (handle: Entity) => {
              const value = model.get(handle)?.values.get(name)?.[field]
              return (place === undefined ? value : (value as unknown[])[place]) as number
            }
            const wanted = expected(filter, model, name).sort((a, b) => {
              const [first, second] = [valueOf(a), valueOf(b)]
              if (first !== first || second !== second)
                return Number(first !== first) - Number(second !== second)
              const order = first < second ? -1 : first > second ? 1 : 0
              return descending ? -order : order
            })
            const index = place === undefined ? '' : `[${place}]`
            const order = `order by ${name}.${field}${index} ${descending ? 'desc' : 'asc'}`
            const found = inspect(world).find(`${written(filter)} ${order}`)
            expect(found.page(0, 100)).toEqual(wanted)
            // Beyond the places that are picked out, all are sorted.
            expect(found.page(0, 5000)).toEqual(wanted)
            expect(found.page(1, 3)).toEqual(wanted.slice(1, 4))
            expect(found.count).toBe(wanted.length)
          } finally {
            world.dispose()
          }
        },
      ),
      { numRuns: proofLength(1000), seed: 81 },
    )
  })

  it.each(STORAGES)(
    'finds entities in the order of a loop, page by page, with their names (%s)',
    (storage) => {
      const world = watchedWorld()
      const Count = component('Count', { n: u32 }, { storage: STORED[storage] })
      const entities = spawnMany(world, 9000, [Count, Mark])
      for (let i = 0; i < 9000; i++) world.set(entities[i], Count, { n: (i * 7919) % 1000 })
      removeMany(world, entities.slice(3000, 5000), Mark)
      addMany(world, entities.slice(100, 4000), Table)
      const view = inspect(world)
      const queries: [filter: string, loop: Uint32Array][] = [
        ['', world.query().entities()],
        ['Count', world.query(Count).entities()],
        ['Count & !Mark', world.query(Count, not(Mark)).entities()],
        ['Mark | Table', world.query(any(Mark, Table)).entities()],
        [
          'Count & (Table & !Mark | Mark & !Table)',
          world.query(Count, any(all(Table, not(Mark)), all(Mark, not(Table)))).entities(),
        ],
        ['Count.n >= 500 & Mark', world.query(Count, Mark).where(Count, 'n', '>=', 500).entities()],
      ]
      for (const [filter, loop] of queries) {
        const found = view.find(filter)
        expect(found.count, filter).toBe(loop.length)
        for (const offset of [0, 1, 999, 2500, loop.length - 3, loop.length])
          expect(found.page(offset, 40), filter).toEqual(Array.from(loop.slice(offset, offset + 40)))
      }
      const [row] = view.find('Table & !Mark').rows(7, 1)
      expect([...row.components].sort()).toEqual(['Count', 'Table'])
    },
  )

  it('finds the same first matches in an order, whether they are picked out or all are sorted', () => {
    const world = watchedWorld()
    const Heat = component('Heat', { value: f32 })
    const entities = spawnMany(world, 12_000, [Heat])
    // Many are equal, and some are NaN.
    entities.forEach((one, i) => world.set(one, Heat, { value: i % 13 === 0 ? NaN : (i * 7919) % 500 }))
    const view = inspect(world)
    for (const filter of [
      'Heat',
      'Heat.value > 20',
      'Heat.value > 480',
      'Heat.value > 480 | Heat.value < 5',
    ]) {
      for (const direction of ['asc', 'desc']) {
        const found = view.find(`${filter} order by Heat.value ${direction}`)
        const sorted = found.page(0, 12_000)
        expect(sorted).toHaveLength(found.count)
        expect(found.page(0, 50), filter).toEqual(sorted.slice(0, 50))
        expect(found.page(100, 300), filter).toEqual(sorted.slice(100, 400))
        expect(found.page(4000, 96), filter).toEqual(sorted.slice(4000, 4096))
      }
    }
  })
})

it('A filter finds its matches even if planning its query grows the memory', () => {
  const world = watchedWorld()
  const Spot = component('Spot', { n: u32 })
  for (let i = 0; i < 90; i++) world.spawn(Spot({ n: i }))
  const found = inspect(world).find('Spot.n >= 0')
  const ordered = inspect(world).find('Spot.n >= 0 order by Spot.n desc')
  const before = snapshotWorld(world)
  expect(found.count).toBe(90)
  // More became known: each query is planned again.
  world.spawn(component('More', { n: u32 }))
  restoreWorld(world, before)
  expect(found.count).toBe(90)
  world.spawn(component('Other', { n: u32 }))
  restoreWorld(world, before)
  expect(ordered.page(0, 2).map((entity) => world.get(entity, Spot)?.n)).toEqual([89, 88])
})
