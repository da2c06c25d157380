// Owns the functions of the kernel library as a compiled loop takes them: as texts that give the bits of functions.ts. In them
// `bitsOf` gives the bits of an f32, and `floatOf` the f32 of bits. Each function carries its text, so that a program has those
// of the functions that it uses.

/** Where a function carries its text. Programs may hold this module twice. */
export const LOOP_TEXT = Symbol.for('strata-ecs.loopText')

/** The function, with the text that a compiled loop takes in its place: a minifier may have changed the code of the function. */
export function withLoopText<F extends object>(text: () => string, call: F): F {
  return Object.defineProperty(call, LOOP_TEXT, { value: text() })
}

/** Rounds each operation to f32. */
const f = (text: string): string => `Math.fround(${text})`
/** a * b + c, and a - b * c. */
const added = (a: string, b: string, c: string): string => f(`${f(`${a} * ${b}`)} + ${c}`)
const subtracted = (a: string, b: string, c: string): string => f(`${a} - ${f(`${b} * ${c}`)}`)
/** Rounds a number below 2^22 to a whole one. */
const WHOLE = '12582912'

const clamped = (x: string, least: string, most: string): string =>
  `${x} < ${least} ? ${least} : ${most} < ${x} ? ${most} : ${x}`

export const sine = (quarters: number): string => `x => {
  const shifted = ${added(f('x'), f('0.6366197723675814'), WHOLE)}
  const turns = ${f(`shifted - ${WHOLE}`)}
  let r = ${subtracted(f('x'), 'turns', '1.5703125')}
  r = ${subtracted('r', 'turns', '4.837512969970703125e-4')}
  r = ${subtracted('r', 'turns', f('7.549790126404332e-8'))}
  r = ${clamped('r', f('-0.787'), f('0.787'))}
  const z = ${f('r * r')}
  const s = ${added(added('-0.00019494234584271908', 'z', '0.008331967517733574'), 'z', '-0.16666650772094727')}
  const c = ${added(added('0.000024436976673314348', 'z', '-0.001388735487125814'), 'z', '0.04166664555668831')}
  const q = bitsOf(shifted) + ${quarters}
  const v = (q & 1) !== 0
    ? ${f(`${subtracted(f(`${f('c * z')} * z`), '0.5', 'z')} + 1`)}
    : ${added(f('s * z'), 'r', 'r')}
  return (q & 2) !== 0 ? -v : v
}`

export const exponential = (): string => `x => {
  x = ${f('x')}
  x = ${clamped('x', '-104', '89')}
  const power = ${f(`${added('x', f('1.4426950408889634'), WHOLE)} - ${WHOLE}`)}
  const r = ${subtracted(subtracted('x', 'power', '0.693359375'), 'power', f('-2.1219444170128554e-4'))}
  let v = ${added('0.001381453825160861', 'r', '0.00836874544620514')}
  v = ${added('v', 'r', '0.04166838899254799')}
  v = ${added('v', 'r', '0.1666652113199234')}
  v = ${added('v', 'r', '0.4999999403953552')}
  v = ${f(`${added(f('v * r'), 'r', 'r')} + 1`)}
  const half = power >> 1
  return ${f(`${f('v * floatOf(half + 127 << 23)')} * floatOf((power | 0) - half + 127 << 23)`)}
}`

const bitsFrom = (result: string): string => `(k, c) => {
  let x = c ^ Math.imul(k, 0x9e3779b9)
  x = Math.imul(x ^ x >>> 16, 0x7feb352d)
  x = Math.imul(x ^ x >>> 15, 0x846ca68b)
  x = (x ^ x >>> 16) + Math.imul(k, 0x85ebca6b) | 0
  x = Math.imul(x ^ x >>> 16, 0x21f0aaad)
  x = Math.imul(x ^ x >>> 15, 0xd35a2d97)
  x ^= x >>> 15
  return ${result}
}`
export const randomBits = (): string => bitsFrom('x >>> 0')
export const randomFraction = (): string => bitsFrom('(x >>> 8) / 16777216')

export const rootReciprocal = (): string => `x => ${f(`1 / ${f(`Math.sqrt(${f('x')})`)}`)}`
