// Owns: the travellers who set out on a day: where each of them goes, and the flat columns in which they wait until they
// become entities together.
// Must never: allocate for a traveller; the columns grow by doubling and are used again the next day.

import { Journey, Place } from './components.js'
import { greatCircleKm } from './geography.js'
import { DRAW, journeyDays } from './model.js'
import { uniform } from './random.js'

const FIRST_CAPACITY = 1024

/**
 * @param {import('strata-ecs').World} world
 * @param {ReturnType<typeof import('./gravity.js').createGravity>} gravity
 * @param {Uint32Array} placeOfCity the entity of each city
 */
export function createBoarding(world, gravity, placeOfCity) {
  const placeAt = world.accessor(Place)
  let count = 0
  let destinations = new Uint32Array(FIRST_CAPACITY)
  let arrivalDays = new Uint16Array(FIRST_CAPACITY)

  /**
   * The n-th of a place's people who sets out on that day.
   *
   * @param {object} place the columns of Place
   * @param {number} row
   * @param {number} key of the place's draws on that day
   * @returns {boolean} whether they leave; false for a trip within town
   */
  function setOut(place, row, key, nth, day) {
    const origin = place.city[row]
    const draw = DRAW.journeys + 2 * nth
    const city = gravity.destinationFrom(origin, uniform(key, draw), uniform(key, draw + 1))
    if (city === origin) return false
    if (count === destinations.length) grow()
    destinations[count] = placeOfCity[city]
    arrivalDays[count] = day + travelDays(place, row, placeOfCity[city])
    count++
    return true
  }

  function travelDays(place, row, destination) {
    const { longitude, latitude } = placeAt.of(destination)
    return journeyDays(greatCircleKm(place.longitude[row], place.latitude[row], longitude, latitude))
  }

  /** Makes entities of all who set out, in one call, and says how many they were. */
  function board() {
    let next = 0
    world.spawnMany(count, [Journey], (chunk) => {
      const { destination, arrivesOn } = chunk.write(Journey)
      for (let row = chunk.start; row < chunk.end; row++, next++) {
        destination[row] = destinations[next]
        arrivesOn[row] = arrivalDays[next]
      }
    })
    count = 0
    return next
  }

  function grow() {
    destinations = doubled(destinations)
    arrivalDays = doubled(arrivalDays)
  }

  return { setOut, board }
}

function doubled(column) {
  const longer = new column.constructor(column.length * 2)
  longer.set(column)
  return longer
}
