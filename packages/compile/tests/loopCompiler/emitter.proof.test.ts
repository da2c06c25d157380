// Shows that a run covers the rows that its query finds: every number of rows, chunk edges, and masks of every origin; and that what
// is stored is written after all of it was read.

import { describe, it } from 'vitest'
import {
  type Query,
  type World,
  changed,
  component,
  f32,
  f64,
  createGroup,
  i8,
  not,
  present,
  sparse,
  stable,
  tag,
  toggle,
  u16,
  vec,
} from '../../../../bindings/index'
import { compile } from '../../src/compile/compile'
import { EDGES, Row, expectSame, functionOf } from '../support/bothForms'
import { expect } from '../../../../tests/support/expect'
import { ROW_COUNTS } from '../../../../tests/support/rowCounts'
import { capacitiesOf } from '../../../../tests/support/storages'
import { plainWorld, testWorld } from '../../../../tests/support/world'

const STEP = '(b) => { b.x = b.x * 1.1 + b.n; b.y += b.x / 3; b.n = b.n * 3; b.m[1] = b.y - b.m[0] }'
const FIELDS = { x: f32, y: f64, n: i8, t: u16, m: vec(f32, 2) }
const STORAGES = {
  table: component('InTable', FIELDS),
  sparse: component('InPool', FIELDS, { storage: sparse }),
  stable: component('InStablePool', FIELDS, { storage: stable }),
  toggled: component('Toggled', FIELDS, { toggle }),
  tracked: component('Tracked', FIELDS, { trackChanges: 'row' }),
} as const
type Body = (typeof STORAGES)['table']
const Marked = tag('Marked')
const Picked = tag('Picked', { order: 'insertion' })

function worldOf(body: Body, rows: number, as: string): World {
  const world = as === 'compiled' ? testWorld() : plainWorld()
  for (let k = 0; k < rows; k++) {
    const x = EDGES[k % EDGES.length] as number
    const handle = world.spawn(
      body({ x, y: k / 7, n: (k % 256) - 128, t: k, m: [k, -x] }),
      ...(k % 5 === 2 ? [Marked] : []),
    )
    if (body === (STORAGES.toggled as never) && k % 3 === 1) world.disable(handle, body)
    if (k % 4 === 0) world.add(handle, Picked)
  }
  return world
}

/** All values, and which rows a query of changes finds. */
function state(world: World, body: Body, marks: Query): unknown {
  const rows: unknown[] = []
  const all = world.query(present(body)) as unknown as Query
  for (const handle of all.entities()) rows.push(world.get(handle, body))
  return { rows, marked: Array.from(marks.entities()) }
}

function expectSameRows(body: Body, rows: number, queryOf: (world: World) => Query): void {
  const [compiled, javascript] = (['compiled', 'javascript'] as const).map((mode) => {
    const world = worldOf(body, rows, mode)
    const marks = world.query(changed(body)) as unknown as Query
    marks.entities()
    world.advanceTick()
    ;(queryOf(world) as unknown as { run(loop: unknown): void }).run(
      compile([body], functionOf(STEP) as never, { mode }),
    )
    const after = state(world, body, marks)
    world.dispose()
    return after
  })
  expect(compiled, `${rows} rows`).toEqual(javascript)
}

interface Narrowing {
  where(component: unknown, field: string, operator: string, value: number): Query
  slice(start: number, end: number): Query
}
const QUERIES: Readonly<Record<string, (world: World, body: Body) => Query>> = {
  'all rows': (world, body) => world.query(body) as never,
  'rows without a tag': (world, body) => world.query(body, not(Marked)) as never,
  'rows with a tag': (world, body) => world.query(body, Marked) as never,
  'rows in the order of a tag': (world, body) => world.query(body, Picked) as never,
  'rows by a value': (world, body) => (world.query(body) as unknown as Narrowing).where(body, 'x', '>', 0),
  'rows by two values': (world, body) =>
    ((world.query(body) as unknown as Narrowing).where(body, 'x', '<', 1e6) as unknown as Narrowing).where(
      body,
      't',
      '!=',
      7,
    ),
  'a page': (world, body) => (world.query(body) as unknown as Narrowing).slice(2, 39),
  'changed rows': (world, body) => world.query(body, changed(body)) as never,
}

describe.each(Object.keys(STORAGES) as (keyof typeof STORAGES)[])(
  'in a component that is %s, a compiled loop',
  (storage) => {
    const body = STORAGES[storage] as Body
    it.each(Object.keys(QUERIES))('takes %s', (name) => {
      if (storage !== 'table' && name === 'rows in the order of a tag')
        return expect(storage).not.toBe('table')
      for (const rows of [0, 1, 2, 3, 4, 5, 7, 8, 31, 32, 33, 63, 64, 65, 200])
        expectSameRows(body, rows, (world) =>
          (QUERIES[name] as (world: World, body: Body) => Query)(world, body),
        )
    })
  },
)

describe('a compiled loop', () => {
  it('covers rows up to the edges of chunks', () => {
    const { first, full } = capacitiesOf(STORAGES.table)
    for (const rows of [
      ...ROW_COUNTS.filter((count) => count < 500),
      first - 1,
      first,
      first + 1,
      first + full - 1,
      first + full,
      first + full + 1,
    ])
      expectSameRows(STORAGES.table, rows, (world) => world.query(STORAGES.table) as never)
  })

  it('covers the rows of a group', () => {
    const [A, B] = ['A', 'B'].map((name) =>
      component(`Grouped${name}`, { x: f32, m: vec(f32, 2) }, { storage: sparse }),
    )
    for (const rows of [0, 1, 4, 5, 63, 64, 65, 900]) {
      const [compiled, javascript] = (['compiled', 'javascript'] as const).map((mode) => {
        const world = testWorld()
        const both = createGroup(world, A as never, B as never) as unknown as { run(loop: unknown): void }
        for (let k = 0; k < rows; k++)
          world.spawn(
            ...((k % 3 === 0 ? [] : [A!({ x: k, m: [k, 1] })]) as never[]),
            ...((k % 4 === 0 ? [] : [B!({ x: -k, m: [2, k] })]) as never[]),
          )
        both.run(
          compile([A, B] as never, functionOf('(a, b) => { a.x += b.m[1]; b.x = a.m[0] * 0.1 }') as never, {
            mode,
          }),
        )
        return [A, B].map((each) =>
          Array.from(world.query(each as never).entities(), (handle) => world.get(handle, each as never)),
        )
      })
      expect(compiled).toEqual(javascript)
    }
  })

  it('reads a value before it overwrites it', () => {
    for (const source of [
      '(r) => { const x = r.f; r.f = r.g; r.g = x }',
      '(r) => { const x = r.m[0]; r.m[0] = r.m[1]; r.m[1] = r.m[2]; r.m[2] = r.m[3]; r.m[3] = x }',
      '(r) => { const x = r.d; r.d = r.f; r.f = x; r.i = x }',
      '(r) => { const x = r.b; r.b = r.c; r.c = r.s; r.s = r.t; r.t = x }',
      '(r) => { const x = r.on; r.on = r.off; r.off = x; r.i = x ? r.j : r.u; r.u = r.i }',
      '(r) => { r.d = r.f; r.f = r.e; r.e = r.f + r.d; r.g = r.e }',
      '(r) => { const x = r.f; if (r.on) { r.f = r.g; r.g = Math.sqrt(Math.sqrt(Math.sqrt(x) / 3) / 7) / r.e } r.d = x }',
    ])
      for (const rows of [3, 4, 50]) expectSame(source, { rows })
  })

  it('computes a result from the previous values', () => {
    for (const result of ['sum', 'min', 'max', 'count'] as const)
      expectSame('(r) => { const x = r.f; r.f = r.g; r.g = x; return x + r.d }', { result, parts: [Row] })
  })
})
