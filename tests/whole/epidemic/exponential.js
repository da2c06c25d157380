// Exponentials and the logarithm, made of operations that every machine rounds alike, for JavaScript leaves the last bits of Math.exp,
// Math.expm1 and Math.log open: the twin of examples/epidemic/kernels/exponential.ts.

// ln 2 in two parts. The first ends in 21 zero bits, so that its product with a small whole number is exact.
const LN2_HIGH = 0.6931471803691238
const LN2_LOW = 1.9082149292705877e-10
const SMALLEST_NORMAL = 2.2250738585072014e-308
const SMALLEST_NORMAL_EXPONENT = -1022
const EXPONENT_BIAS = 1023
const FRACTION_BITS_IN_HIGH_WORD = 20

const powersOfTwo = tabulatePowersOfTwo()
const float = new Float64Array(1)
const words = new Uint32Array(float.buffer)

/** e^x for x from -700 to 700; at most 2 units in the last place off. */
export function exp(x) {
  const power = nearestPower(x)
  return powersOfTwo[power - SMALLEST_NORMAL_EXPONENT] * (1 + expm1OfRest(rest(x, power)))
}

/** e^x - 1 for x from -700 to 700, with all digits where x is small; at most 3 units in the last place off. */
export function expm1(x) {
  const power = nearestPower(x)
  const scale = powersOfTwo[power - SMALLEST_NORMAL_EXPONENT]
  return scale * expm1OfRest(rest(x, power)) + (scale - 1)
}

/** The whole number k for which 2^k is nearest to e^x, in ratio. */
function nearestPower(x) {
  return Math.floor(x * Math.LOG2E + 0.5)
}

/** What x has beyond k times ln 2: at most half of ln 2 to either side. */
function rest(x, power) {
  return x - power * LN2_HIGH - power * LN2_LOW
}

/**
 * e^r - 1 is r / (h coth h - h) with h = r / 2, and h coth h is 1 + r²/12 - r⁴/720 ...: its coefficients are the
 * Bernoulli numbers B(2n) / (2n)!. What is left out after the sixth is below a twentieth of a unit in the last place.
 */
function expm1OfRest(r) {
  const square = r * r
  const beyondOne =
    square *
    (1 / 12 +
      square *
        (-1 / 720 +
          square *
            (1 / 30240 +
              square * (-1 / 1209600 + square * (1 / 47900160 + square * (-691 / 1307674368000))))))
  return r / (1 + (beyondOne - r / 2))
}

/**
 * The natural logarithm of a positive number that is not subnormal; at most 2 units in the last place off.
 * With x = m 2^k and m between √½ and √2 it is k ln 2 + 2 artanh((m - 1) / (m + 1)), the artanh from its series.
 */
export function log(x) {
  float[0] = x
  const high = words[1]
  let power = (high >>> FRACTION_BITS_IN_HIGH_WORD) - EXPONENT_BIAS
  words[1] = high - (power << FRACTION_BITS_IN_HIGH_WORD)
  let m = float[0]
  if (m > Math.SQRT2) {
    m *= 0.5
    power++
  }
  const s = (m - 1) / (m + 1)
  return power * LN2_HIGH + (2 * s + (2 * s * artanhSeries(s * s) + power * LN2_LOW))
}

/** artanh(s) / s - 1 = s²/3 + s⁴/5 + ...; what is left out is below 10^-18. */
function artanhSeries(square) {
  let sum = 0
  for (let odd = 21; odd >= 3; odd -= 2) sum = square * (1 / odd + sum)
  return sum
}

/** 2^-1022 to 2^1023. Made by doubling, which is exact everywhere; `2 ** k` need not be. */
function tabulatePowersOfTwo() {
  const powers = new Float64Array(EXPONENT_BIAS - SMALLEST_NORMAL_EXPONENT + 1)
  let power = SMALLEST_NORMAL
  for (let index = 0; index < powers.length; index++, power *= 2) powers[index] = power
  return powers
}
