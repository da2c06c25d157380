// Owns: the Equal Earth projection (Savric, Patterson and Jenny 2018): areas keep their size, shapes look familiar.
// Must never: know about pixels or cities.

const A1 = 1.340264
const A2 = -0.081106
const A3 = 0.000893
const A4 = 0.003796
const M = Math.sqrt(3) / 2
const RADIANS_PER_DEGREE = Math.PI / 180

/** @returns {[number, number]} x and y in units of the globe's radius, y pointing north */
export function equalEarth(longitude, latitude) {
  const theta = Math.asin(M * Math.sin(latitude * RADIANS_PER_DEGREE))
  const squared = theta * theta
  const sixth = squared * squared * squared
  const slope = A1 + 3 * A2 * squared + sixth * (7 * A3 + 9 * A4 * squared)
  const x = (longitude * RADIANS_PER_DEGREE * Math.cos(theta)) / (M * slope)
  const y = theta * (A1 + A2 * squared + sixth * (A3 + A4 * squared))
  return [x, y]
}
