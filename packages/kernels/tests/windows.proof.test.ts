// Shows which part of memory page 0 the data of kernels occupies.

import { describe, expect, it } from 'vitest'
import { compileKernels } from '../src/index'
import { beginBuild, type KernelBuild } from '../src/build'
import { compileSources } from '../src/compileKernels'
import { readSources } from '../src/sources'
import { kernelFile, kernelFolder } from '../../../tests/support/kernelFiles'
import { isShort } from '../../../tests/support/proofs'

const withTable = (numbers: number) => `import { Column, Rows } from 'strata-ecs/kernel'
const TABLE: StaticArray<f32> = [${Array.from({ length: numbers }, (_, i) => i).join(', ')}]
export function look(rows: Rows, x: Column<f32>): void { x[0] = TABLE[i32(x[1])] }
`
const WITHOUT = `import { Column, Rows } from 'strata-ecs/kernel'
export function zero(rows: Rows, x: Column<f32>): void { x[0] = 0 }
`

/** First and last address that the module writes when it is instantiated; undefined when it writes nothing. */
function written(bytes: Uint8Array): [number, number] | undefined {
  const memory = new WebAssembly.Memory({ initial: 1 })
  const contents = new Uint8Array(memory.buffer).fill(0xa5)
  new WebAssembly.Instance(new WebAssembly.Module(bytes as BufferSource), { env: { memory } })
  const first = contents.findIndex((byte) => byte !== 0xa5)
  return first < 0 ? undefined : [first, contents.findLastIndex((byte) => byte !== 0xa5)]
}

describe('the window of a file', () => {
  it('is empty if the file has no data', async () => {
    const { data, bytes } = await compileKernels(kernelFile(WITHOUT))
    expect(data.start).toBe(data.end)
    expect(written(bytes)).toBeUndefined()
  })

  it('holds all that the module writes', async () => {
    const { data, bytes } = await compileKernels(kernelFile(withTable(20)))
    const [first, last] = written(bytes)!
    expect(data.start).toBe(1024)
    expect(first).toBeGreaterThanOrEqual(data.start)
    expect(data.end).toBe(last + 1)
  })

  it('holds memory that is only zeros', async () => {
    const { data } = await compileKernels(
      kernelFile(
        `import { Rows } from 'strata-ecs/kernel'
        const ROOM: StaticArray<u8> = [${Array(640).fill(0).join()}]
        export function f(rows: Rows, i: i32): Sum<f32> { return ROOM[i] }`.replace('Rows', 'Rows, Sum'),
      ),
    )
    expect(data.end - data.start).toBeGreaterThanOrEqual(640)
  })

  it('begins where the option says', async () => {
    const { data, bytes } = await compileKernels(kernelFile(withTable(4)), { memoryBase: 0x8000 })
    expect(data.start).toBe(0x8000)
    expect(written(bytes)![0]).toBeGreaterThanOrEqual(0x8000)
  })

  it.each([0, 8, 65_536, -1024, 1.5, NaN])('cannot begin at %s', async (memoryBase) => {
    await expect(compileKernels(kernelFile(WITHOUT), { memoryBase })).rejects.toThrow(RangeError)
  })

  it('does not overlap another of the same build', async () => {
    const folder = kernelFolder({
      'a.kernel.ts': withTable(10),
      'b.kernel.ts': WITHOUT,
      'c.kernel.ts': withTable(30),
    })
    const build = beginBuild({})
    const [a, b, c] = await buildAll(build, folder, ['a', 'b', 'c'])
    expect(b!.data.start).toBe(b!.data.end)
    expect(c!.data.start).toBeGreaterThanOrEqual(a!.data.end)
    expect(written(c!.bytes)![0]).toBeGreaterThan(written(a!.bytes)![1])
  })

  it('stays while the data fits, and moves after all others when it has grown', async () => {
    const build = beginBuild({})
    const folder = kernelFolder({ 'a.kernel.ts': withTable(10), 'b.kernel.ts': withTable(10) })
    const [a, b] = await buildAll(build, folder, ['a', 'b'])
    const smaller = await rebuilt(build, `${folder}/a.kernel.ts`, withTable(8))
    expect(smaller.data.start).toBe(a!.data.start)
    const larger = await rebuilt(build, `${folder}/a.kernel.ts`, withTable(40))
    expect(larger.data.start).toBeGreaterThanOrEqual(b!.data.end)
    expect((await buildAll(build, folder, ['b']))[0]!.data).toEqual(b!.data)
  })
})

describe('page 0', () => {
  it('is not used up by a table that grows again and again, as in a dev server', async () => {
    const build = beginBuild({})
    const folder = kernelFolder({ 'a.kernel.ts': withTable(4), 'b.kernel.ts': withTable(4) })
    await buildAll(build, folder, ['a', 'b'])
    for (const file of ['a', 'b', 'a'])
      for (const numbers of isShort ? [3000, 3400] : [3000, 3100, 3200, 3300, 3400]) {
        const { data } = await rebuilt(build, `${folder}/${file}.kernel.ts`, withTable(numbers))
        expect(data.end).toBeLessThan(0x10000)
      }
  })

  it('ends, and the error says what to do there', async () => {
    await expect(compileKernels(kernelFile(withTable(20_000)))).rejects.toThrow(
      /up to address 8\d{4}, .*below 65536\. Make tables smaller/,
    )
  })
})

async function buildAll(build: KernelBuild, folder: string, names: string[]) {
  const built = []
  for (const name of names)
    built.push(await compileSources(await readSources(`${folder}/${name}.kernel.ts`), build))
  return built
}

async function rebuilt(build: KernelBuild, file: string, text: string) {
  const { writeFileSync } = await import('node:fs')
  writeFileSync(file, text)
  return compileSources(await readSources(file), build)
}
