// Owns the AssemblyScript between a kernel and its caller: for each kernel a function that reads the arguments of format 2, walks
// the runs of the mask in each block, and joins the results. A kernel without rows is called once.

import type {
  ColumnParameter,
  KernelParameter,
  Reduction,
  ResourceParameter,
  ScalarParameter,
} from '../../../bindings/kernels/kernel'
import { KERNEL_KINDS } from './kinds'
import type { KernelSignature } from './signatures'

/** Number of the calling convention that the entry functions follow. */
export const FORMAT = 2

const JOINS: Record<Exclude<Reduction, 'none'>, string> = {
  sum: 'joinSum',
  count: 'joinSum',
  min: 'joinMin',
  max: 'joinMax',
}

/**
 * The text of the entry module. Every name of its own begins with two underscores, which no kernel's does: a kernel may be called
 * like a function that is used here.
 *
 * @param kernelsPath the kernels' file as the entry imports it: a plain name without quotes
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
${signatures.map((signature, k) => entryOf(k, signature, callees.get(signature.name) ?? signature.name)).join('')}`
}

/** The number of the kernel whose part of the entry an offset is in; undefined in front of all. */
export function entryAt(text: string, offset: number): number | undefined {
  const number = [...text.slice(0, offset).matchAll(/^function __entry(\d+)/gm)].at(-1)?.[1]
  return number === undefined ? undefined : Number(number)
}

function entryOf(number: number, signature: KernelSignature, callee: string): string {
  const { name, rows, lanes, parameters, result, resultKind } = signature
  const slots = parameters.map((_, k) => `slot${k}`)
  const run = rows ? [`changetype<__library.${lanes ? 'Lanes' : 'Rows'}>(run)`] : []
  const called = `__kernels.${callee}(${[...run, ...slots].join(', ')})`
  const join = result === 'none' ? undefined : JOINS[result]
  const joined = join ? `__reductions.${join}<${resultKind}>(result, ${called})` : called
  const numbers = [...parameters.filter(isScalar), ...parameters.filter(isResource)]
  const columns = parameters.filter((parameter) => !isScalar(parameter) && !isResource(parameter))
  const declared = (parameter: KernelParameter, value: string): string =>
    `const slot${parameters.indexOf(parameter)} = ${value}\n`
  const head = `
export { __entry${number} as ${name} }
function __entry${number}(address: usize, count: i32${join ? ', result: f64): f64' : '): void'} {
${numbers.map((parameter, k) => `  ${declared(parameter, numberOf(parameter, k))}`).join('')}`
  if (!rows) return `${head}  ${join ? 'return ' : ''}${joined}\n}\n`
  // One place calls the kernel, so that it is inlined there.
  return `${head}\
  let block = __arguments.firstBlock(address, ${numbers.length})
  for (let left = count; left > 0; left--) {
${columns.map((parameter, k) => `    ${declared(parameter, columnOf(parameter, k))}`).join('')}\
    const rows = __arguments.rowsOf(block)
    const mask = __arguments.maskOf(block)
    const end = rows >> 16
    let run = mask == 0 ? rows : __runs.nextRun(mask, rows & 0xffff, end)
    while ((run & 0xffff) < run >> 16) {
      ${join ? 'result = ' : ''}${joined}
      run = mask == 0 ? 0 : __runs.nextRun(mask, run >> 16, end)
    }
    block += __arguments.blockBytes(${columns.length})
  }
${join ? '  return result\n' : ''}}
`
}

function isScalar(parameter: KernelParameter): parameter is ScalarParameter {
  return parameter.role === 'scalar'
}

function isResource(parameter: KernelParameter): parameter is ResourceParameter {
  return parameter.role === 'resource'
}

function numberOf(parameter: ScalarParameter | ResourceParameter, k: number): string {
  const { kind } = parameter
  if (parameter.role === 'resource') {
    const type = `${parameter.writes ? '' : 'Readonly'}Resource<${KERNEL_KINDS[kind].element}>`
    return `__arguments.resourceOf<__library.${type}>(address, ${k})`
  }
  // A bool is a whole u32, of which only the lowest byte would be read.
  if (kind === 'bool') return `__arguments.numberOf<u32>(address, ${k}) != 0`
  return `__arguments.numberOf<${kind}>(address, ${k})`
}

function columnOf(parameter: KernelParameter, k: number): string {
  if (parameter.role === 'entities') return `__arguments.columnOf<__library.Entities>(block, ${k})`
  if (parameter.role === 'parent') {
    const { kind } = parameter
    return `__arguments.columnOf<__library.ParentColumn<${KERNEL_KINDS[kind].element}>>(block, ${k})`
  }
  const { kind, length, writes } = parameter as ColumnParameter
  const type = `${writes ? '' : 'Readonly'}${length === 1 ? '' : `Vec${length}`}Column<${KERNEL_KINDS[kind].element}>`
  return `__arguments.columnOf<__library.${type}>(block, ${k})`
}
