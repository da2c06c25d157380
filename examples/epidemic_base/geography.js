// Owns: distances on the globe.
// Must never: know about cities or people; plain numbers in, kilometres out.

const EARTH_RADIUS_KM = 6371
const RADIANS_PER_DEGREE = Math.PI / 180

/** Great-circle distance in kilometres between two points given in degrees (haversine formula). */
export function greatCircleKm(longitudeA, latitudeA, longitudeB, latitudeB) {
  const halfLatitudes = Math.sin(((latitudeB - latitudeA) * RADIANS_PER_DEGREE) / 2)
  const halfLongitudes = Math.sin(((longitudeB - longitudeA) * RADIANS_PER_DEGREE) / 2)
  const cosines = Math.cos(latitudeA * RADIANS_PER_DEGREE) * Math.cos(latitudeB * RADIANS_PER_DEGREE)
  const haversine = halfLatitudes * halfLatitudes + cosines * halfLongitudes * halfLongitudes
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(haversine)))
}
