// Where travellers go: population of the destination / distance ^ DISTANCE_EXPONENT.
//
// 135,233 x 135,233 pairs do not fit in memory, so the choice is made in two steps: a region first (the cells of a grid over the
// globe, with a table of cumulated weights for each region of departure), then a city of that region by population. Both are binary
// searches.

const REGION_DEGREES = 3
const DISTANCE_EXPONENT = 2
// Keeps the pull of one's own region finite: there it is a matter of short trips, to the next town and back.
const SHORTEST_TRIP_KM = 80

/** @param {import('./cities.js').Cities} cities */
export function createGravity(cities) {
  const regions = divideIntoRegions(cities)
  const regionWeights = cumulatedPull(regions)
  const { regionOfCity, members, memberWeights, firstMember, count } = regions

  /**
   * @param {number} origin index of the city of departure
   * @param {number} drawRegion uniform in 0..1
   * @param {number} drawCity uniform in 0..1
   * @returns {number} index of the destination; may be the city of departure
   */
  function destinationFrom(origin, drawRegion, drawCity) {
    const row = regionOfCity[origin] * count
    const region = firstAbove(regionWeights, row, row + count, drawRegion) - row
    return members[firstAbove(memberWeights, firstMember[region], firstMember[region + 1], drawCity)]
  }

  return { destinationFrom }
}

/** Index of the first cumulated weight above `wanted`; the last one when rounding left none above it. */
function firstAbove(weights, from, to, wanted) {
  let low = from
  let high = to - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (weights[middle] > wanted) high = middle
    else low = middle + 1
  }
  return low
}

/** Groups the inhabited cities by grid cell; `members` lists them region after region, with the cumulated shares of each. */
function divideIntoRegions({ count, longitude, latitude, population }) {
  const inhabited = [...population.keys()].filter((city) => population[city] > 0)
  const groups = [...groupBy(inhabited, (city) => cellOf(longitude[city], latitude[city])).values()]
  const regionOfCity = new Uint16Array(count)
  const memberWeights = new Float64Array(inhabited.length)
  const firstMember = new Uint32Array(groups.length + 1)
  const [people, east, north] = [0, 0, 0].map(() => new Float64Array(groups.length))
  groups.forEach((group, region) => {
    for (const city of group) {
      people[region] += population[city]
      east[region] += population[city] * longitude[city]
      north[region] += population[city] * latitude[city]
      regionOfCity[city] = region
    }
    east[region] /= people[region]
    north[region] /= people[region]
    const first = firstMember[region]
    let cumulated = 0
    group.forEach((city, position) => {
      cumulated += population[city]
      memberWeights[first + position] = cumulated / people[region]
    })
    firstMember[region + 1] = first + group.length
  })
  const members = Uint32Array.from(groups.flat())
  return { count: groups.length, regionOfCity, members, memberWeights, firstMember, people, east, north }
}

/** Items by what they have in common, in the order in which it comes up first. */
export function groupBy(items, keyOf) {
  const groups = new Map()
  for (const item of items) {
    const key = keyOf(item)
    if (groups.has(key)) groups.get(key).push(item)
    else groups.set(key, [item])
  }
  return groups
}

function cellOf(longitude, latitude) {
  const column = Math.floor((longitude + 180) / REGION_DEGREES)
  const row = Math.floor((latitude + 90) / REGION_DEGREES)
  return row * Math.ceil(360 / REGION_DEGREES + 1) + column
}

/** One row for each region of departure: the cumulated shares of all regions of arrival. */
function cumulatedPull(regions) {
  const { count, people, east, north } = regions
  const table = new Float32Array(count * count)
  const row = new Float64Array(count)
  for (let from = 0; from < count; from++) {
    let cumulated = 0
    for (let to = 0; to < count; to++) {
      const km = greatCircleKm(east[from], north[from], east[to], north[to])
      cumulated += people[to] / Math.max(km, SHORTEST_TRIP_KM) ** DISTANCE_EXPONENT
      row[to] = cumulated
    }
    for (let to = 0; to < count; to++) table[from * count + to] = row[to] / cumulated
  }
  return table
}

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
