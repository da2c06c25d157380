// Shows that a loop that was compiled ahead runs as one that is compiled in place, and refuses declarations that it was not
// compiled for.

import { describe, it } from 'vitest'
import {
  type Query,
  component,
  digestWorld,
  f32,
  f64,
  optional,
  resource,
  vec,
} from '../../../../bindings/index'
import {
  type CompiledLoop,
  compile,
  compiledAhead,
  compiledVariantsAhead,
  read,
} from '../../src/compile/compile'
import { declared } from '../../src/compile/declared'
import { shapeOf } from '../../src/compile/shape'
import { calledSource, sourceOf } from '../../src/compile/sources'
import { type AheadLoop, wordsOf, writtenIn } from '../../src/compile/table'
import { trialOf } from '../../src/compile/trial'
import { make } from '../../src/loopCompiler/make'
import { expect } from '../../../../tests/support/expect'
import { testWorld } from '../../../../tests/support/world'

const Position = component('Position', { x: f32, y: f32 })
const Velocity = component('Velocity', { x: f32, v: vec(f32, 2) })
const Time = resource('Time', { dt: f32 })
const clamp = (x: number): number => (x < 0 ? 0 : x)

type Arguments = [components: readonly unknown[], ...rest: unknown[]]

/** The table that the plugin would write, as it is read back from the program's text. */
function tableOf(...given: Arguments): AheadLoop {
  const loop = declared(...given)
  const made = make(shapeOf(loop, sourceOf(loop.body, 'the function'), calledSource))
  const values = typeof given[1] === 'function' ? undefined : (given[1] as object)
  const words = wordsOf(given[0], values, loop.options.result)
  const trial = trialOf(given[0], values, loop.body, loop.options.result !== undefined)
  return JSON.parse(JSON.stringify({ for: words, trial, writes: writtenIn(made), ...made })) as AheadLoop
}

const BODY = (p: any, v: any, { dt, K, time, clamp }: any): number => {
  p.x += v.x * dt * K + time.dt
  p.y = clamp(p.y - v.v[1])
  return p.x
}
const LOOP: Arguments = [
  [Position, read(Velocity)],
  { dt: f64, K: -0.5, time: Time, clamp },
  BODY,
  { result: 'sum' },
]

/** What runs leave in a world. */
function leftBy(loop: unknown): unknown {
  const world = testWorld()
  world.resource(Time).dt = 0.25
  for (let i = 0; i < 300; i++) {
    const ship = world.spawn(Position({ x: i, y: 100 - i }), Velocity({ x: i / 3, v: [1, i] }))
    if (i % 3 === 0) world.remove(ship, Velocity)
  }
  const rows = world.query(Position, optional(Velocity)) as unknown as Query
  const both = world.query(Position, Velocity) as unknown as Query
  const { mode } = loop as CompiledLoop
  try {
    return { mode, result: both.run(loop as never, { dt: 0.1 } as never), digest: digestWorld(world) }
  } catch {
    return { mode, result: rows.run(loop as never), digest: digestWorld(world) }
  }
}

describe('a loop that was compiled ahead', () => {
  it('has the same result as one that is compiled in place', () => {
    const ahead = leftBy(compiledAhead(tableOf(...LOOP), ...LOOP))
    expect(ahead).toEqual(leftBy((compile as (...given: unknown[]) => unknown)(...LOOP)))
    expect(ahead).toMatchObject({ mode: 'compiled' })
  })

  it('has the same result as JavaScript, if the program asks for it', () => {
    const [components, values, body] = LOOP
    const ahead = leftBy(
      compiledAhead(tableOf(...LOOP), components, values, body, { result: 'sum', mode: 'javascript' }),
    )
    const { mode, ...left } = leftBy(compiledAhead(tableOf(...LOOP), ...LOOP)) as { mode: string }
    expect(ahead).toEqual({ mode: 'javascript', ...left })
    expect(mode).toBe('compiled')
  })

  it('has a variant for rows that lack an optional component', () => {
    const loop: Arguments = [
      [Position, optional(Velocity)],
      (p: any, v: any) => {
        if (v) v.x += p.x
        else p.x *= 3
      },
    ]
    const ahead = leftBy(compiledVariantsAhead(tableOf(...loop), ...loop))
    expect(ahead).toEqual(leftBy((compile as (...given: unknown[]) => unknown)(...loop)))
  })

  const Renamed = component('Position', { x: f32, z: f32 })
  const Wider = component('Position', { x: f64, y: f32 })
  const Longer = component('Velocity', { x: f32, v: vec(f32, 3) })
  const One = component('Velocity', { x: f32, v: f32 })
  const Other = resource('Time', { dt: f64 })
  const [components, values, , options] = LOOP as [unknown[], object, unknown, object]
  it.each<[string, Arguments, string]>([
    [
      'a field of another name',
      [[Renamed, read(Velocity)], values, BODY, options],
      'Position { x: f32, z: f32 }',
    ],
    [
      'a field of another kind',
      [[Wider, read(Velocity)], values, BODY, options],
      'Position { x: f64, y: f32 }',
    ],
    ['a list of another length', [[Position, read(Longer)], values, BODY, options], 'vec(f32, 3)'],
    ['a field that is not a list', [[Position, read(One)], values, BODY, options], 'v: f32'],
    ['a component that is written', [[Position, Velocity], values, BODY, options], 'Velocity {'],
    ['one component less', [[Position], values, BODY, options], 'dt: f64'],
    ['anything but a component', [[null, 5], values, BODY, options], 'the program has null'],
    ['another constant', [components, { ...values, K: 0.5 }, BODY, options], 'K: 0.5'],
    ['another field of a run', [components, { ...values, dt: f32 }, BODY, options], 'dt: f32'],
    ['another resource', [components, { ...values, time: Other }, BODY, options], 'time: Time { dt: f64 }'],
    ['a number for a function', [components, { ...values, clamp: 1 }, BODY, options], 'clamp: 1'],
    ['no values', [components, BODY, options], 'result: sum'],
    ['one value more', [components, { ...values, more: 1 }, BODY, options], 'more: 1'],
    ['another result', [components, values, BODY, { result: 'max' }], 'result: max'],
  ])('refuses %s', (_, given, words) => {
    expect(() => compiledAhead(tableOf(...LOOP), ...given)).toThrow(
      expect.objectContaining({
        code: 'INVALID_BINDING',
        message: expect.stringMatching(
          /^compile: the function was compiled ahead for .*, and the program has .*: build it again\.$/,
        ),
      }),
    )
    expect(() => compiledAhead(tableOf(...LOOP), ...given)).toThrow(words)
  })

  it.each<[string, Arguments]>([
    [
      'a function among the values',
      [components, { ...values, clamp: (x: number) => (x < 0 ? 0.5 : x) }, BODY, options],
    ],
    [
      'the body',
      [components, values, (p: any, v: any, given: any) => (BODY(p, v, given), (p.y += 1), p.x), options],
    ],
    [
      'what the body returns',
      [components, values, (p: any, v: any, given: any) => BODY(p, v, given) + 1, options],
    ],
    ['one that leaves a bigint', [components, values, (p: any) => ((p.x = 1n), 1), options]],
    ['one that leaves a row in itself', [components, values, (p: any) => ((p.x = p), 1), options]],
    ['one that returns a bigint', [components, values, () => 1n, options]],
  ])('refuses another function: %s', (_, given) => {
    expect(() => compiledAhead(tableOf(...LOOP), ...given)).toThrow(
      expect.objectContaining({
        code: 'INVALID_BINDING',
        message: expect.stringMatching(
          /^compile: the function was compiled ahead for functions that compute -?\d+, and the program has functions that compute -?\d+: build it again\.$/,
        ),
      }),
    )
    const [parts, given1, body] = given
    const asked = { result: 'sum', mode: 'javascript' }
    expect(compiledAhead(tableOf(...LOOP), parts, given1, body, asked)).toMatchObject({ mode: 'javascript' })
  })

  it('refuses another function about an optional component', () => {
    const loop = (by: number): Arguments => [
      [Position, optional(Velocity)],
      by === 1
        ? (p: any, v: any) => void (p.x += v ? v.x : 1)
        : (p: any, v: any) => void (p.x += v ? v.x : 2),
    ]
    expect(() => compiledVariantsAhead(tableOf(...loop(1)), ...loop(1))).not.toThrow()
    expect(() => compiledVariantsAhead(tableOf(...loop(1)), ...loop(2))).toThrow(
      'was compiled ahead for functions that compute',
    )
  })

  it('distinguishes 0 from -0', () => {
    const loop = (zero: number): Arguments => [
      [Position],
      { zero },
      (p: any, { zero }: any) => void (p.x += zero),
    ]
    expect(() => compiledAhead(tableOf(...loop(-0)), ...loop(0))).toThrow(
      'zero: -0, and the program has zero: 0',
    )
  })
})
