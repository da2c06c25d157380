// How many of n people an event befalls in a day, drawn with a single uniform number: the twin of examples/epidemic/kernels/binomial.ts.
// The two do not differ by a single operation.

import { exp, expm1, log } from './exponential.js'

// Up to this expected count the exact distribution is walked; beyond it the normal curve is close enough.
const LARGEST_EXACT_MEAN = 16

/** The chance that an event of that hazard h befalls a person in a day: it spares one with probability e^-h. */
export function chanceOf(hazard) {
  return -expm1(-hazard)
}

/**
 * A binomial draw. It takes hazard and chance: the hazard, because nobody being hit then costs one exponential at most;
 * the chance, because most hazards are the same in every place.
 *
 * @param {number} people whole number of people at risk
 * @param {number} hazard per person and day, zero or more
 * @param {number} chance chanceOf(hazard)
 * @param {number} uniform strictly between 0 and 1
 * @returns {number} whole number between 0 and `people`
 */
export function binomial(people, hazard, chance, uniform) {
  const exponent = people * hazard
  if (uniform <= 1 - exponent) return 0 // 1 - x is never more than e^-x.
  if (exponent > LARGEST_EXACT_MEAN) return nearNormal(people, chance, uniform)
  const chanceOfNone = exp(-exponent)
  return uniform <= chanceOfNone ? 0 : walkUp(people, chance / (1 - chance), chanceOfNone, uniform)
}

/** Adds up the probabilities of 0, 1, 2, ... events until they pass the uniform number. */
function walkUp(people, odds, chanceOfNone, uniform) {
  let count = 0
  let probability = chanceOfNone
  let cumulated = chanceOfNone
  while (uniform > cumulated && count < people) {
    probability *= (odds * (people - count)) / (count + 1)
    cumulated += probability
    count++
  }
  return count
}

function nearNormal(people, chance, uniform) {
  const mean = people * chance
  const deviation = Math.sqrt(mean * (1 - chance))
  const drawn = Math.floor(mean + deviation * normalQuantile(uniform) + 0.5)
  return Math.min(people, Math.max(0, drawn))
}

const LOWER_TAIL = 0.02425

/** Inverse of the normal distribution function (Peter Acklam's rational approximation, error below 1.2e-9). */
export function normalQuantile(p) {
  if (p < LOWER_TAIL) return tailQuantile(Math.sqrt(-2 * log(p)))
  if (p > 1 - LOWER_TAIL) return -tailQuantile(Math.sqrt(-2 * log(1 - p)))
  const q = p - 0.5
  const r = q * q
  const above =
    ((((-39.69683028665376 * r + 220.9460984245205) * r - 275.9285104469687) * r + 138.357751867269) * r -
      30.66479806614716) *
      r +
    2.506628277459239
  const below =
    ((((-54.47609879822406 * r + 161.5858368580409) * r - 155.6989798598866) * r + 66.80131188771972) * r -
      13.28068155288572) *
      r +
    1
  return (q * above) / below
}

function tailQuantile(q) {
  const above =
    ((((-0.007784894002430293 * q - 0.3223964580411365) * q - 2.400758277161838) * q - 2.549732539343734) *
      q +
      4.374664141464968) *
      q +
    2.938163982698783
  const below =
    (((0.007784695709041462 * q + 0.3224671290700398) * q + 2.445134137142996) * q + 3.754408661907416) * q +
    1
  return above / below
}
