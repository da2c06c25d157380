// The epidemic as a program: its cities, where travellers go, its options, files and complaints. That its figures are right is proved in
// tests/whole/epidemic.

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
execFileSync('npm', ['run', 'epidemic:kernels'], { cwd: ROOT, shell: true })

it('sends travellers to near cities more often than to far ones of the same size', () => {
  const cities = loadCities(2000)
  const gravity = createGravity(cities)
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
    const { code, stdout, stderr } = await runExample('epidemic', options)
    expect(stderr).toMatch(complaint)
    expect(stderr).not.toMatch(/\bat .*\.js:/)
    expect(stdout).toBe('')
    expect(code).toBe(1)
  })

  it.concurrent('reports, and writes pictures and figures', async () => {
    const out = join(outFolder, 'run')
    const { code, stdout, stderr } = await runExample(
      'epidemic',
      ['--days', '20', '--places', '500', '--start', 'Lagos', '--out'].concat(out),
    )
    expect(code).toBe(0)
    expect(stdout).toMatch(/World .*\d/)
    expect(stdout).toMatch(/Systems .*disease \d+\.\d %.*census/)
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
    const forked = await runExample('epidemic', [
      ...common,
      '--fork-at',
      '25',
      '--contact-rate',
      '0.2',
      '--out',
      out,
    ])
    const plain = await runExample('epidemic', [...common, '--out', join(out, 'plain')])
    expect([forked.code, plain.code]).toEqual([0, 0])
    const file = (name) => readFileSync(join(out, name), 'utf8')
    expect(file('daily.csv')).toBe(file('plain/daily.csv'))
    expect(file('map.svg')).toBe(file('plain/map.svg'))
    const [lines, others] = ['daily.csv', 'other-daily.csv'].map((name) => file(name).trimEnd().split('\n'))
    expect(others).toHaveLength(41)
    expect(others.slice(0, 26)).toEqual(lines.slice(0, 26))
    expect(others[26]).not.toBe(lines[26])
    expect(forked.stdout).toMatch(/contact rate .*\n.*\n2\.4, unchanged .*\n0\.2 from day 26 /)
    const chart = file('futures.svg')
    expect(chart).toMatch(/^<svg[^]*<\/svg>$/)
    for (const said of ['Two futures of one past', '2.4, unchanged', '0.2 from day 26', 'day 25'])
      expect(chart).toContain(said)
    for (const name of ['other-map.svg', 'other-curve.svg']) expect(file(name)).toMatch(/^<svg[^]*<\/svg>$/)
  })
})
