// Owns the proof that a case is measured together with what it is judged by, and shown beside it.

import { describe, expect, it } from 'vitest'
import { cases } from '../../bench/cases/index.js'
import { plan } from '../../bench/plan.js'
import { groupsOf, resultsOf } from '../../bench/results.js'
import { formatCase } from '../../bench/table.js'

const unit = { name: 'unit', title: 'Unit', sizes: [10, 100] }
const bare = { name: 'bare', title: 'Bare', sizes: [10] }
const judged = {
  name: 'judged',
  title: 'Judged',
  sizes: [10, 1_000],
  beside: [
    { name: 'units', work: unit, size: 100, library: 'piecs' },
    { name: 'bare', work: bare },
    { name: 'theirs', library: 'piecs', way: 'slow' },
  ],
}
const offers = [
  { library: 'strata', label: 'strata-ecs', ways: { judged: ['call'], bare: ['call'], unit: ['call'] } },
  { library: 'piecs', label: 'piecs', ways: { unit: ['quick', 'slow'], judged: ['quick', 'slow'] } },
]
const namesOf = ({ jobs }) => jobs.map((job) => `${job.work.name} ${job.size} ${job.library} ${job.way}`)

describe('the plan', () => {
  it('has what a case is judged by, once, of the libraries that were chosen', () => {
    const names = namesOf(plan(offers, { cases: [judged] }))
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter((name) => !name.startsWith('judged'))).toEqual([
      'unit 100 piecs quick',
      'unit 100 piecs slow',
      'bare 10 strata call',
      'bare 1000 strata call',
    ])
    expect(namesOf(plan(offers.slice(0, 1), { cases: [judged] }))).not.toContain('unit 100 piecs quick')
  })

  it('has nothing more than was chosen where only results are checked', () => {
    expect(namesOf(plan(offers, { cases: [judged], quick: true })).every((name) => name.startsWith('judged'))).toBe(true) // prettier-ignore
  })
})

describe('the table', () => {
  const times = { quick: 2, slow: 8, call: 6 }
  const planned = plan(offers, { cases: [judged], sizes: [10] })
  for (const job of planned.jobs) {
    const nanoseconds = times[job.way] * job.size * (job.work === bare ? 0.25 : 1)
    job.measured = [{ nanoseconds, least: nanoseconds, calibration: 1, steady: true }]
    job.checksums = new Set()
  }
  const { rows, cases: works } = JSON.parse(JSON.stringify(resultsOf(planned, {}, { machine: {} })))
  const [group] = groupsOf({ cases: works, rows, refused: [] }).filter(({ work }) => work.name === 'judged')
  const cellsOf = (line) => line.trim().split(/ {2,}/)

  it('shows each row beside the best way of a yardstick, for each of its entities', () => {
    const lines = formatCase(group, rows).split('\n')
    expect(cellsOf(lines[1]).slice(-3)).toEqual(['x units', 'x bare', 'x theirs'])
    const own = cellsOf(lines.find((line) => line.includes('strata-ecs')))
    expect(own.slice(-3)).toEqual(['3.00', '4.00', '0.75'])
  })

  it('leaves out a yardstick of which there is no row', () => {
    const lines = formatCase(
      group,
      rows.filter((row) => row.case !== 'unit'),
    ).split('\n')
    expect(cellsOf(lines[1]).slice(-2)).toEqual(['x bare', 'x theirs'])
  })
})

it('of the cases are all in the list of cases, at sizes that these have', () => {
  for (const { beside = [] } of cases) {
    for (const { name, work, size } of beside) {
      expect(name).toBeTruthy()
      if (!work) continue
      expect(cases).toContain(work)
      if (size) expect(work.sizes).toContain(size)
    }
  }
})
