// Owns the AssemblyScript between a kernel and whoever runs it: for each kernel a function that takes its arguments from
// the block of format 1, walks the runs of the mask and joins the results.
// It must never depend on what a kernel does.

import type { KernelParameter, Reduction } from '../bindings/kernel'
import type { KernelSignature } from './signatures'

/** Number of the calling convention that the entry functions follow. */
export const FORMAT = 1

const ELEMENTS: Partial<Record<string, string>> = { entity: 'u32', text: 'u32' }
const JOINS: Record<Exclude<Reduction, 'none'>, { empty: string; join: string }> = {
  sum: { empty: 'EMPTY_SUM', join: 'joinSum' },
  count: { empty: 'EMPTY_SUM', join: 'joinSum' },
  min: { empty: 'EMPTY_MIN', join: 'joinMin' },
  max: { empty: 'EMPTY_MAX', join: 'joinMax' },
}

/**
 * The text of the entry module. Every name of its own begins with two underscores, which no kernel's does.
 *
 * @param kernelsPath the kernels' file as the entry imports it, `./movement.kernel`
 * @param callees the function to call for a kernel, by the kernel's name, where it is not the kernel itself
 */
export function entryText(
  signatures: readonly KernelSignature[],
  kernelsPath: string,
  callees: ReadonlyMap<string, string> = new Map(),
): string {
  return `import * as __arguments from 'strata-ecs/kernel/arguments'
import * as __library from 'strata-ecs/kernel'
import * as __reductions from 'strata-ecs/kernel/reductions'
import * as __runs from 'strata-ecs/kernel/runs'
import * as __kernels from '${kernelsPath}'
${signatures.map((signature) => entryOf(signature, callees.get(signature.name) ?? signature.name)).join('')}`
}

function entryOf({ name, lanes, parameters, result, resultKind }: KernelSignature, callee: string): string {
  const call = [
    `changetype<__library.${lanes ? 'Lanes' : 'Rows'}>(run)`,
    ...parameters.map((_, k) => `slot${k}`),
  ]
  const called = `__kernels.${callee}(${call.join(', ')})`
  const reduction = result === 'none' ? undefined : JOINS[result]
  // One place calls the kernel, so that it is inlined there.
  return `
export function ${name}(block: usize): ${reduction ? 'f64' : 'void'} {
${parameters.map((parameter, k) => `  const slot${k} = ${argumentOf(parameter, k)}\n`).join('')}\
  const rows = __arguments.rowsOf(block)
  const mask = __arguments.maskOf(block)
  const end = rows >> 16
${reduction ? `  let result = __reductions.${reduction.empty}\n` : ''}\
  let run = mask == 0 ? rows : __runs.nextRun(mask, rows & 0xffff, end)
  while ((run & 0xffff) < run >> 16) {
    ${reduction ? `result = __reductions.${reduction.join}<${resultKind}>(result, ${called})` : called}
    run = mask == 0 ? 0 : __runs.nextRun(mask, run >> 16, end)
  }
${reduction ? '  return result\n' : ''}}
`
}

function argumentOf(parameter: KernelParameter, k: number): string {
  if (parameter.role === 'entities') return `__arguments.columnOf<__library.Entities>(block, ${k})`
  // A bool is a whole u32, of which only the lowest byte would be read.
  if (parameter.role === 'scalar')
    return parameter.kind === 'bool'
      ? `__arguments.scalarOf<u32>(block, ${k}) != 0`
      : `__arguments.scalarOf<${parameter.kind}>(block, ${k})`
  const vec = parameter.length === 1 ? '' : `Vec${parameter.length}`
  const type = `${parameter.writes ? '' : 'Readonly'}${vec}Column<${ELEMENTS[parameter.kind] ?? parameter.kind}>`
  return `__arguments.columnOf<__library.${type}>(block, ${k})`
}
