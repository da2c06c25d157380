// Owns the numbers that a kernel takes besides columns: the check of what a run is given, and its way into memory.
// It must never write anything before all are checked.

import { KERNEL_ARGUMENTS_ADDRESS } from '../../build/layout'
import { INTEGER_RANGE } from '../components/fields'
import { describe } from '../memory/describe'
import { StrataTypeError } from '../memory/errors'
import type { Heap } from '../memory/heap'
import { type KernelDescription, type ScalarKind, type ScalarParameter, nameOf, operationOf } from './kernel'

const SCALAR_BYTES = 8

interface Scalar {
  readonly name: string
  readonly kind: ScalarKind
  readonly address: number
}

/** The scalars of one kernel. */
export class Scalars {
  private readonly list: readonly Scalar[]
  private readonly names: ReadonlySet<string>
  /** The byte address behind them. */
  readonly end: number

  constructor(private readonly kernel: KernelDescription) {
    const isScalar = (parameter: { role: string }): parameter is ScalarParameter =>
      parameter.role === 'scalar'
    this.list = kernel.parameters.filter(isScalar).map(({ name, kind }, k) => {
      return { name, kind, address: KERNEL_ARGUMENTS_ADDRESS + k * SCALAR_BYTES }
    })
    this.end = KERNEL_ARGUMENTS_ADDRESS + this.list.length * SCALAR_BYTES
    this.names = new Set(this.list.map(({ name }) => name))
  }

  /**
   * Throws unless there is a value of the right kind for each scalar, and nothing else. Allocates nothing.
   *
   * @throws StrataTypeError INVALID_BINDING
   */
  check(given: unknown): asserts given is Record<string, number> | undefined {
    const { list, names } = this
    if (typeof given !== 'object' || given === null) {
      if (given === undefined && list.length === 0) return
      throw this.invalid(`takes its scalars as an object, ${this.example()}; got ${describe(given)}`)
    }
    for (const name in given) {
      if (!names.has(name)) {
        throw this.invalid(`has no scalar '${name}': ${this.known()}`)
      }
    }
    const values = given as Record<string, unknown>
    for (let i = 0; i < list.length; i++) {
      const { name, kind } = list[i] as Scalar
      const value = values[name]
      if (!accepts(kind, value)) {
        throw this.invalid(`takes ${wanted(kind)} for '${name}', not ${describe(value)}`)
      }
    }
  }

  /** Writes checked values where the kernel reads them. */
  write(heap: Heap, given: Record<string, number> | undefined): void {
    const { list } = this
    for (let i = 0; i < list.length; i++) {
      const { name, kind, address } = list[i] as Scalar
      const value = (given as Record<string, number>)[name] as number
      if (kind === 'f64') heap.f64[address >> 3] = value
      else if (kind === 'f32') heap.f32[address >> 2] = value
      else heap.u32[address >> 2] = kind === 'bool' ? Number(value) : value
    }
  }

  private invalid(sentence: string): StrataTypeError {
    return new StrataTypeError(
      'INVALID_BINDING',
      `${operationOf(this.kernel)}: ${nameOf(this.kernel)} ${sentence}.`,
    )
  }

  private known(): string {
    const names = this.list.map(({ name }) => name)
    return names.length === 0 ? 'it takes none' : `its scalars are ${names.join(', ')}`
  }

  private example(): string {
    return `{ ${this.list.map(({ name }) => name).join(', ')} }`
  }
}

function accepts(kind: ScalarKind, value: unknown): boolean {
  if (kind === 'bool') return typeof value === 'boolean'
  if (typeof value !== 'number') return false
  if (kind === 'f32' || kind === 'f64') return true
  const range = INTEGER_RANGE[kind]
  return Number.isInteger(value) && value >= range[0] && value <= range[1]
}

function wanted(kind: ScalarKind): string {
  if (kind === 'bool') return 'true or false'
  if (kind === 'f32' || kind === 'f64') return `a number (${kind})`
  const [least, most] = INTEGER_RANGE[kind]
  return `a whole number from ${least} to ${most} (${kind})`
}
