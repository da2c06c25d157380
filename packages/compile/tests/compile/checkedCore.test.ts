// Shows compiled loops over the checked core: what each refuses they refuse, in every form, and leave the same bytes behind.

import { describe, it } from 'vitest'
import {
  type Entity,
  type Query,
  type StrataError,
  type World,
  bool,
  getColumn,
  component,
  createWorld,
  entity,
  f32,
  f64,
  i16,
  i32,
  i8,
  u16,
  u32,
  u8,
  vec,
} from '../../../../bindings/index'
import { checkedCore } from '../../../../bindings/checked'
import { compile } from '../../src/compile/compile'
import { functionOf } from '../support/bothForms'
import { caughtFrom, codeOf } from '../../../../tests/support/caught'
import { expect } from '../../../../tests/support/expect'

const core = checkedCore()
const KINDS = { i8, u8, i16, u16, i32, u32, f32, f64, bool, entity } as const
const VALUES = [
  0, -0, 1, -1, 2, 0.5, -0.5, NaN, Infinity, -Infinity, 127, 128, -128, -129, 255, 256, 32767, 32768, -32768, -32769, 65535, 65536,
  2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1, 2 ** 32 - 1, 2 ** 32, 2 ** 53, 1e39, 5e-324,
] // prettier-ignore
/** How many rows there are, and the one in which a value is written. */
const ROWS = 5
const WRITTEN = 3

type Form = 'each' | 'compiled by default' | 'javascript'
type AnyQuery = Query & {
  run(loop: unknown, given: object): void
  each(body: (e: Entity, p: unknown) => void): void
}

/** What comes of writing each value in the fourth row, by a loop in a form: what is thrown, and all bytes. */
function outcomesOf(kind: keyof typeof KINDS, target: string, form: Form): unknown[] {
  const P = component('P', {
    before: i32,
    at: f64,
    value: KINDS[kind] as typeof f64,
    list: vec((kind === 'entity' ? u32 : KINDS[kind]) as typeof f64, 2),
    after: i32,
  })
  const world = createWorld({ core, memory: { initial: 2 ** 20 } })
  for (let k = 0; k < ROWS; k++) world.spawn(P({ at: k }))
  const query = world.query(P) as unknown as AnyQuery
  const body = functionOf(
    `(p, { v }) => { p.before += 1; if (p.at === ${WRITTEN}) ${target} = v; p.after += 1 }`,
  )
  const loop = compile([P], { v: f64 }, body as never, form === 'javascript' ? { mode: form } : {})
  const outcomes = VALUES.map((v) => {
    const go = (): void => {
      if (form === 'each') query.each((_, p) => void body(p as never, { v } as never))
      else query.run(loop, { v })
    }
    let thrown: unknown
    try {
      go()
    } catch (error) {
      const { code, message } = error as StrataError
      thrown = { code, message }
    }
    const held: unknown[] = []
    for (const chunk of world.query(P)) {
      const columns = chunk.read(P) as unknown as Readonly<Record<string, ArrayLike<number>>>
      for (const name in columns) held.push(name, ...Array.from(columns[name] as ArrayLike<number>))
    }
    return { v, thrown, held }
  })
  world.dispose()
  return outcomes
}

describe('over the checked core', () => {
  const kinds = Object.keys(KINDS) as (keyof typeof KINDS)[]
  it.each(kinds)('a %s accepts and refuses the same values in every form', (kind) => {
    const each = outcomesOf(kind, 'p.value', 'each')
    expect(outcomesOf(kind, 'p.value', 'compiled by default')).toEqual(each)
    expect(outcomesOf(kind, 'p.value', 'javascript')).toEqual(each)
    const codes = (each as { thrown?: { code: string } }[]).map(({ thrown }) => thrown?.code)
    expect(codes.includes('INVALID_VALUE')).toBe(!kind.startsWith('f'))
  })

  it.each(kinds.filter((kind) => kind !== 'entity'))(
    'a vec of %s holds the same values in every form',
    (kind) => {
      const each = outcomesOf(kind, 'p.list[1]', 'each')
      expect(outcomesOf(kind, 'p.list[1]', 'compiled by default')).toEqual(each)
      expect(outcomesOf(kind, 'p.list[1]', 'javascript')).toEqual(each)
    },
  )

  const Ship = component('Ship', { lives: u8, hits: u8 })
  const hit = functionOf('(ship) => { ship.hits += 1; ship.lives -= 1 }') as never
  const fleet = (): World => {
    const world = createWorld({ core, memory: { initial: 2 ** 20 } })
    for (const lives of [2, 1, 0, 3]) world.spawn(Ship({ lives }))
    return world
  }

  it('a refusal names the component, the field and the value, and nothing after it is written', () => {
    const world = fleet()
    const { code, message } = caughtFrom(() => world.query(Ship).run(compile([Ship], hit)))
    expect(code).toBe('INVALID_VALUE')
    expect(message).toMatch(/Ship\.lives.*-1/)
    expect(getColumn(world.query(Ship), Ship, 'lives')).toEqual(Uint8Array.of(1, 0, 0, 3))
    expect(getColumn(world.query(Ship), Ship, 'hits')).toEqual(Uint8Array.of(1, 1, 1, 0))
    world.spawn(Ship)
    world.dispose()
  })

  it('a loop that asks for the compiled form runs compiled, and wraps as arrays do', () => {
    const world = fleet()
    world.query(Ship).run(compile([Ship], hit, { mode: 'compiled' }))
    expect(getColumn(world.query(Ship), Ship, 'lives')).toEqual(Uint8Array.of(1, 0, 255, 2))
    world.dispose()
  })

  it('one loop behaves in each world as that world does', () => {
    const loop = compile([Ship], hit)
    const [checked, plain] = [fleet(), createWorld({ memory: { initial: 2 ** 20 } })]
    plain.spawn(Ship({ lives: 0 }))
    plain.query(Ship).run(loop)
    expect(getColumn(plain.query(Ship), Ship, 'lives')).toEqual(Uint8Array.of(255))
    expect(codeOf(() => checked.query(Ship).run(loop))).toBe('INVALID_VALUE')
    plain.query(Ship).run(loop)
    expect(getColumn(plain.query(Ship), Ship, 'lives')).toEqual(Uint8Array.of(254))
    for (const world of [checked, plain]) world.dispose()
  })
})
