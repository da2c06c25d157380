// Owns the proof that the workflow on GitHub runs what .ci/run runs, by commands that there are. It must never start one.

import { expect, it } from 'vitest'
import { read } from '../support/documentation.js'

/** The commands of package.json that a text names. */
const commandsIn = (text) => [
  ...new Set(
    [...text.matchAll(/\bnpm (?:run ([\w:]+)|(start|test))\b/g)].map((match) => match[1] ?? match[2]),
  ),
]

const workflow = commandsIn(read('.github/workflows/ci.yml'))

it('names only commands that package.json has', () => {
  const { scripts } = JSON.parse(read('package.json'))
  expect(workflow.length).toBeGreaterThan(5)
  expect(workflow.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
})

it('leaves out no command of .ci/run', () => {
  expect(commandsIn(read('.ci/run')).filter((name) => !workflow.includes(name))).toEqual([])
})
