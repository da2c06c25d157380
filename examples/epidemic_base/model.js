// Owns: the disease and the journeys as numbers and pure formulas, shared by both implementations.
// Must never: hold the state of a simulation or know how cities are stored.

import { scatter } from './random.js'

const LATENT_DAYS = 3
const INFECTIOUS_DAYS = 5
const KM_TRAVELLED_PER_DAY = 2500
// Only journeys that carry the infection are simulated. The ill stay at home; of those who do not know yet that they
// carry it, one in 2,000 sets out on a day.
const DEPARTURE_HAZARD = 1 / 2000
const FIRST_CASES = 10

/** Which draw of a city's day decides what. The n-th traveller uses two draws from `journeys` on. */
export const DRAW = { infection: 0, onset: 1, recovery: 2, departure: 3, journeys: 4 }

/**
 * @typedef {object} Parameters
 * @property {number} seed
 * @property {number} startCity index of the city where the first cases live
 * @property {number} firstCases
 * @property {number} contactRate infections one infectious person causes per day where all are susceptible
 * @property {number} onsetHazard
 * @property {number} recoveryHazard
 * @property {number} departureHazard
 */

/** @returns {Parameters} */
export function createParameters({ seed, r0, startCity, startPopulation }) {
  return {
    seed: scatter(seed),
    startCity,
    firstCases: Math.min(FIRST_CASES, startPopulation),
    contactRate: r0 / INFECTIOUS_DAYS,
    onsetHazard: hazardOfMeanDays(LATENT_DAYS),
    recoveryHazard: hazardOfMeanDays(INFECTIOUS_DAYS),
    departureHazard: DEPARTURE_HAZARD,
  }
}

/** The hazard under which a state that is left once a day at most lasts that many days on average. */
function hazardOfMeanDays(days) {
  return -Math.log1p(-1 / days)
}

/** How strongly the infectious people of a place endanger each susceptible one there. */
export function infectionHazard(contactRate, infectious, people) {
  return (contactRate * infectious) / people
}

/** Stopovers included, a traveller covers 2,500 km a day; nobody arrives on the day of departure. */
export function journeyDays(km) {
  return 1 + Math.floor(km / KM_TRAVELLED_PER_DAY)
}
