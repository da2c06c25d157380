// Shows that the scalars of a run arrive as they were given, and that wrong ones are refused before it.

import { expect, it } from 'vitest'
import {
  type Kernel,
  type StrataTypeError,
  component,
  createKernel,
  f64,
  resetWorld,
  u32,
} from '../../bindings/index'
import { kernelsOf } from '../support/kernels'
import { testWorld } from '../support/world'

const { take, none, first } = await kernelsOf(
  `
export function take(rows: Rows, x: Column<f64>, a: f32, b: f64, c: i32, d: u32, e: bool): void {
  x[0] = a
  x[1] = b
  x[2] = c
  x[3] = d
  x[4] = e ? 1 : 0
}
export function none(rows: Rows, x: Column<f64>): void {
  x[0] += 1
}
/** A scalar before the column. */
export function first(rows: Rows, salt: u32, handles: Entities, x: Column<f64>): Count {
  x[0] = salt
  return salt
}`,
  'take.kernel.ts',
)

const Value = component('Value', { x: f64, n: u32 })

function start() {
  const world = testWorld()
  const handles = Array.from({ length: 5 }, () => world.spawn(Value({ x: -1 })))
  const step = createKernel(world, take, { x: [Value, 'x'] })
  const query = world.query(Value)
  const read = () => handles.map((handle) => world.get(handle, Value)?.x)
  return { world, step, query, read }
}

const good = { a: 0.1, b: 0.1, c: -1, d: 0xffffffff, e: true }

it.each([
  good,
  { a: NaN, b: -Infinity, c: -0x80000000, d: 0, e: false },
  { a: 1e300, b: -0, c: 0x7fffffff, d: 0x80000000, e: true },
])('%o is passed on', (scalars) => {
  const { step, query, read } = start()
  query.run(step, scalars)
  expect(read()).toEqual([Math.fround(scalars.a), scalars.b, scalars.c, scalars.d, scalars.e ? 1 : 0])
})

it.each([
  [undefined, 'as an object, { a, b, c, d, e }; got undefined'],
  [null, 'got null'],
  [7, 'got 7'],
  [{}, "takes a number (f32) for 'a', not undefined"],
  [{ ...good, e: undefined }, "takes true or false for 'e', not undefined"],
  [{ ...good, e: 1 }, "for 'e', not 1"],
  [{ ...good, a: '1' }, "for 'a', not '1'"],
  [{ ...good, a: 1n }, "for 'a', not 1"],
  [{ ...good, b: true }, "takes a number (f64) for 'b', not true"],
  [{ ...good, c: 0.5 }, "a whole number from -2147483648 to 2147483647 (i32) for 'c', not 0.5"],
  [{ ...good, c: NaN }, "for 'c', not NaN"],
  [{ ...good, c: 0x80000000 }, "for 'c', not 2147483648"],
  [{ ...good, d: -1 }, "for 'd', not -1"],
  [{ ...good, d: 2 ** 32 }, "for 'd', not 4294967296"],
  [{ ...good, dx: 1 }, "has no scalar 'dx': its scalars are a, b, c, d, e"],
  [{ ...good, x: 1 }, "has no scalar 'x'"],
])('%o is refused, and nothing runs', (scalars, sentence) => {
  const { world, step, query, read } = start()
  let error: StrataTypeError | undefined
  try {
    query.run(step, scalars as never)
  } catch (thrown) {
    error = thrown as StrataTypeError
  }
  expect(error).toBeInstanceOf(TypeError)
  expect(error?.code).toBe('INVALID_BINDING')
  expect(error?.message).toContain('query.run: the kernel take (take.kernel.ts) ')
  expect(error?.message).toContain(sentence)
  expect(read()).toEqual([-1, -1, -1, -1, -1])
  // A locked world would let it wait.
  expect(world.has(world.spawn(Value), Value)).toBe(true)
})

it('a kernel without scalars takes none, or an empty object', () => {
  const { world, query, read } = start()
  // As its declaration states it.
  const step = createKernel(world, none as Kernel<{ x: 'f64' }, Record<never, never>, void>, {
    x: [Value, 'x'],
  })
  query.run(step)
  query.run(step, {})
  expect(read()[0]).toBe(1)
  expect(() => query.run(step, { dt: 1 } as never)).toThrow("has no scalar 'dt': it takes none")
})

it('may come before a column', () => {
  const { world, query, read } = start()
  expect(query.run(createKernel(world, first, { x: [Value, 'x'] }), { salt: 9 })).toBe(9)
  expect(read()[0]).toBe(9)
})

it('are read once, even by code that does anything', () => {
  const { world, query, read } = start()
  const step = createKernel(world, first, { x: [Value, 'x'] })
  let reads = 0
  const inner = {
    get salt() {
      reads++
      // A run inside has scalars of its own, and a query is planned anew after a reset.
      if (reads === 1) query.run(step, { salt: 5 })
      return reads
    },
  }
  expect(query.run(step, inner)).toBe(1)
  expect(reads).toBe(1)
  expect(read()[0]).toBe(1)
  const ending = {
    get salt() {
      resetWorld(world)
      return 3
    },
  }
  expect(() => query.run(step, ending)).not.toThrow()
  expect(query.count).toBe(0)
})
