// Owns the scalars of a kernel: reads and checks what a run is given, and writes it where the kernel reads it. It must never read
// what a user gave twice, nor write what it has not checked.

import { KERNEL_ARGUMENTS_ADDRESS } from '../../build/layout'
import { KINDS, acceptsScalar, isFloat } from '../components/fieldKinds'
import { describe } from '../memory/describe'
import { StrataTypeError } from '../memory/errors'
import type { Heap } from '../memory/heap'
import { type KernelDescription, type ScalarKind, type ScalarParameter, nameOf, operationOf } from './kernel'
import { COMPILED } from './kernelFormat'

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
  /** For what the next run takes; undefined while a run is about to write what it took. */
  private spare: Float64Array | undefined

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
   * The values of a run, in the order of the scalars, read once: reading may run any code. Throws unless there is one of
   * the right kind for each scalar, and nothing else. Allocates nothing, but for a run inside of such code.
   *
   * @throws StrataTypeError INVALID_BINDING
   */
  take(given: unknown): Float64Array {
    const { list, names } = this
    const taken = this.spare ?? new Float64Array(list.length)
    this.spare = undefined
    if (typeof given !== 'object' || given === null) {
      if (given === undefined && list.length === 0) return taken
      throw this.invalid(`takes its ${this.word}s as an object, ${this.example()}; got ${describe(given)}`)
    }
    for (const name in given) {
      if (!names.has(name) && Object.hasOwn(given, name)) {
        throw this.invalid(`has no ${this.word} '${name}': ${this.known()}`)
      }
    }
    const values = given as Record<string, unknown>
    for (let i = 0; i < list.length; i++) {
      const { name, kind } = list[i] as Scalar
      const value = values[name]
      if (!acceptsScalar(kind, value)) {
        throw this.invalid(`takes ${wanted(kind)} for '${name}', not ${describe(value)}`)
      }
      taken[i] = Number(value)
    }
    return taken
  }

  /** Writes what was taken where the kernel reads it. */
  write(heap: Heap, taken: Float64Array): void {
    const { list } = this
    for (let i = 0; i < list.length; i++) {
      const { kind, address } = list[i] as Scalar
      const value = taken[i] as number
      switch (kind) {
        case 'f64':
          heap.f64[address >> 3] = value
          break
        case 'f32':
          heap.f32[address >> 2] = value
          break
        case 'i32':
        case 'u32':
        case 'bool':
          heap.u32[address >> 2] = value
          break
        default:
          kind satisfies never
      }
    }
    this.spare = taken
  }

  /** What a number of a run is called: of a compiled loop it is one of the values. */
  private get word(): string {
    return this.kernel.code.file === COMPILED ? 'value' : 'scalar'
  }

  private invalid(sentence: string): StrataTypeError {
    return new StrataTypeError(
      'INVALID_BINDING',
      `${operationOf(this.kernel)}: ${nameOf(this.kernel)} ${sentence}.`,
    )
  }

  private known(): string {
    const names = this.list.map(({ name }) => name)
    return names.length === 0 ? 'it takes none' : `its ${this.word}s are ${names.join(', ')}`
  }

  private example(): string {
    return `{ ${this.list.map(({ name }) => name).join(', ')} }`
  }
}

function wanted(kind: ScalarKind): string {
  if (kind === 'bool') return 'true or false'
  if (isFloat(kind)) return `a number (${kind})`
  const [least, most] = KINDS[kind].range
  return `a whole number from ${least} to ${most} (${kind})`
}
