// Shows with random kernels that a kernel over Lanes leaves bit-identical columns to the same kernel over Rows.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  ARGUMENTS,
  ROWS,
  columnsOf,
  fill,
  ownerOf,
  randomKernel,
  sourceOf,
  type RandomKernel,
} from './support/laneKernels'
import { compileText } from './support/laneSource'
import { isShort, proofLength } from '../../../tests/support/proofs'

// Kernels a compilation: the compiler takes far longer to start than to compile one more.
const KERNELS = isShort ? 4 : 12

type Run = (block: number) => number | undefined

function difference(a: Uint8Array, b: Uint8Array): string | undefined {
  const at = a.findIndex((byte, k) => byte !== b[k])
  return at === -1 ? undefined : ownerOf(at)
}

/** Runs both forms over the same columns. */
function compare(kernel: RandomKernel, rows: Run, lanes: Run, memory: WebAssembly.Memory): void {
  const runs = [...Array.from({ length: 14 }, (_, length) => [length % 5, length]), [0, ROWS], [3, 45]]
  for (const [k, [start, length]] of runs.entries()) {
    const end = start + length
    const run = (form: Run): { result: number | undefined; columns: Uint8Array } => {
      fill(memory, start, end, k * 7919 + 1)
      const result = form(ARGUMENTS)
      return { result, columns: columnsOf(memory) }
    }
    const [wanted, got] = [run(rows), run(lanes)]
    const where = `rows ${start} to ${end} of\n${kernel.type}\n${kernel.body}`
    if (!Object.is(wanted.result, got.result))
      throw new Error(`${got.result} instead of ${wanted.result}, ${where}`)
    const differs = difference(wanted.columns, got.columns)
    if (differs !== undefined) throw new Error(`${differs} differs, ${where}`)
  }
}

test('a kernel over Lanes has the same bits as the same kernel over Rows', async () => {
  let compared = 0
  await fc.assert(
    fc.asyncProperty(fc.array(randomKernel, { minLength: KERNELS, maxLength: KERNELS }), async (kernels) => {
      const { bytes } = await compileText(sourceOf(kernels))
      const memory = new WebAssembly.Memory({ initial: 4 })
      const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes as BufferSource), {
        env: { memory },
      })
      for (const [k, kernel] of kernels.entries()) {
        compare(kernel, exports[`rows${k}`] as Run, exports[`lanes${k}`] as Run, memory)
        compared++
      }
    }),
    // Each step of shrinking would compile once more: the message names the one kernel that differs.
    { numRuns: proofLength(Number(process.env.LANES_RUNS ?? 3)), endOnFailure: true },
  )
  expect(compared).toBeGreaterThanOrEqual(KERNELS * proofLength(3))
})
