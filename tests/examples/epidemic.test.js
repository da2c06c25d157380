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
execFileSync(process.execPath, ['scripts/build.js', '--alone', 'epidemic'], { cwd: ROOT })
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

describe('a fork of the world', () => {
  const { city: startCity } = findStartCity(cities, 'London')
  const startPopulation = cities.population[startCity]
  const parameters = createParameters({ seed: 7, r0: 12, startCity, startPopulation })
  const FORK_DAY = 45

  /** Days 1 to DAYS of a model that was forked, and of its fork; and those of the fork when the first goes on after it. */
  function futures(contactRate, usedKernels) {
    const model = createStrataModel(cities, gravity, parameters, usedKernels)
    const past = simulate(model, FORK_DAY).days
    const other = model.fork({ contactRate })
    const [first, second] = [other, model].map((one) => {
      const { days } = simulate(one, DAYS, undefined, FORK_DAY + 1)
      const outcome = { days: [...past, ...days], arrivalDays: one.arrivalDays() }
      one.dispose()
      return outcome
    })
    return { unchanged: second, other: first }
  }

  const straight = run(createStrataModel)

  it.each([
    { inner: 'kernels', used: kernels },
    { inner: 'loops', used: undefined },
  ])('leaves the first world as it was, and goes on as that one would, with $inner', ({ used }) => {
    const { unchanged, other } = futures(parameters.contactRate, used)
    for (const future of [unchanged, other]) {
      expect(firstDifference(future.days, straight.days)).toBeUndefined()
      expect(future.arrivalDays).toEqual(straight.arrivalDays)
    }
  })

  it('goes another way with another contact rate, and loses nobody', () => {
    const { unchanged, other } = futures(0.1)
    expect(firstDifference(unchanged.days, straight.days)).toBeUndefined()
    expect(firstDifference(unchanged.days.slice(0, FORK_DAY), other.days.slice(0, FORK_DAY))).toBeUndefined()
    expect(firstDifference(unchanged.days, other.days)).toMatch(new RegExp(`^day ${FORK_DAY + 1}, `))
    expect(other.days.at(-1).recovered).toBeLessThan(unchanged.days.at(-1).recovered / 2)
    expect(new Set(other.days.map(peopleCounted))).toEqual(new Set([everybody]))
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
    [['--fork-at', '0', '--contact-rate', '1'], /--fork-at.*'0' is invalid.*whole number from 1/],
    [['--fork-at', '20', '--contact-rate', '-1'], /--contact-rate.*'-1' is invalid.*from 0 to 10/],
    [['--fork-at', '20'], /--fork-at needs --contact-rate/],
    [['--contact-rate', '0.2'], /--contact-rate needs --fork-at/],
    [['--days', '20', '--fork-at', '20', '--contact-rate', '0.2'], /less than --days, which is 20/],
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

describe('the command line with two futures', () => {
  const out = mkdtempSync(join(tmpdir(), 'epidemic-futures-'))
  afterAll(() => rmSync(out, { recursive: true }))

  it('writes both in full, one chart and one table of both; the first is that of a run without a fork', async () => {
    const common = ['--days', '40', '--places', '500', '--r0', '12']
    const forked = await epidemic([
      ...common,
      '--fork-at',
      '25',
      '--contact-rate',
      '0.2',
      '--out',
      out,
      '--compare',
    ])
    const plain = await epidemic([...common, '--out', join(out, 'plain')])
    expect([forked.code, plain.code]).toEqual([0, 0])
    const file = (name) => readFileSync(join(out, name), 'utf8')
    expect(file('daily.csv')).toBe(file('plain/daily.csv'))
    expect(file('map.svg')).toBe(file('plain/map.svg'))
    const [lines, others] = ['daily.csv', 'other-daily.csv'].map((name) => file(name).trimEnd().split('\n'))
    expect(others).toHaveLength(41)
    expect(others.slice(0, 26)).toEqual(lines.slice(0, 26))
    expect(others[26]).not.toBe(lines[26])
    expect(forked.stdout).toMatch(/contact rate .*\n.*\n2\.4, unchanged .*\n0\.2 from day 26 /)
    expect(forked.stdout).toMatch(/all figures of all 40 days are equal/)
    const chart = file('futures.svg')
    expect(chart).toMatch(/^<svg[^]*<\/svg>$/)
    for (const said of ['Two futures of one past', '2.4, unchanged', '0.2 from day 26', 'day 25'])
      expect(chart).toContain(said)
    for (const name of ['other-map.svg', 'other-curve.svg']) expect(file(name)).toMatch(/^<svg[^]*<\/svg>$/)
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
