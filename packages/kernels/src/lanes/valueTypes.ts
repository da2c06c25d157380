// Owns AssemblyScript's types of numbers, and its rules for implicit conversions.
// It must never be cleverer than the AssemblyScript compiler: what that refuses is refused here.

/** A type of numbers. `usize` and `isize` are left out: no kernel has a use for them in a loop. */
export type ValueType = 'bool' | 'i8' | 'u8' | 'i16' | 'u16' | 'i32' | 'u32' | 'i64' | 'u64' | 'f32' | 'f64'
/** What the place of an expression asks for: a type, or nothing in particular. */
export type Wanted = ValueType | 'auto'

const BITS: Record<ValueType, number> = {
  bool: 1,
  i8: 8,
  u8: 8,
  i16: 16,
  u16: 16,
  i32: 32,
  u32: 32,
  i64: 64,
  u64: 64,
  f32: 32,
  f64: 64,
}

export function isValueType(name: string): name is ValueType {
  return Object.hasOwn(BITS, name)
}

export function isFloat(type: ValueType): boolean {
  return type === 'f32' || type === 'f64'
}

export function isSigned(type: ValueType): boolean {
  return type.startsWith('i')
}

/** Whether the type is an integer narrower than 32 bits: in lanes it is widened, and cut after each operation. */
export function isNarrow(type: ValueType): boolean {
  return !isFloat(type) && type !== 'bool' && BITS[type] < 32
}

/** Whether four values of the type fit into a vector. */
export function fitsLanes(type: ValueType): boolean {
  return BITS[type] <= 32
}

export const LANE_TYPES = (Object.keys(BITS) as ValueType[]).filter(fitsLanes)

/** The width of an integer, from which a shift's amount is taken modulo. */
export function bitsOf(type: ValueType): number {
  return BITS[type]
}

/** Whether a value is converted without a cast. */
export function isAssignable(from: ValueType, to: ValueType, signednessMatters = false): boolean {
  if (from === to) return true
  if (isFloat(from)) return isFloat(to) && BITS[from] <= BITS[to]
  if (to === 'f32') return BITS[from] <= 23
  if (to === 'f64') return BITS[from] <= 52
  if (signednessMatters && from !== 'bool' && isSigned(from) !== isSigned(to)) return false
  return BITS[from] <= BITS[to]
}

/** The type in which two operands meet; undefined where there is none without a cast. */
export function commonType(
  left: ValueType,
  right: ValueType,
  signednessMatters = false,
): ValueType | undefined {
  if (isAssignable(right, left, signednessMatters)) return left
  if (isAssignable(left, right, signednessMatters)) return right
  return undefined
}

/** What a bitwise operation asks of its left side. */
export function integerWanted(wanted: Wanted): Wanted {
  if (wanted === 'bool' || wanted === 'f32') return 'i32'
  return wanted === 'f64' ? 'i64' : wanted
}

const LEAST: Partial<Record<ValueType, bigint>> = { i8: -0x80n, i16: -0x8000n, i32: -0x80000000n }
const MOST: Partial<Record<ValueType, bigint>> = {
  bool: 1n,
  i8: 0x7fn,
  u8: 0xffn,
  i16: 0x7fffn,
  u16: 0xffffn,
  i32: 0x7fffffffn,
  u32: 0xffffffffn,
}

/** The type of an integer literal, `negative` with a minus before it. */
export function integerLiteralType(value: bigint, negative: boolean, wanted: Wanted): ValueType {
  if (negative && value === 0n) {
    if (wanted !== 'auto') return wanted
    return 'f64'
  }
  const whole = negative ? -value : value
  if (wanted !== 'auto') {
    if (BITS[wanted] === 64 || isFloat(wanted)) return wanted
    if (whole >= (LEAST[wanted] ?? 0n) && whole <= MOST[wanted]!) return wanted
  }
  if (whole >= LEAST.i32! && whole <= MOST.i32!) return 'i32'
  if (whole >= 0n && whole <= MOST.u32!) return 'u32'
  return 'i64'
}
