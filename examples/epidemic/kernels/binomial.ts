// The binomial draw: how many of n people an event befalls in a day, drawn with a single uniform number. It returns whole people and no more
// than there are, or totals would stop adding up exactly.

import { exp, expm1, log } from './exponential'

const LARGEST_EXACT_MEAN: f64 = 16

/** The chance that an event of that hazard befalls a person in a day. */
export function chanceOf(hazard: f64): f64 {
  return -expm1(-hazard)
}

/** How many of `people` an event befalls, with `chance` = chanceOf(hazard). */
export function binomial(people: f64, hazard: f64, chance: f64, uniform: f64): f64 {
  const exponent = people * hazard
  if (uniform <= 1 - exponent) return 0
  if (exponent > LARGEST_EXACT_MEAN) return nearNormal(people, chance, uniform)
  const chanceOfNone = exp(-exponent)
  return uniform <= chanceOfNone ? 0 : walkUp(people, chance / (1 - chance), chanceOfNone, uniform)
}

function walkUp(people: f64, odds: f64, chanceOfNone: f64, uniform: f64): f64 {
  let count: f64 = 0
  let probability = chanceOfNone
  let cumulated = chanceOfNone
  while (uniform > cumulated && count < people) {
    probability *= (odds * (people - count)) / (count + 1)
    cumulated += probability
    count++
  }
  return count
}

function nearNormal(people: f64, chance: f64, uniform: f64): f64 {
  const mean = people * chance
  const deviation = Math.sqrt(mean * (1 - chance))
  const drawn = Math.floor(mean + deviation * normalQuantile(uniform) + 0.5)
  return Math.min(people, Math.max(0, drawn))
}

const LOWER_TAIL: f64 = 0.02425

function normalQuantile(p: f64): f64 {
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

function tailQuantile(q: f64): f64 {
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
