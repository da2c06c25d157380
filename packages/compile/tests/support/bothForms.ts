// Runs a function over rows in both forms, compiled and as JavaScript, in worlds that begin alike, and compares every byte and
// every mark of a change. Functions are given as sources: what bundles the tests would write them in its own way.

import {
  type Query,
  type Snapshot,
  type World,
  bool,
  changed,
  component,
  entity,
  f32,
  f64,
  i16,
  i32,
  i8,
  restoreWorld,
  snapshotWorld,
  u16,
  u32,
  u8,
  vec,
} from '../../../../bindings/index'
import { type CompiledLoop, type LoopValues, type Part, compile } from '../../src/compile/compile'
import { caughtFrom } from '../../../../tests/support/caught'
import { expect } from '../../../../tests/support/expect'
import { plainWorld, testWorld } from '../../../../tests/support/world'

/** A field of each kind, and vecs. */
export const Row = component('Row', {
  f: f32,
  g: f32,
  d: f64,
  e: f64,
  i: i32,
  j: i32,
  u: u32,
  v: u32,
  b: i8,
  c: u8,
  s: i16,
  t: u16,
  on: bool,
  off: bool,
  who: entity,
  m: vec(f32, 4),
  n: vec(f64, 2),
  k: vec(i16, 3),
  flags: vec(bool, 2),
})
const FIELDS = Object.keys(Row.schema) as (keyof typeof Row.schema)[]

/** Numbers at the edges of what floats and integers hold, and of what is rounded. */
export const EDGES: readonly number[] = [
  0, -0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 0.1, -0.3, 1 / 3, NaN, Infinity, -Infinity, 1e-40, -1e-45, 5e-324, 3.4e38,
  -3.4028235677973366e38, 1e39, 127.5, 128, -129, 255.7, 256, 65535.5, 8388607.5, 16777215, 16777217,
  0.49999997, 0.49999999999999994, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1, 2 ** 32 - 1, 2 ** 32,
  2 ** 32 + 0.5, 2 ** 53 - 1, 2 ** 53, -(2 ** 53), 2 ** 63, -(2 ** 64), 2 ** 80 + 2 ** 40, 2 ** 84, 1e20, 1e300,
] // prettier-ignore

/** A function from its source. */
export function functionOf(source: string): (...given: never[]) => never {
  return new Function(`return ${source}`)() as never
}

const at = (k: number): number => EDGES[k % EDGES.length] as number

/** Fills rows with all edges beside each other; every field with edges of its own order. */
export function filledWith(rows: number, makeWorld: () => World = testWorld): World {
  const world = makeWorld()
  for (let r = 0; r < rows; r++) {
    const turn = Math.floor(r / EDGES.length)
    const [x, y, z] = [at(r), at(r + 1 + 5 * turn), at(7 * r + 3)]
    world.spawn(
      Row({
        f: x,
        g: y,
        d: x,
        e: z,
        i: x | 0,
        j: z | 0,
        u: y >>> 0,
        v: z >>> 0,
        b: (x << 24) >> 24,
        c: y & 255,
        s: (z << 16) >> 16,
        t: y & 65535,
        on: r % 3 === 0,
        off: r % 5 < 2,
        who: (z >>> 0) as never,
        m: [x, y, z, r],
        n: [y, z],
        k: [r - 9, 3 * r, -r],
        flags: [r & 1, (r >> 1) & 1],
      } as never),
    )
  }
  return world
}

const kept = new Map<string, { world: World; snapshot: Snapshot }>()

/** A world of so many rows as it was when it was made: making it takes far longer than running a function. */
function likeNew(rows: number, makeWorld: () => World): World {
  const key = `${rows} ${makeWorld.name}`
  const { world, snapshot: before } = kept.get(key) ?? fill(rows, makeWorld, key)
  restoreWorld(world, before)
  return world
}

function fill(rows: number, makeWorld: () => World, key: string): { world: World; snapshot: Snapshot } {
  const world = filledWith(rows, makeWorld)
  const made = { world, snapshot: snapshotWorld(world) }
  kept.set(key, made)
  return made
}

export interface Forms {
  readonly values?: LoopValues
  readonly given?: object
  readonly result?: 'sum' | 'min' | 'max' | 'count'
  readonly parts?: readonly Part[]
  readonly rows?: number
  readonly query?: (world: World) => Query
  readonly world?: (rows: number, makeWorld: () => World) => World
}

export function loopOf(
  source: string | ((...given: never[]) => unknown),
  mode: 'compiled' | 'javascript',
  { parts = [Row], values, result }: Forms = {},
): CompiledLoop<object, number | void> {
  const body = (typeof source === 'string' ? functionOf(source) : source) as never
  const options = { mode, ...(result && { result }) } as never
  return (values === undefined
    ? compile(parts, body, options)
    : compile(parts, values, body, options)) as unknown as CompiledLoop<object, number | void>
}

/** What a world holds: each field as bytes, with one NaN for all. */
function held(world: World): unknown {
  const lists: Record<string, unknown[]> = {}
  for (const field of FIELDS) lists[field] = []
  for (const chunk of world.query(Row)) {
    const row = chunk.read(Row) as Readonly<Record<string, ArrayLike<unknown>>>
    for (const field of FIELDS) {
      const array = row[field] as ArrayLike<unknown>
      const width = array.length / chunk.entities.length
      for (let k = chunk.start * width; k < chunk.end * width; k++) lists[field]?.push(array[k])
    }
  }
  return lists
}

/** Runs a function in both forms, and expects the same bytes, the same result and the same marks. Returns these. */
export function expectSame(source: string | ((...given: never[]) => unknown), forms: Forms = {}): unknown {
  const [compiled, javascript] = (['compiled', 'javascript'] as const).map((mode) => {
    const { rows = EDGES.length + 3 } = forms
    const makeWorld = mode === 'compiled' ? testWorld : plainWorld
    const world = (forms.world ?? likeNew)(rows, makeWorld)
    const marks = world.query(changed(Row))
    marks.entities()
    world.advanceTick()
    const loop = loopOf(source, mode, forms)
    expect(loop.mode).toBe(mode)
    const query = forms.query?.(world) ?? (world.query(Row) as unknown as Query)
    const result = (query as { run(loop: unknown, given?: object): unknown }).run(loop, forms.given)
    return { result, marks: marks.entities().length, held: held(world) }
  })
  expect(compiled, String(source)).toEqual(javascript)
  return compiled
}

/** The sentence with which a function is refused, without its place. */
export function refusalOf(source: string | ((...given: never[]) => unknown), forms: Forms = {}): string {
  return refusedWith(source, forms)
    .replace(/^compile: (?:line \d+ of .*?, column \d+: )?/, '')
    .split('\n', 1)[0] as string
}

/** The whole message of that. */
export function refusedWith(source: string | ((...given: never[]) => unknown), forms: Forms = {}): string {
  const { code, message } = caughtFrom(() => loopOf(source, 'compiled', forms))
  expect(code, message).toBe('COMPILE_REFUSED')
  return message
}
