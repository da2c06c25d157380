// Shows that a compiled loop computes what its body computes as JavaScript, to the byte, whatever it is given.

import { describe, it } from 'vitest'
import {
  NULL_ENTITY,
  type Query,
  type Term,
  type World,
  component,
  digestWorld,
  entity,
  f32,
  f64,
  optional,
  resource,
  sparse,
  u32,
  vec,
} from '../../../../bindings/index'
import { type CompiledLoop, compile, read } from '../../src/compile/compile'
import { cos, exp, random, randomFloat, rsqrt, sin } from '../../src/functions/functions'
import { functionOf } from '../support/bothForms'
import { caughtFrom, codeOf } from '../../../../tests/support/caught'
import { expect } from '../../../../tests/support/expect'
import { testWorld } from '../../../../tests/support/world'

const Position = component('Position', { x: f32, y: f32 })
const Velocity = component('Velocity', { x: f32, y: f32 })
const Scale = component('Scale', { value: f32 })
const Target = component('Target', { who: entity })
const Out = component('Out', { a: f32, b: f32, c: f32, d: f32, e: u32, f: f64 })
const Time = resource('Time', { dt: f32, wind: vec(f32, 3) })

function filled(): World {
  const world = testWorld()
  const time = world.resource(Time)
  time.dt = 0.1
  time.wind[1] = 5
  for (let i = 0; i < 403; i++) {
    const y = i % 7 === 0 ? 1e5 * i : i / 50
    const handle = world.spawn(Position({ x: (i - 200) * 7.3, y }), Velocity({ x: 1, y: i }), Out)
    if (i % 3 === 0) world.add(handle, Scale({ value: i }))
    if (i % 5 !== 0) world.add(handle, Target({ who: i % 2 === 0 ? handle : NULL_ENTITY }))
  }
  return world
}

type AnyLoop = CompiledLoop<Record<never, never>, void | number>

/** What a run in each form leaves: the result and the digest of the world. */
function runBoth(loops: (mode: 'compiled' | 'javascript') => AnyLoop, ...terms: Term[]): unknown[] {
  return (['compiled', 'javascript'] as const).map((mode) => {
    const world = filled()
    const loop = loops(mode)
    expect(loop.mode).toBe(mode)
    const before = digestWorld(world)
    const result = (world.query(...terms) as unknown as Query).run(loop)
    return { result, digest: digestWorld(world), changed: digestWorld(world) !== before }
  })
}

function expectSame(loops: (mode: 'compiled' | 'javascript') => AnyLoop, ...terms: Term[]): unknown {
  const [compiled, javascript] = runBoth(loops, ...terms)
  expect(compiled).toEqual(javascript)
  return compiled
}

describe('a compiled loop', () => {
  it('has the same bytes as JavaScript if products are not rounded to f32', () => {
    const same = expectSame(
      (mode) =>
        compile([Position, read(Velocity)], (p, v) => void ((p.x += v.x * 0.1), (p.y += v.y * 0.1)), {
          mode,
        }),
      Position,
      Velocity,
    )
    expect(same).toMatchObject({ changed: true })
  })

  it('has the same bytes as the kernel library', () => {
    expectSame(
      (mode) =>
        compile(
          [read(Position), Out],
          { sin, cos, exp, rsqrt, random, randomFloat },
          (p, o, { sin, cos, exp, rsqrt, random, randomFloat }) => {
            o.a = sin(p.x)
            o.b = cos(p.y)
            o.c = exp(p.x / 100)
            o.d = rsqrt(p.y)
            o.e = random(p.x, p.y)
            o.f = randomFloat(3, p.x)
          },
          { mode },
        ),
      Position,
      Out,
    )
  })

  it('tests optional components', () => {
    expectSame(
      (mode) =>
        compile(
          [Position, optional(Scale)],
          (p, s) => {
            p.x *= s ? s.value : 3
            p.y += s?.value ?? 2
            if (s !== undefined) s.value += 1
          },
          { mode },
        ),
      Position,
      optional(Scale),
    )
  })

  it('sums in the order of the rows', () => {
    const same = expectSame(
      (mode) =>
        compile(
          [Position, optional(Scale)],
          (p, s) => {
            if (p.x < 0) return
            return s ? s.value * 0.1 : p.x * 0.3
          },
          { mode, result: 'sum' },
        ),
      Position,
      optional(Scale),
    ) as { readonly result: number }
    expect(same.result).toBeGreaterThan(0)
  })

  it('counts, and finds the least and the greatest', () => {
    expect(
      expectSame(
        (mode) =>
          compile([Target], { NULL_ENTITY }, (t, { NULL_ENTITY }) => t.who === NULL_ENTITY, {
            mode,
            result: 'count',
          }),
        Target,
      ),
    ).toMatchObject({ result: 161 })
    for (const result of ['min', 'max'] as const)
      expectSame((mode) => compile([Position], (p) => p.x * p.y, { mode, result }), Position)
  })

  it('reads resources and handles, and calls functions that it is given', () => {
    expectSame(
      (mode) =>
        compile(
          [Position],
          { time: Time },
          (p, { time }) => {
            p.x += time.dt
            p.y -= time.wind[1]!
          },
          { mode },
        ),
      Position,
    )
    expectSame(
      (mode) => compile([entity, Out], (self, o) => void ((o.e = self * 3), (o.f = self / 7)), { mode }),
      Out,
    )
    const clamp = (x: number, least: number, most: number): number => {
      if (x < least) return least
      return x > most ? most : x
    }
    expectSame(
      (mode) => compile([Position], { clamp }, (p, { clamp }) => void (p.x = clamp(p.x, -10, 10)), { mode }),
      Position,
    )
  })

  it('supports switch', () => {
    expectSame(
      (mode) =>
        compile(
          [read(Position), Out],
          (p, o) => {
            switch (Math.floor(p.y) & 3) {
              case 0:
                o.a = 1
                break
              case 1:
                o.b = 2
              // falls through
              case 2: {
                o.c = 3
                break
              }
              default:
                o.d = 4
            }
            o.e++
          },
          { mode },
        ),
      Position,
      Out,
    )
  })

  it('takes values passed to each run', () => {
    const world = testWorld()
    const handle = world.spawn(Position, Velocity({ x: 2, y: 3 }))
    const move = compile([Position, Velocity], { dt: f32 }, (position, velocity, { dt }) => {
      position.x += velocity.x * dt
      position.y += velocity.y * dt
    })
    world.query(Position, Velocity).run(move, { dt: 0.5 })
    expect(world.get(handle, Position)).toEqual({ x: 1, y: 1.5 })
  })
})

describe('a query that lacks a component of a loop', () => {
  const Shield = component('Shield', { x: f32 }, { storage: sparse })
  const USED = '(p, other) => { if (other !== undefined) p.x = other.x }'
  const PRINTED = '(p, other) => { if (p.x > 1e9) console.log(other) }'
  const TESTED = '(p, other) => { p.x = other ? 1 : 2 }'
  const UNUSED = '(p) => { p.x++ }'
  const cases = {
    'a sparse component that is optional': [optional(Shield), [Position, optional(Shield)]],
    'a sparse component beside a table': [Shield, [Position, Shield]],
    'a component that the query does not name': [Velocity, [Position]],
    'a component that the query has as optional': [Velocity, [Position, optional(Velocity)]],
    'an optional component that the query does not name': [optional(Velocity), [Position]],
  } as const

  function run(
    part: unknown,
    terms: readonly unknown[],
    body: string,
    mode: 'compiled' | 'javascript',
  ): void {
    const world = filled()
    for (const handle of world.query(Position).entities()) world.add(handle, Shield({ x: 1 }))
    const query = world.query(...(terms as [])) as unknown as Query
    query.run(compile([Position, part] as never, functionOf(body) as never, { mode }))
  }

  it.each(Object.entries(cases))('is refused alike in both forms: %s', (_, [part, terms]) => {
    for (const body of [USED, TESTED, UNUSED]) {
      const compiled = caughtFrom(() => run(part, terms, body, 'compiled'))
      expect(compiled.code).toBe('NOT_A_COLUMN')
      expect(caughtFrom(() => run(part, terms, body, 'javascript'))).toEqual(compiled)
    }
    // A body that cannot be compiled is not run where it could not be run once it can.
    expect(codeOf(() => run(part, terms, PRINTED, 'javascript'))).toBe('NOT_A_COLUMN')
  })

  it.each([
    ['Shield is', Shield, [Position, Shield]],
    ['Shield is', optional(Shield), [Position, optional(Shield)]],
  ] as const)('is refused with what keeps it from being a component: %s', (apart, part, terms) => {
    for (const mode of ['compiled', 'javascript'] as const)
      expect(caughtFrom(() => run(part, terms, UNUSED, mode)).message).toMatch(
        `the query has it, but not in columns, because ${apart} sparse or stable: visit these rows with each, or keep both in tables.`,
      )
  })

  it('is refused with the component that keeps another one from being a component', () => {
    const world = filled()
    for (const handle of world.query(Position).entities()) world.add(handle, Shield({ x: 1 }))
    const query = world.query(Shield, optional(Position)) as unknown as Query
    const loop = compile([optional(Position)], functionOf('() => {}') as never)
    expect(caughtFrom(() => query.run(loop as never)).message).toMatch(
      'the query has it, but not in columns, because another component of the query is sparse or stable',
    )
  })

  it('is refused in both forms after one that has it, which still runs again', () => {
    for (const mode of ['compiled', 'javascript'] as const)
      for (const body of [USED, TESTED, UNUSED]) {
        const world = filled()
        const [whole, lacking] = [world.query(Position, Velocity), world.query(Position)]
        const step = compile([Position, Velocity], functionOf(body) as never, { mode })
        whole.run(step)
        expect(codeOf(() => (lacking as unknown as Query).run(step))).toBe('NOT_A_COLUMN')
        whole.run(step)
      }
  })
})
