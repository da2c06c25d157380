// Exponentials and the logarithm, made of operations that every machine rounds alike: built-in ones leave their last bits open.
// tests/whole/exponential.long.once.test.js compares them with those of Math, and with a twin in JavaScript bit by bit.

const LN2_HIGH: f64 = 0.6931471803691238
const LN2_LOW: f64 = 1.9082149292705877e-10
const EXPONENT_BIAS: i32 = 1023
const FRACTION_BITS: u64 = 52

/** e^x for x from -700 to 700. */
export function exp(x: f64): f64 {
  const power = nearestPower(x)
  return powerOfTwo(power) * (1 + expm1OfRest(rest(x, power)))
}

/** e^x - 1 for x from -700 to 700. */
export function expm1(x: f64): f64 {
  const power = nearestPower(x)
  const scale = powerOfTwo(power)
  return scale * expm1OfRest(rest(x, power)) + (scale - 1)
}

function nearestPower(x: f64): f64 {
  return Math.floor(x * Math.LOG2E + 0.5)
}

function powerOfTwo(power: f64): f64 {
  return reinterpret<f64>(u64(i32(power) + EXPONENT_BIAS) << FRACTION_BITS)
}

function rest(x: f64, power: f64): f64 {
  return x - power * LN2_HIGH - power * LN2_LOW
}

function expm1OfRest(r: f64): f64 {
  const square = r * r
  const beyondOne =
    square *
    (1.0 / 12.0 +
      square *
        (-1.0 / 720.0 +
          square *
            (1.0 / 30240.0 +
              square *
                (-1.0 / 1209600.0 + square * (1.0 / 47900160.0 + square * (-691.0 / 1307674368000.0))))))
  return r / (1 + (beyondOne - r / 2))
}

/** The natural logarithm of a positive number that is not subnormal. */
export function log(x: f64): f64 {
  const bits = reinterpret<u64>(x)
  let power = i32(bits >> FRACTION_BITS) - EXPONENT_BIAS
  let m = reinterpret<f64>(bits - (u64(power) << FRACTION_BITS))
  if (m > Math.SQRT2) {
    m *= 0.5
    power++
  }
  const s = (m - 1) / (m + 1)
  return f64(power) * LN2_HIGH + (2 * s + (2 * s * artanhSeries(s * s) + f64(power) * LN2_LOW))
}

function artanhSeries(square: f64): f64 {
  let sum: f64 = 0
  for (let odd = 21; odd >= 3; odd -= 2) sum = square * (1 / f64(odd) + sum)
  return sum
}
