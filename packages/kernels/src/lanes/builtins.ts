// Owns the functions that a loop in lanes may call: AssemblyScript's own and the library's, with their types and lanes.
// It must never hold a function whose lanes give other bits than its scalar form.

import { isFloat, isNarrow, isSigned, type ValueType, type Wanted } from './valueTypes'

/** A function of AssemblyScript with one operand that gives a result of the operand's type. */
export interface UnaryBuiltin {
  /** What its operand is asked for. */
  readonly wanted: Wanted
  /** Code for lanes; undefined where there is none for the type. */
  lanes(type: ValueType, a: string): string | undefined
}

/** For integers these functions give back what they get. */
const rounding = (name: string): UnaryBuiltin => ({
  wanted: 'auto',
  lanes: (type, a) => (isFloat(type) ? `f32x4.${name}(${a})` : type === 'bool' ? undefined : a),
})

export const UNARY: ReadonlyMap<string, UnaryBuiltin> = new Map<string, UnaryBuiltin>([
  [
    'abs',
    {
      wanted: 'auto',
      lanes: (type, a) => {
        if (isFloat(type)) return `f32x4.abs(${a})`
        if (type === 'bool' || (isNarrow(type) && isSigned(type))) return undefined
        return isSigned(type) ? `i32x4.abs(${a})` : a
      },
    },
  ],
  ['sqrt', { wanted: 'f64', lanes: (type, a) => (isFloat(type) ? `f32x4.sqrt(${a})` : undefined) }],
  ['ceil', rounding('ceil')],
  ['floor', rounding('floor')],
  ['trunc', rounding('trunc')],
  ['nearest', rounding('nearest')],
])

/** A function of the library: operands and result of fixed types. */
export interface LibraryFunction {
  readonly parameters: readonly ValueType[]
  readonly result: ValueType
  /** The same for lanes. */
  readonly lanes: string
}

export const LIBRARY_FUNCTIONS: ReadonlyMap<string, LibraryFunction> = new Map<string, LibraryFunction>([
  ['rsqrt', { parameters: ['f32'], result: 'f32', lanes: 'rsqrtLanes' }],
  ['sin', { parameters: ['f32'], result: 'f32', lanes: 'sinLanes' }],
  ['cos', { parameters: ['f32'], result: 'f32', lanes: 'cosLanes' }],
  ['exp', { parameters: ['f32'], result: 'f32', lanes: 'expLanes' }],
  ['random', { parameters: ['u32', 'u32'], result: 'u32', lanes: 'randomLanes' }],
  ['randomFloat', { parameters: ['u32', 'u32'], result: 'f32', lanes: 'randomFloatLanes' }],
])

/** Functions of `Mathf` that are AssemblyScript's own for f32, bit for bit. */
export const MATHF: ReadonlySet<string> = new Set(['abs', 'sqrt', 'ceil', 'floor', 'trunc', 'min', 'max'])

/** Constants of `Mathf`. */
export const MATHF_CONSTANTS: ReadonlySet<string> = new Set([
  'E',
  'LN2',
  'LN10',
  'LOG2E',
  'LOG10E',
  'PI',
  'SQRT1_2',
  'SQRT2',
])

/** Constants that every type of numbers has; the last three are those of floats alone. */
export const TYPE_CONSTANTS: ReadonlySet<string> = new Set([
  'MIN_VALUE',
  'MAX_VALUE',
  'EPSILON',
  'MIN_NORMAL_VALUE',
  'MIN_SAFE_INTEGER',
  'MAX_SAFE_INTEGER',
])
