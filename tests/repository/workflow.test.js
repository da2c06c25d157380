// Shows that the workflow on GitHub runs all parts of .ci/run, beside each other.

import { expect, it } from 'vitest'
import { read } from '../support/documentation.js'

const run = read('.ci/run')
const workflow = read('.github/workflows/ci.yml')
/** The parts of which it runs a share a job. */
const shared = [...workflow.matchAll(/\{ part: (\w+), shard: (\S+) \}/g)].map(([, part, shard]) => ({
  part,
  shard,
}))
const parts = /"\$\{@:-(.*?)\}"/.exec(run)[1].split(' ')

it('names every part of .ci/run once, except for installing', () => {
  const [, listed] = /part: \[(.*?)\]/s.exec(workflow)
  const named = [...listed.split(',').map((part) => part.trim()), ...new Set(shared.map(({ part }) => part))]
  expect(named).toEqual(parts.filter((part) => part !== 'install'))
})

it('runs every share of the part that takes longest', () => {
  const count = shared.length
  expect(shared).toEqual(Array.from(shared, (_, k) => ({ part: 'rest', shard: `${k + 1}/${count}` })))
  expect(workflow).toContain("STRATA_SHARD: '${{ matrix.shard }}'")
})

it('.ci/run has every part', () => {
  expect(parts.length).toBeGreaterThan(5)
  expect(parts.filter((part) => !run.includes(`\n${part}() {`))).toEqual([])
})

it('.ci/run names only commands that package.json has', () => {
  const { scripts } = JSON.parse(read('package.json'))
  const named = [...run.matchAll(/\bnpm (?:run ([\w:]+)|(start|test))\b/g)].map(
    (match) => match[1] ?? match[2],
  )
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
})

it('package.json has fourteen commands, and what npm runs before it packs', () => {
  const { scripts } = JSON.parse(read('package.json'))
  expect(Object.keys(scripts).filter((name) => name !== 'prepack')).toHaveLength(14)
})
