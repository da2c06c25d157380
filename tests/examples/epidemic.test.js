// Shows the epidemic as a program: its cities, where travellers go, its options, files and complaints. That its figures are right
// is shown in tests/whole.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { continentOf, findStartCity, loadCities } from '../../examples/epidemic/cities.js'
import { createGravity, greatCircleKm } from '../../examples/epidemic/gravity.js'
import { dayKey, uniform } from '../../examples/epidemic/random.js'
import { runExample } from '../support/exampleProgram.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
// What `npm start` does before it runs the example.
execFileSync(process.execPath, ['scripts/build.js', '--alone', 'epidemic'], { cwd: ROOT })

it('has all cities, each in a country on a known continent, and finds them whatever the accents and capitals', () => {
  const all = loadCities()
  expect(all.count).toBe(135_233)
  expect(all.countries.map(continentOf)).not.toContain(undefined)
  const nameOf = (wanted) => {
    const { city } = findStartCity(all, wanted)
    return `${all.names[city]} ${all.countries[all.country[city]]}`
  }
  const found = ['sao paulo', 'Birmingham', 'Birmingham, US'].map(nameOf)
  expect(found).toEqual(['São Paulo BR', 'Birmingham GB', 'Birmingham US'])
})

it('sends travellers to near cities more often than to far ones of the same size', () => {
  const cities = loadCities(2000)
  const gravity = createGravity(cities)
  const { city: london } = findStartCity(cities, 'London')
  const placeOf = (city) => [cities.longitude[city], cities.latitude[city]]
  const distances = Array.from({ length: 5000 }, (_, day) => {
    const key = dayKey(3, 0, day)
    const to = gravity.destinationFrom(london, uniform(key, 0), uniform(key, 1))
    return greatCircleKm(...placeOf(london), ...placeOf(to))
  })
  const far = distances.filter((km) => km > 5000).length
  expect(distances.filter((km) => km < 500).length).toBeGreaterThan(far)
  expect(far).toBeGreaterThan(5)
})

describe('the command line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'epidemic-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const file = (name) => readFileSync(join(folder, name), 'utf8')

  it.concurrent.each([
    ['--days abc', /--days.*'abc' is invalid.*whole number from 1/],
    ['--days 0', /--days.*'0' is invalid/],
    ['--days -3', /--days.*'-3' is invalid/],
    ['--seed 1.5', /--seed.*'1.5' is invalid/],
    ['--r0 0', /--r0.*'0' is invalid.*above 0/],
    ['--r0 400', /--r0.*'400' is invalid/],
    ['--start Lodnon', /called 'Lodnon'.*'London, GB'/],
    ['--out package.json/out', /'package.json\/out' cannot be written/],
    ['--fork-at 20 --contact-rate -1', /--contact-rate.*'-1' is invalid.*from 0 to 10/],
    ['--fork-at 20', /--fork-at needs --contact-rate/],
    ['--workers 16', /--workers.*'16' is invalid.*from 0 to 15/],
    ['--contact-rate 0.2', /--contact-rate needs --fork-at/],
    ['--days 20 --fork-at 20 --contact-rate 0.2', /less than --days, which is 20/],
    ['--colour', /unknown option '--colour'/],
  ])('refuses %s with a sentence and exit code 1', async (line, complaint) => {
    const { code, stdout, stderr } = await runExample('epidemic', line)
    expect(stderr).toMatch(complaint)
    expect(stderr).not.toMatch(/\bat .*\.js:/)
    expect([code, stdout]).toEqual([1, ''])
  })

  it('reports, and writes both futures in full, one chart and one table; the first is that of a run without a fork', async () => {
    const common = `--days 40 --places 500 --r0 12 --out ${folder}`
    const forked = await runExample('epidemic', `${common} --fork-at 25 --contact-rate 0.2`)
    const plain = await runExample('epidemic', `${common}/plain --workers 2`)
    const alone = await runExample('epidemic', `${common}/alone --workers 0`)
    expect([forked.code, plain.code, alone.code]).toEqual([0, 0, 0])
    // The figures do not depend on the threads: daily.csv of the fork is compared below.
    expect(plain.stdout).toMatch(/^Kernels +on 3 threads, divided: disease [\d,]+ of 40 times, total/m)
    expect(alone.stdout).toMatch(/^Kernels +on one thread: there are no workers/m)
    expect(file('alone/daily.csv')).toBe(file('plain/daily.csv'))
    for (const said of [/World .*\d/, /Systems .*disease \d+\.\d %.*census/])
      expect(plain.stdout).toMatch(said)
    expect(plain.stderr).toMatch(/day 40\/40/)
    expect(file('daily.csv')).toBe(file('plain/daily.csv'))
    expect(file('map.svg')).toBe(file('plain/map.svg'))
    const [lines, others] = ['daily.csv', 'other-daily.csv'].map((name) => file(name).trimEnd().split('\n'))
    expect([lines.length, others.length]).toEqual([41, 41])
    expect(others.slice(0, 26)).toEqual(lines.slice(0, 26))
    expect(others[26]).not.toBe(lines[26])
    expect(forked.stdout).toMatch(/contact rate .*\n.*\n2\.4, unchanged .*\n0\.2 from day 26 /)
    for (const name of ['map.svg', 'curve.svg', 'other-map.svg', 'other-curve.svg', 'futures.svg'])
      expect(file(name)).toMatch(/^<svg[^]*<\/svg>$/)
    for (const said of ['Two futures of one past', '2.4, unchanged', '0.2 from day 26', 'day 25'])
      expect(file('futures.svg')).toContain(said)
  })
})
