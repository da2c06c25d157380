// Owns the value of an expression, and what becomes of it: a value of another type, a condition, four lanes.

import type { Expression, Node, TypeNode } from 'assemblyscript'
import { textOf } from '../syntax'
import type { KernelFile } from './kernelFile'
import { laneConversion } from './operations'
import { refuse } from './refusal'
import type { Scope } from './scope'
import { fitsLanes, isAssignable, isFloat, type ValueType, type Wanted } from './valueTypes'

/** An expression, compiled. */
export interface Value {
  readonly type: ValueType
  /** Whether it is one number for all rows. Then the text is plain AssemblyScript of this type, else a v128. */
  readonly uniform: boolean
  readonly text: string
}

/** A function of the user's file, of which there is a form for lanes. */
export interface HelperSignature {
  readonly parameters: readonly ValueType[]
  readonly result: ValueType
  /** The name of its form for lanes. */
  readonly lanes: string
}

/** What an expression needs of where it stands. */
export interface Surroundings {
  readonly file: KernelFile
  /** Names the value of an expression that is the same in all iterations. */
  hoist(text: string): string
  /** Names a value of this iteration. */
  keep(text: string): string
  /** Names the four row numbers. */
  rowNumbers(): string
  /** The form for lanes of a function of the file. */
  helper(name: string, call: Node): HelperSignature
}

/** What all parts of the translation share: where they stand, and the conversion of values. */
export abstract class Conversions {
  readonly around: Surroundings
  scope: Scope

  constructor(around: Surroundings, scope: Scope) {
    this.around = around
    this.scope = scope
  }

  /** The value of an expression where a type is wanted, without any conversion to it. */
  abstract value(expression: Expression, wanted: Wanted): Value

  get file(): KernelFile {
    return this.around.file
  }

  refuse(node: Node, message: string): never {
    return refuse(this.file.source, node, message)
  }

  /** The node as the source has it. */
  written(node: Node): string {
    return textOf(this.file.source, node)
  }

  /** The type of a number that is written in the source. */
  typeOf(node: TypeNode): ValueType {
    return (
      this.file.valueType(node) ??
      this.refuse(node, `Loops in lanes know numbers alone, not '${this.written(node)}'.`)
    )
  }

  /** The value of an expression as AssemblyScript converts it without a cast. */
  converted(expression: Expression, type: ValueType): Value {
    const value = this.value(expression, type)
    if (!isAssignable(value.type, type)) {
      const advice =
        type === 'f32' && value.type === 'f64'
          ? 'Give its numbers the type f32, as in `f32(0.5)`, or cast it'
          : 'Cast it'
      this.refuse(
        expression,
        `This is ${an(value.type)}, and ${an(type)} is wanted. ${advice}: \`${type}(x)\`.`,
      )
    }
    return this.cast(value, type, expression)
  }

  /** The value of an expression as a condition. */
  condition(expression: Expression): Value {
    return this.truth(this.value(expression, 'bool'))
  }

  /** The value in four lanes. */
  lanes(value: Value, node: Node): string {
    if (!fitsLanes(value.type)) this.refuseWide(value.type, node)
    if (!value.uniform) return value.text
    return this.around.hoist(`__library.splatLanes<${value.type}>(${value.text})`)
  }

  /** A conversion, whether it needs a cast or not. */
  cast(value: Value, type: ValueType, node: Node): Value {
    if (value.type === type) return value
    if (value.uniform) return { type, uniform: true, text: `<${type}>(${value.text})` }
    if (!fitsLanes(type)) this.refuseWide(type, node)
    if (type === 'bool' && !isFloat(value.type))
      // AssemblyScript leaves all bits of the integer in the bool, and what they do depends on what follows.
      this.refuse(node, `An integer cast to bool is not the same everywhere. Compare it: \`x != 0\`.`)
    return { type, uniform: false, text: laneConversion(value.type, type, value.text) }
  }

  private refuseWide(type: ValueType, node: Node): never {
    const number =
      type === 'f64' ? ' Numbers such as 0.5 are f64 unless an f32 stands before them: write `f32(0.5)`.' : ''
    return this.refuse(
      node,
      `This is ${an(type)}, and lanes hold 32 bits.${number} Compute in ${type === 'f64' ? 'f32' : '32 bits'}, or take \`Rows\` instead of \`Lanes\` for a plain loop.`,
    )
  }

  /** Whether a value counts as true: not 0 and not NaN. */
  truth(value: Value): Value {
    if (value.type === 'bool') return value
    if (value.uniform) return { type: 'bool', uniform: true, text: `!!(${value.text})` }
    return { type: 'bool', uniform: false, text: laneConversion(value.type, 'bool', value.text) }
  }
}

/** A type with its article. */
export function an(type: ValueType): string {
  return `${/^[if]/.test(type) ? 'an' : 'a'} ${type}`
}
