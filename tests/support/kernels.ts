// Gives a test kernels: compiled from a text by the compiler that users have, and run by the code under test.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileKernels } from '../../packages/kernels/src/index'
import { type Kernel, type KernelColumns, type KernelScalars, kernelRuntime } from '../../bindings/index'

const NAMES =
  'Rows, Lanes, Column, ReadonlyColumn, Vec3Column, ReadonlyVec3Column, Resource, ReadonlyResource, ParentColumn, Entities, Entity, Text, Sum, Min, Max, Count'

/** A kernel of which nothing is known. */
type AnyKernel = Kernel<KernelColumns, KernelScalars, void | number, any>

/** The kernels of a text, by name. It need not import what is in 'strata-ecs/kernel'. */
export async function kernelsOf(text: string, file = 'test.kernel.ts'): Promise<Record<string, AnyKernel>> {
  const used = NAMES.split(', ').filter((name) => new RegExp(`\\b${name}\\b`).test(text))
  const folder = await mkdtemp(join(tmpdir(), 'strata-kernels-'))
  try {
    const path = join(folder, file)
    await writeFile(path, `import { ${used.join(', ')} } from 'strata-ecs/kernel'\n${text}`)
    const { kernels } = await compileKernels(path)
    return Object.fromEntries(kernels.map((kernel) => [kernel.kernel, { ...kernel, runtime: kernelRuntime }]))
  } finally {
    await rm(folder, { recursive: true })
  }
}
