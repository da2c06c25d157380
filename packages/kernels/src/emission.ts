// Owns the text of what the compiler writes: the module of kernels and its declarations.
// The module must never import anything except what runs kernels.

import type { KernelDescription, KernelParameter } from '../../../bindings/kernels/kernel'

/** A kernel and the comment that its source has on it. */
export interface EmittedKernel {
  readonly description: KernelDescription
  readonly doc: string | undefined
}

/** The JavaScript module: one constant for each kernel, with what runs it. */
export function moduleText(kernels: readonly EmittedKernel[]): string {
  const names = new Set(kernels.map(({ description }) => description.kernel))
  const code = freeName('code', names)
  const runtime = freeName('kernelRuntime', names)
  const shared = kernels[0]?.description.code
  const imported = runtime === 'kernelRuntime' ? runtime : `kernelRuntime as ${runtime}`
  return `${madeFrom(shared?.file)}
import { ${imported} } from 'strata-ecs'
const ${code} = ${JSON.stringify(shared)}
${kernels.map(({ description }) => constantText(description, code, runtime)).join('')}`
}

/** The first line. A name with a line break would go on behind the comment. */
function madeFrom(file = ''): string {
  return `// Made by strata-kernels from ${file.replace(/[\n\r\u2028\u2029]/g, ' ')}. Do not edit.`
}

/** A name that no kernel has. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? freeName(`${name}_`, taken) : name
}

function constantText(description: KernelDescription, shared: string, runtime: string): string {
  const { kernel, format, rows, parameters, result } = description
  return `export const ${kernel} = {
  kernel: ${JSON.stringify(kernel)},
  format: ${format},${rows === false ? '\n  rows: false,' : ''}
  runtime: ${runtime},
  ${shared === 'code' ? 'code' : `code: ${shared}`},
  parameters: [
${parameters.map((parameter) => `    ${JSON.stringify(parameter)},\n`).join('')}  ],
  result: ${JSON.stringify(result)},
}
`
}

/** The declarations of that module: the type of each kernel, with its comment. */
export function declarationText(kernels: readonly EmittedKernel[]): string {
  const type = freeName('Kernel', new Set(kernels.map(({ description }) => description.kernel)))
  const imported = type === 'Kernel' ? type : `Kernel as ${type}`
  return `${madeFrom(kernels[0]?.description.code.file)}
import { type ${imported} } from 'strata-ecs'
${kernels
  .map(
    ({ description, doc }) =>
      `\n${doc === undefined ? '' : `${doc}\n`}${kernelDeclaration(description, type)}\n`,
  )
  .join('')}`
}

function kernelDeclaration({ kernel, rows, parameters, result }: KernelDescription, type: string): string {
  const bound = parameters.filter(({ role }) => role !== 'scalar' && role !== 'entities').map(property)
  const scalars = parameters.filter(({ role }) => role === 'scalar').map(property)
  const returned = result === 'none' ? 'void' : 'number'
  const types = [shape(bound), shape(scalars), returned, ...(rows === false ? ['false'] : [])]
  return `export declare const ${kernel}: ${type}<${types.join(', ')}>`
}

function shape(properties: readonly string[]): string {
  return properties.length === 0 ? '{}' : `{ ${properties.join('; ')} }`
}

function property(parameter: KernelParameter): string {
  if (parameter.role === 'column') {
    const kind = `'${parameter.kind}'`
    return `${parameter.name}: ${parameter.length === 1 ? kind : `[${kind}, ${parameter.length}]`}`
  }
  if (parameter.role === 'parent') return `${parameter.name}: { parent: '${parameter.kind}' }`
  if (parameter.role === 'resource') return `${parameter.name}: { resource: '${parameter.kind}' }`
  return `${parameter.name}: ${parameter.role === 'scalar' && parameter.kind === 'bool' ? 'boolean' : 'number'}`
}
