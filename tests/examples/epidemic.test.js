// Owns: the promises of examples/epidemic: repeatable, equal to plain objects, nobody lost, clear complaints.
// Must never: test the engine's own behaviour, which has its tests beside this one.

import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { binomial, chanceOf } from '../../examples/epidemic/binomial.js'
import { loadCities } from '../../examples/epidemic/cities.js'
import { continentOf } from '../../examples/epidemic/continents.js'
import { greatCircleKm } from '../../examples/epidemic/geography.js'
import { createGravity } from '../../examples/epidemic/gravity.js'
import { checksum, firstDifference, peopleCounted } from '../../examples/epidemic/ledger.js'
import { createParameters } from '../../examples/epidemic/model.js'
import { createObjectsModel } from '../../examples/epidemic/objects.js'
import { dayKey, uniform } from '../../examples/epidemic/random.js'
import { simulate } from '../../examples/epidemic/simulate.js'
import { findStartCity } from '../../examples/epidemic/start-city.js'
import { createStrataModel } from '../../examples/epidemic/strata.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const DAYS = 140
const cities = loadCities(2000)
const gravity = createGravity(cities)
const everybody = cities.population.reduce((total, people) => total + people, 0)

// What `npm start` does before it runs the example.
execFileSync('npm', ['run', 'epidemic:kernels'], { cwd: ROOT, shell: true })
const kernels = await import('../../build/epidemic/places.kernel.js')

function run(createModel, seed = 7, ...rest) {
  const { city: startCity } = findStartCity(cities, 'London')
  // Far more contagious than the default, so that outbreaks also end within the days of the test.
  const parameters = createParameters({
    seed,
    r0: 12,
    startCity,
    startPopulation: cities.population[startCity],
  })
  const model = createModel(cities, gravity, parameters, ...rest)
  const { days } = simulate(model, DAYS)
  const arrivalDays = model.arrivalDays()
  model.dispose()
  return { days, arrivalDays }
}

describe('the epidemic', () => {
  const strata = run(createStrataModel)

  it('gives the same figures twice for the same seed', () => {
    expect(checksum(run(createStrataModel).days)).toBe(checksum(strata.days))
  })

  it('gives other figures for another seed', () => {
    expect(checksum(run(createStrataModel, 8).days)).not.toBe(checksum(strata.days))
  })

  it('gives the same figures and arrival days as plain objects', () => {
    const objects = run(createObjectsModel)
    expect(firstDifference(strata.days, objects.days)).toBeUndefined()
    expect(strata.arrivalDays).toEqual(objects.arrivalDays)
  })

  it('gives the same figures and arrival days with kernels as with loops', () => {
    const withKernels = run(createStrataModel, 7, kernels)
    expect(firstDifference(withKernels.days, strata.days)).toBeUndefined()
    expect(withKernels.arrivalDays).toEqual(strata.arrivalDays)
  })

  it('never gains or loses a person', () => {
    expect(new Set(strata.days.map(peopleCounted))).toEqual(new Set([everybody]))
  })

  it('starts and ends outbreaks and journeys, so that the comparison means something', () => {
    const last = strata.days.at(-1)
    expect(last.recoveredPlaces).toBeGreaterThan(100)
    expect(last.infectedPlaces).toBeGreaterThan(100)
    expect(strata.days.reduce((total, day) => total + day.arrivals, 0)).toBeGreaterThan(10_000)
  })

  it('names the first figure in which two runs differ', () => {
    const changed = strata.days.map((day) => ({ ...day }))
    changed[40].recovered++
    expect(firstDifference(strata.days, changed)).toMatch(/^day 41, recovered: /)
  })
})

describe('chance', () => {
  it('draws whole numbers of people around the expected mean, small and large', () => {
    for (const { people, hazard } of [
      { people: 3, hazard: 0.2 },
      { people: 40, hazard: 0.3 },
      { people: 5_000_000, hazard: 0.01 },
    ]) {
      const draws = Array.from({ length: 20_000 }, (_, day) =>
        binomial(people, hazard, chanceOf(hazard), uniform(dayKey(1, 2, day), 0)),
      )
      const mean = draws.reduce((total, count) => total + count, 0) / draws.length
      expect(draws.every((count) => Number.isInteger(count) && count >= 0 && count <= people)).toBe(true)
      expect(mean / (people * -Math.expm1(-hazard))).toBeCloseTo(1, 1)
    }
  })

  it('sends travellers to near cities more often than to far ones of the same size', () => {
    const { city: london } = findStartCity(cities, 'London')
    const distances = Array.from({ length: 5000 }, (_, day) => {
      const to = gravity.destinationFrom(london, uniform(dayKey(3, 0, day), 0), uniform(dayKey(3, 0, day), 1))
      return greatCircleKm(
        cities.longitude[london],
        cities.latitude[london],
        cities.longitude[to],
        cities.latitude[to],
      )
    })
    const near = distances.filter((km) => km < 500).length
    const far = distances.filter((km) => km > 5000).length
    expect(near).toBeGreaterThan(far)
    expect(far).toBeGreaterThan(5)
  })
})

describe('the cities', () => {
  const all = loadCities()

  it('are all there, each in a country on a known continent', () => {
    expect(all.count).toBe(135_233)
    expect(all.countries.map(continentOf)).not.toContain(undefined)
  })

  it('are found by name whatever the accents and capitals, the most populous first, or by country', () => {
    const nameOf = (wanted) => {
      const { city } = findStartCity(all, wanted)
      return `${all.names[city]} ${all.countries[all.country[city]]}`
    }
    expect(nameOf('sao paulo')).toBe('São Paulo BR')
    expect(nameOf('Birmingham')).toBe('Birmingham GB')
    expect(nameOf('Birmingham, US')).toBe('Birmingham US')
  })
})

describe('the command line', () => {
  const outFolder = mkdtempSync(join(tmpdir(), 'epidemic-'))
  afterAll(() => rmSync(outFolder, { recursive: true }))

  it.concurrent.each([
    [['--days', 'abc'], /--days.*'abc' is invalid.*whole number from 1/],
    [['--days', '0'], /--days.*'0' is invalid/],
    [['--days', '-3'], /--days.*'-3' is invalid/],
    [['--seed', '1.5'], /--seed.*'1.5' is invalid/],
    [['--r0', '0'], /--r0.*'0' is invalid.*above 0/],
    [['--r0', '400'], /--r0.*'400' is invalid/],
    [['--start', 'Lodnon'], /called 'Lodnon'.*'London, GB'/],
    [['--out', 'package.json/out'], /'package.json\/out' cannot be written/],
    [['--colour'], /unknown option '--colour'/],
  ])('refuses %j with a sentence and exit code 1', async (options, complaint) => {
    const { code, stdout, stderr } = await epidemic(options)
    expect(stderr).toMatch(complaint)
    expect(stderr).not.toMatch(/\bat .*\.js:/)
    expect(stdout).toBe('')
    expect(code).toBe(1)
  })

  it.concurrent.each([
    { inner: 'as kernels', choice: [] },
    { inner: 'in JavaScript', choice: ['--no-kernels'] },
  ])('compares, reports and writes pictures and figures, inner loops $inner', async ({ inner, choice }) => {
    const out = join(outFolder, inner)
    const options = [
      '--days',
      '20',
      '--places',
      '500',
      '--start',
      'Lagos',
      '--out',
      out,
      '--compare',
      ...choice,
    ]
    const { code, stdout, stderr } = await epidemic(options)
    expect(code).toBe(0)
    expect(stdout).toMatch(/World .*\d/)
    expect(stdout).toContain(`inner loops ${inner}`)
    expect(stdout).toMatch(/Systems .*disease \d+\.\d %.*census/)
    expect(stdout).toMatch(/all figures of all 20 days are equal/)
    expect(stderr).toMatch(/day 20\/20/)
    expect(readFileSync(join(out, 'map.svg'), 'utf8')).toMatch(/^<svg[^]*<\/svg>$/)
    expect(readFileSync(join(out, 'curve.svg'), 'utf8')).toMatch(/^<svg[^]*<\/svg>$/)
    expect(readFileSync(join(out, 'daily.csv'), 'utf8').trimEnd().split('\n')).toHaveLength(21)
  })
})

function epidemic(options) {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['examples/epidemic/main.js', ...options],
      { cwd: ROOT },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : error.code, stdout, stderr })
      },
    )
  })
}
