// Shows whole numbers whose range ends where 32 bits end, and where f64 begins to round: a compiled loop gives the bits of JavaScript.

import { describe, it } from 'vitest'
import { bool, component, f32, f64, i32, u32, u8 } from '../../../../bindings/index'
import { compile } from '../../src/compile/compile'
import { functionOf } from '../support/bothForms'
import { expect } from '../../../../tests/support/expect'
import { proofLength } from '../../../../tests/support/proofs'
import { seededRandom } from '../../../../tests/support/storages'
import { testWorld } from '../../../../tests/support/world'

const Given = component('Given', { on: bool, c: u8, u: u32, i: i32 })
const Got = component('Got', { d: f64, f: f32, n: i32, m: u32, half: f64, rest: f64 })
const LENGTHS = proofLength(400)

/** Rows that reach every end of the fields. */
const ROWS = [true, false].flatMap((on) =>
  [0, 1, 3, 254, 255].flatMap((c) =>
    [0, 1, 2, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 2, 2 ** 32 - 1].flatMap((u) =>
      [0, 1, -1, 2 ** 31 - 1, -(2 ** 31), 1 - 2 ** 31].map((i) => ({ on, c, u, i })),
    ),
  ),
)

/** An expression with the ends of its range. */
type Ranged = readonly [source: string, least: bigint, most: bigint]
const LEAVES: readonly Ranged[] = [
  ['r.on', 0n, 1n],
  ['r.c', 0n, 255n],
  ['(r.u & 1)', 0n, 1n],
  ['(r.u & 3)', 0n, 3n],
  ['(r.u >>> 8)', 0n, 2n ** 24n - 1n],
  ['r.u', 0n, 2n ** 32n - 1n],
  ['r.i', -(2n ** 31n), 2n ** 31n - 1n],
  ['(r.i >> 4)', -(2n ** 27n), 2n ** 27n - 1n],
]
const ENDS = [24n, 31n, 32n, 52n, 53n, 53n, 53n].map((bits) => 2n ** bits)

const add = ([a, b, c]: Ranged, [x, y, z]: Ranged): Ranged => [`(${a} + ${x})`, b + y, c + z]

/** An expression whose range ends at most 3 from an end, above or below. */
function rangedBy(random: () => number): string {
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const below = (limit: bigint): bigint => BigInt(Math.floor(random() * Number(limit))) + 1n
  const end = one(ENDS)
  let made = one(LEAVES)
  // A factor that leads near the end, or just any.
  const widest = -made[1] > made[2] ? -made[1] : made[2]
  const factor = random() < 0.5 ? end / widest : below(end / widest)
  if (random() < 0.7 && factor < 2n ** 53n)
    made = [`(${made[0]} * ${factor})`, made[1] * factor, made[2] * factor]
  if (random() < 0.5) made = add(made, one(LEAVES))
  const off = BigInt(Math.floor(random() * 7) - 3)
  const constant = random() < 0.5 ? end + off - made[2] : -end + off - made[1]
  const near = add(made, [`${constant}`, constant, constant])[0]
  return random() < 0.3 ? `-${near}` : random() < 0.2 ? `Math.abs(${near})` : near
}

const FIELDS = ['d', 'f', 'n', 'm', 'half', 'rest'] as const
type Results = Record<(typeof FIELDS)[number], number>

/** What JavaScript makes of the rows, as their fields hold it. */
function wantedOf(body: (given: object, got: object) => void): number[] {
  const [f, n, m] = [new Float32Array(1), new Int32Array(1), new Uint32Array(1)]
  const got = {} as Results
  return ROWS.flatMap((row) => {
    body(row, got)
    ;[f[0], n[0], m[0]] = [got.f, got.n, got.m]
    Object.assign(got, { f: f[0], n: n[0], m: m[0] })
    return FIELDS.map((field) => got[field])
  })
}

describe('whole numbers near the end of their range', () => {
  const world = testWorld()
  for (const row of ROWS) world.spawn(Given(row), Got)
  const rows = world.query(Given, Got)
  const expectAlike = (x: string): void => {
    const uses = `got.d = x; got.f = x; got.n = x; got.m = x + (r.u & 1); got.half = (x + 1) >>> 0; got.rest = (x - r.on) | 0`
    const body = functionOf(`(r, got) => { const x = ${x}; ${uses} }`)
    rows.run(compile([Given, Got], body as never, { mode: 'compiled' }) as never)
    const found: number[] = []
    rows.each((_, __, got) => void found.push(...FIELDS.map((field) => got[field])))
    const wanted = wantedOf(body as never)
    const k = wanted.findIndex((each, at) => !Object.is(each, found[at]))
    const at = ROWS[Math.floor(k / FIELDS.length)]
    expect({ x, at, found: found[k] }).toEqual({ x, at, found: wanted[k] })
  }

  it.each([
    'r.on + 9007199254740992',
    '-9007199254740992 - r.on',
    '(r.u & 3) * 3002399751580331',
    '(r.u & 1) + (r.u >>> 0) * 2097152 + 2097151 + 1',
    'r.u * 2097152 + 2097152 + (r.u & 1)',
    'r.on * 9007199254740992 + r.on',
    'Math.fround(r.on * 9007199254740991) + r.on',
    'Math.min(r.on + 9007199254740991, 9007199254740992) + 1',
  ])('have the same bits as in JavaScript: %s', expectAlike)

  it('have the same bits as in JavaScript, at any end', () => {
    const random = seededRandom(53)
    for (let k = 0; k < LENGTHS; k++) expectAlike(rangedBy(random))
  })
})
