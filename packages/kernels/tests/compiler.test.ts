// Shows what the compiler makes of a kernel's file: its description, the module it writes, and what that computes.

import { describe, expect, it } from 'vitest'
import { compileKernels, type KernelDescription } from '../src/index'
import { MOVEMENT, kernelFile, kernelFolder } from '../../../tests/support/kernelFiles'

const compile = (text: string) => compileKernels(kernelFile(text))
const only = async (text: string): Promise<KernelDescription> => (await compile(text)).kernels[0]!

describe('a description', () => {
  it('names the kernel, its parameters in order and its result', async () => {
    const { kernel, format, parameters, result, code } = await only(MOVEMENT)
    expect({ kernel, format, parameters, result, file: code.file }).toEqual({
      kernel: 'move',
      format: 2,
      parameters: [
        { name: 'px', role: 'column', kind: 'f32', length: 1, writes: true },
        { name: 'vx', role: 'column', kind: 'f32', length: 1, writes: false },
        { name: 'dt', role: 'scalar', kind: 'f32' },
      ],
      result: 'none',
      file: 'test.kernel.ts',
    })
  })

  it('supports every kind of column and of scalar', async () => {
    const kinds = ['i8', 'u8', 'i16', 'u16', 'i32', 'u32', 'f32', 'f64', 'bool', 'Entity', 'Text']
    const scalars = ['i32', 'u32', 'f32', 'f64', 'bool']
    const { parameters } = await only(`import { Column, Entity, Rows, Text } from 'strata-ecs/kernel'
      export function all(rows: Rows,
        ${kinds.map((kind) => `c${kind}: Column<${kind}>`).join(', ')},
        ${scalars.map((kind) => `s${kind}: ${kind}`).join(', ')}): void {}`)
    expect(parameters.map((parameter) => (parameter.role === 'entities' ? '' : parameter.kind))).toEqual([
      ...kinds.map((kind) => kind.toLowerCase()),
      ...scalars,
    ])
  })

  it('records vecs by their length, and handles', async () => {
    const { parameters } =
      await only(`import { Entities, ReadonlyVec3Column, Rows, Vec16Column } from 'strata-ecs/kernel'
      export function all(rows: Rows, m: Vec16Column<f32>, e: Entities, v: ReadonlyVec3Column<u8>): void {}`)
    expect(parameters).toEqual([
      { name: 'm', role: 'column', kind: 'f32', length: 16, writes: true },
      { name: 'e', role: 'entities' },
      { name: 'v', role: 'column', kind: 'u8', length: 3, writes: false },
    ])
  })

  it('records resources by what they hold, and a kernel without rows', async () => {
    const { kernels } =
      await compile(`import { Entity, ReadonlyResource, Resource, Rows } from 'strata-ecs/kernel'
      import * as k from 'strata-ecs/kernel'
      export function beside(rows: Rows, dt: f32, cells: Resource<f32>, who: ReadonlyResource<Entity>): void {}
      export function alone(share: f64, on: k.Resource<bool>): void {}`)
    expect(kernels.map(({ rows, parameters }) => ({ rows, parameters }))).toEqual([
      {
        parameters: [
          { name: 'dt', role: 'scalar', kind: 'f32' },
          { name: 'cells', role: 'resource', kind: 'f32', writes: true },
          { name: 'who', role: 'resource', kind: 'entity', writes: false },
        ],
      },
      {
        rows: false,
        parameters: [
          { name: 'share', role: 'scalar', kind: 'f64' },
          { name: 'on', role: 'resource', kind: 'bool', writes: true },
        ],
      },
    ])
  })

  it.each([
    ['Sum<f32>', 'sum'],
    ['Min<i32>', 'min'],
    ['Max<f64>', 'max'],
    ['Count', 'count'],
    ['void', 'none'],
  ])('shows how results of type %s are combined', async (type, result) => {
    const { result: found } = await only(`import { Count, Max, Min, Rows, Sum } from 'strata-ecs/kernel'
      export function f(rows: Rows): ${type} { ${type === 'void' ? '' : 'return 0'} }`)
    expect(found).toBe(result)
  })

  it('follows names that the file gives to the library', async () => {
    const { kernels } = await compile(`import { Column as C, Rows as R } from 'strata-ecs/kernel'
      import * as k from 'strata-ecs/kernel'
      export function a(rows: R, x: C<f32>): void {}
      export function b(rows: k.Lanes, x: k.ReadonlyColumn<k.Entity>): k.Sum<f32> {
        let sum: f32 = 0
        for (let i = rows.start; i < rows.end; i++) sum += <f32>x[i]
        return sum
      }`)
    expect(kernels.map(({ parameters }) => parameters[0])).toEqual([
      { name: 'x', role: 'column', kind: 'f32', length: 1, writes: true },
      { name: 'x', role: 'column', kind: 'entity', length: 1, writes: false },
    ])
  })
})

describe('the module that is written', () => {
  /** What it exports; it finds a package in which what runs kernels is a word. */
  const load = (module: string): Promise<Record<string, unknown>> => {
    const own = `data:text/javascript,${encodeURIComponent("export const kernelRuntime = 'the runtime'")}`
    const found = module.replace("'strata-ecs'", JSON.stringify(own))
    return import(`data:text/javascript,${encodeURIComponent(found)}`)
  }

  it('exports the descriptions with what runs them, which is its only import', async () => {
    const { module, kernels } = await compile(`${MOVEMENT.replace('import {', 'import { Resource,')}
export function clear(cells: Resource<f32>): void {}`)
    expect(module.match(/import .*/g)).toEqual(["import { kernelRuntime } from 'strata-ecs'"])
    const runtime = 'the runtime'
    expect({ ...(await load(module)) }).toEqual({
      move: { ...kernels[0], runtime },
      clear: { ...kernels[1], runtime },
    })
  })

  it.each(['code', 'kernelRuntime'])('supports a kernel called %s', async (name) => {
    const { module, kernels } = await compile(MOVEMENT.replace('move(', `${name}(`))
    const written = await load(module)
    expect(written[name]).toEqual({ ...kernels[0], runtime: 'the runtime' })
  })

  it('has declarations with the comments of the source', async () => {
    const { declarations } =
      await compile(`${MOVEMENT.replace('import {', 'import { Count, Entities, ReadonlyResource, Resource, Vec2Column,')}
export function none(rows: Rows, e: Entities): void {}
// No documentation.
export function some(rows: Rows, p: Vec2Column<f64>, on: bool): Count { return 0 }
export function beside(rows: Rows, cells: Resource<f32>, x: ReadonlyColumn<u8>): void {}
/** Once. */
export function alone(cells: ReadonlyResource<u8>, share: f32): Count { return 0 }
`)
    expect(declarations).toBe(`// Made by strata-kernels from test.kernel.ts. Do not edit.
import { type Kernel } from 'strata-ecs'

/**
 * Moves all rows on.
 * @param dt seconds
 */
export declare const move: Kernel<{ px: 'f32'; vx: 'f32' }, { dt: number }, void>

export declare const none: Kernel<{}, {}, void>

export declare const some: Kernel<{ p: ['f64', 2] }, { on: boolean }, number>

export declare const beside: Kernel<{ cells: { resource: 'f32' }; x: 'u8' }, {}, void>

/** Once. */
export declare const alone: Kernel<{ cells: { resource: 'u8' } }, { share: number }, number, false>
`)
  })

  it('is the same for the same source', async () => {
    expect((await compile(MOVEMENT)).module).toBe((await compile(MOVEMENT)).module)
  })

  it('imports only the memory, has no start and exports only the kernels', async () => {
    const { bytes } = await compile(MOVEMENT)
    const module = new WebAssembly.Module(bytes as BufferSource)
    expect(WebAssembly.Module.imports(module)).toEqual([{ module: 'env', name: 'memory', kind: 'memory' }])
    expect(WebAssembly.Module.exports(module)).toEqual([{ name: 'move', kind: 'function' }])
  })
})

describe('the entry of a kernel', () => {
  const NUMBERS = 0x19000
  const MASK = 0x18000
  const COLUMNS = 0x30000
  const COLUMN_BYTES = 0x1000

  /** The module of a source over a memory of its own, with f32 columns of 512 rows one behind another. */
  async function instance(text: string) {
    const { bytes } = await compile(text)
    const memory = new WebAssembly.Memory({ initial: 8 })
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes as BufferSource), {
      env: { memory },
    })
    const view = new DataView(memory.buffer)
    return {
      view,
      column: (k: number) => new Float32Array(memory.buffer, COLUMNS + k * COLUMN_BYTES, 512),
      mask: new BigUint64Array(memory.buffer, MASK, 8),
      /** Address of the k-th number. */
      number: (k: number) => NUMBERS + 8 * k,
      /** Calls a kernel with a block for each run of rows; `numbers` were written, each block has so many columns. */
      call: (
        name: string,
        blocks: readonly (readonly [start: number, end: number, mask?: boolean])[],
        columns: number,
        { numbers = 0, result = 0 } = {},
      ): unknown => {
        blocks.forEach(([start, end, masked = false], i) => {
          const block = NUMBERS + 8 * numbers + (8 + 4 * columns) * i
          view.setUint32(block, start | (end << 16), true)
          view.setUint32(block + 4, masked ? MASK : 0, true)
          for (let k = 0; k < columns; k++)
            view.setUint32(block + 8 + 4 * k, COLUMNS + k * COLUMN_BYTES, true)
        })
        const kernel = exports[name] as (address: number, count: number, result: number) => unknown
        return kernel(NUMBERS, blocks.length, result)
      },
    }
  }

  it('passes rows, columns and scalars', async () => {
    const { column, call, view, number } = await instance(MOVEMENT)
    column(1).fill(2)
    view.setFloat32(number(0), 0.5, true)
    call('move', [[3, 7]], 2, { numbers: 1 })
    expect([...column(0).subarray(0, 9)]).toEqual([0, 0, 0, 1, 1, 1, 1, 0, 0])
  })

  it('passes every kind of scalar', async () => {
    const { column, call, view, number } = await instance(`import { Column, Rows } from 'strata-ecs/kernel'
      export function f(rows: Rows, a: f64, b: i32, x: Column<f32>, c: u32, d: bool, e: bool): void {
        x[0] = <f32>a; x[1] = <f32>b; x[2] = <f32>c; x[3] = <f32>d; x[4] = <f32>e
      }`)
    view.setFloat64(number(0), 1.5, true)
    view.setInt32(number(1), -7, true)
    view.setUint32(number(2), 0x8000_0000, true)
    view.setUint32(number(3), 1, true)
    view.setUint32(number(4), 0, true)
    call('f', [[0, 8]], 1, { numbers: 5 })
    expect([...column(0).subarray(0, 5)]).toEqual([1.5, -7, 2 ** 31, 1, 0])
  })

  it('calls the kernel for each run of a mask', async () => {
    const { column, call, mask, view, number } = await instance(MOVEMENT)
    column(1).fill(1)
    mask[0] = 0b1011_0110n
    mask[1] = 0xffff_ffff_ffff_ffffn
    mask[3] = 1n << 63n
    view.setFloat32(number(0), 1, true)
    call('move', [[2, 256, true]], 2, { numbers: 1 })
    const moved = [...column(0).entries()].filter(([, x]) => x === 1).map(([i]) => i)
    expect(moved).toEqual([2, 4, 5, 7, ...Array.from({ length: 64 }, (_, k) => 64 + k), 255])
  })

  it('calls the kernel for each block, with or without a mask', async () => {
    const { column, call, mask, view, number } = await instance(MOVEMENT)
    column(1).fill(1)
    mask[0] = 0b1000n
    view.setFloat32(number(0), 1, true)
    call('move', [], 2, { numbers: 1 })
    expect(column(0).every((x) => x === 0)).toBe(true)
    call('move', [[0, 2], [0, 64, true], [5, 5], [6, 7]], 2, { numbers: 1 }) // prettier-ignore
    expect([...column(0).subarray(0, 9)]).toEqual([1, 1, 0, 1, 0, 0, 1, 0, 0])
  })

  const REDUCTIONS = `import { Count, Max, Min, ReadonlyColumn, Rows, Sum } from 'strata-ecs/kernel'
    export function sum(rows: Rows, x: ReadonlyColumn<f32>): Sum<f32> {
      let sum: f32 = 0
      for (let i = rows.start; i < rows.end; i++) sum += x[i]
      return sum
    }
    export function least(rows: Rows, x: ReadonlyColumn<f32>): Min<f32> {
      let least = x[rows.start]
      for (let i = rows.start; i < rows.end; i++) least = min(least, x[i])
      return least
    }
    export function greatest(rows: Rows, x: ReadonlyColumn<f32>): Max<f32> {
      let greatest = x[rows.start]
      for (let i = rows.start; i < rows.end; i++) greatest = max(greatest, x[i])
      return greatest
    }
    export function count(rows: Rows, x: ReadonlyColumn<f32>): Count { return rows.end - rows.start }`

  it('combines the results of several runs', async () => {
    const { column, call, mask } = await instance(REDUCTIONS)
    column(0).forEach((_, i, x) => (x[i] = i))
    mask[0] = 0b1011_0110n
    const results = ['sum', 'least', 'greatest', 'count'].map((name) => {
      return call(name, [[0, 64, true]], 1, { result: name === 'least' ? Infinity : 0 })
    })
    expect(results).toEqual([1 + 2 + 4 + 5 + 7, 1, 7, 5])
  })

  it('combines the results of all blocks, and earlier results', async () => {
    const { column, call } = await instance(REDUCTIONS)
    column(0).forEach((_, i, x) => (x[i] = i))
    const blocks = [[10, 12], [40, 41], [20, 22]] as const // prettier-ignore
    const results = (result: number) =>
      ['sum', 'least', 'greatest', 'count'].map((name) => call(name, blocks, 1, { result }))
    expect(results(30)).toEqual([30 + 10 + 11 + 40 + 20 + 21, 10, 40, 35])
    expect(results(5)).toEqual([5 + 10 + 11 + 40 + 20 + 21, 5, 40, 10])
    expect(results(50)).toEqual([50 + 10 + 11 + 40 + 20 + 21, 10, 50, 55])
    expect(results(NaN)).toEqual([NaN, NaN, NaN, NaN])
  })

  it('returns the result so far if it covers no row', async () => {
    const { call } = await instance(REDUCTIONS)
    for (const blocks of [
      [],
      [[0, 64, true]],
      [[0, 0]],
      [[5, 5]],
      [
        [0, 0],
        [0, 64, true],
      ],
    ] as const) {
      const results = ['sum', 'least', 'greatest', 'count'].map((name) =>
        call(name, blocks, 1, { result: 8.5 }),
      )
      expect(results).toEqual([8.5, 8.5, 8.5, 8.5])
    }
  })

  it('adds unsigned results beyond 2^31', async () => {
    const { call, mask } = await instance(`import { Rows, Sum } from 'strata-ecs/kernel'
      export function big(rows: Rows): Sum<u32> { return 0xffffffff }`)
    mask[0] = 0b101n
    expect(call('big', [[0, 64, true]], 0)).toBe(2 * 0xffff_ffff)
  })

  it('is not confused by kernels with the names of its own functions', async () => {
    const { column, call } = await instance(`import { Column, Rows } from 'strata-ecs/kernel'
      export function nextRun(rows: Rows, block: Column<f32>, mask: Column<f32>): void { block[0] = mask[1] = 5 }
      export function rowsOf(rows: Rows, run: Column<f32>): void { run[2] = 6 }`)
    call('nextRun', [[0, 1]], 2)
    call('rowsOf', [[0, 1]], 1)
    expect([column(0)[0], column(1)[1], column(0)[2]]).toEqual([5, 5, 6])
  })
})

describe('files that a kernel imports', () => {
  it('are found with and without their extension, and listed', async () => {
    const folder = kernelFolder({
      'a.kernel.ts': `import { Column, Rows } from 'strata-ecs/kernel'
        import { twice } from './lib/twice.ts'
        import { ONE } from './lib'
        export function f(rows: Rows, x: Column<f32>): void { x[0] = twice(ONE) }`,
      'lib/twice.ts': 'export function twice(x: f32): f32 { return 2 * x }',
      'lib/index.ts': "export const ONE: f32 = 1\nexport { twice } from './twice'",
    })
    const { sources } = await compileKernels(`${folder}/a.kernel.ts`)
    expect(sources.map((source) => source.slice(folder.length + 1)).sort()).toEqual([
      'a.kernel.ts',
      'lib/index.ts',
      'lib/twice.ts',
    ])
  })

  it('may be in a folder above the kernel', async () => {
    const folder = kernelFolder({
      'kernels/a.kernel.ts': `import { Column, Rows } from 'strata-ecs/kernel'
        import { half } from '../half.ts'
        export function f(rows: Rows, x: Column<f32>): void { x[0] = half(3) }`,
      'half.ts': 'export function half(x: f32): f32 { return x / 2 }',
    })
    const { kernels } = await compileKernels(`${folder}/kernels/a.kernel.ts`)
    expect(kernels).toHaveLength(1)
  })
})
