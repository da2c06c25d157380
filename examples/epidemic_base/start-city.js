// Owns: finding the city a user means by a name, and the nearest names when there is none.
// Must never: guess silently; a name that matches nothing is an error with suggestions.

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
