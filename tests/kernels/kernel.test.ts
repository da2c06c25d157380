// Shows that createKernel takes what the compiler makes and refuses everything else before anything happens.

import { describe, expect, it } from 'vitest'
import {
  type Kernel,
  type StrataTypeError,
  component,
  createKernel,
  f32,
  kernelRuntime,
} from '../../bindings/index'
import { kernelsOf } from '../support/kernels'
import { testWorld } from '../support/world'

const { move, total } = await kernelsOf(
  `
export function move(rows: Rows, px: Column<f32>, vx: ReadonlyColumn<f32>, dt: f32): void {
  for (let i = rows.start; i < rows.end; i++) px[i] += vx[i] * dt
}
export function total(rows: Rows, px: ReadonlyColumn<f32>): Sum<f32> {
  let sum: f32 = 0
  for (let i = rows.start; i < rows.end; i++) sum += px[i]
  return sum
}`,
  'movement.kernel.ts',
)

const Position = component('Position', { x: f32, y: f32 })
const columns = { px: [Position, 'x'], vx: [Position, 'y'] } as const

function refusal(kernel: unknown): StrataTypeError {
  const world = testWorld()
  try {
    createKernel(world, kernel as Kernel, columns)
  } catch (error) {
    expect(world.stats().components).toBe(testWorld().stats().components)
    return error as StrataTypeError
  }
  throw new Error('nothing was thrown')
}

describe('a compiled kernel', () => {
  it('is described as the compiler describes it', () => {
    expect(move).toEqual({
      kernel: 'move',
      format: 2,
      runtime: kernelRuntime,
      code: { file: 'movement.kernel.ts', bytes: expect.any(String) },
      parameters: [
        { name: 'px', role: 'column', kind: 'f32', length: 1, writes: true },
        { name: 'vx', role: 'column', kind: 'f32', length: 1, writes: false },
        { name: 'dt', role: 'scalar', kind: 'f32' },
      ],
      result: 'none',
    })
    expect(total.code).toBe(move.code)
    expect(total.result).toBe('sum')
  })

  it.each([
    ['JSON', (kernel: Kernel) => JSON.parse(JSON.stringify(kernel)) as Kernel],
    ['a message to a worker', structuredClone<Kernel>],
  ])('survives %s, except for what runs it', (_, send) => {
    const world = testWorld()
    const e = world.spawn(Position({ x: 1, y: 2 }))
    const received = send(move)
    expect(refusal(received).message).toContain(
      'the kernel move (movement.kernel.ts) comes without what runs it',
    )
    const step = createKernel(world, { ...received, runtime: kernelRuntime }, columns)
    world.query(Position).run(step, { dt: 2 })
    expect(world.get(e, Position)).toEqual({ x: 5, y: 2 })
  })
})

describe('INVALID_KERNEL for', () => {
  it.each([undefined, null, 7, 'move', {}, [], { ...move, code: undefined }, { ...move, parameters: {} }])(
    'anything but a kernel: %o',
    (value) => {
      const error = refusal(value)
      expect(error).toBeInstanceOf(TypeError)
      expect(error.code).toBe('INVALID_KERNEL')
      expect(error.message).toContain('createKernel takes a kernel')
    },
  )

  it('the uncompiled function of a source', () => {
    const error = refusal(function move() {})
    expect(error.code).toBe('INVALID_KERNEL')
    expect(error.message).toContain('strata-ecs/vite')
  })

  it('a kernel without what runs it', () => {
    const { runtime: _, ...bare } = move
    expect(refusal(bare).message).toContain('the kernel move (movement.kernel.ts) comes without what runs it')
    expect(refusal({ ...move, runtime: {} }).message).toContain('another copy of strata-ecs')
  })

  it.each([1, 3])('another format: %i', (format) => {
    const error = refusal({ ...move, format })
    expect(error.code).toBe('INVALID_KERNEL')
    expect(error.message).toContain(`the kernel move (movement.kernel.ts) is of format ${format}`)
    expect(error.message).toContain('compile it again with this version')
  })

  const [px] = move.parameters
  it.each([
    [null],
    [{}],
    [{ ...px, role: 'text' }],
    [{ ...px, kind: 'v128' }],
    [{ ...px, kind: 'toString' }],
    [{ ...px, length: 0.5 }],
    [{ ...px, writes: undefined }],
    [{ name: 'dt', role: 'scalar', kind: 'i8' }],
    [{ name: 'cells', role: 'resource', kind: 'f16', writes: true }],
    [{ name: 'cells', role: 'resource', kind: 'f32' }],
    [px, px],
  ])('parameters that no compiler describes in this way: %o', (...parameters) => {
    expect(refusal({ ...move, parameters }).message).toContain('describes its parameters wrongly')
  })

  it.each([false, 'none'])('columns in a kernel without rows: %s', (rows) => {
    expect(refusal({ ...move, rows }).message).toContain('describes its parameters wrongly')
  })

  it('more parameters than a kernel can have', () => {
    const parameters = Array.from({ length: 128 }, (_, k) => ({ ...px, name: `p${k}` }))
    expect(refusal({ ...move, parameters }).message).toContain('at most 127')
  })

  it('a module that is not WebAssembly, or does not match the description', () => {
    for (const kernel of [
      { ...move, code: { ...move.code, bytes: '' } },
      { ...move, code: { ...move.code, bytes: '!' } },
      { ...move, code: { ...move.code, bytes: btoa('no wasm') } },
      { ...move, kernel: 'moved' },
      { ...move, kernel: 'toString' },
      { ...move, result: 'sum' },
    ]) {
      const error = refusal(kernel)
      expect(error.code).toBe('INVALID_KERNEL')
      expect(error.message).toContain('movement.kernel.ts')
    }
  })
})
