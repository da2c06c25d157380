// Owns the scale of the population: round numbers at nearly equal ratios, from a thousand to a million.
// It must never know how many there are.

/** The first two digits of the stops of a power of ten; each is 5 to 12 % above the one before. */
const DIGITS = [
  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 45, 50, 55, 60, 65,
  70, 75, 80, 85, 90, 95,
]
const LEAST = 1_000
const POWERS = 3

/** The last stop; the first one is 0. */
export const LAST_STOP = DIGITS.length * POWERS

/** The population at a stop, 0 to LAST_STOP. */
export function populationAt(stop: number): number {
  const digits = DIGITS[stop % DIGITS.length]
  return (LEAST / 10) * digits * 10 ** Math.floor(stop / DIGITS.length)
}

/** The stop that is nearest to a population, as ratios go. */
export function stopOf(population: number): number {
  let nearest = 0
  for (let stop = 1; stop <= LAST_STOP; stop++)
    if (ratio(population, populationAt(stop)) < ratio(population, populationAt(nearest))) nearest = stop
  return nearest
}

function ratio(a: number, b: number): number {
  return Math.abs(Math.log(Math.max(a, 1) / b))
}
