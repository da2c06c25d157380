// Shows that the command which measures growth names what it cannot measure. What it measures by the clock is counted, in steps, by
// tests/whole/growth.long.measured.test.js.

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const command = fileURLToPath(new URL('../../bench/run.js', import.meta.url))
const run = (...words) => spawnSync(process.execPath, [command, 'growth', ...words], { encoding: 'utf8' })

it('growth has a row for each call, with a time in an empty world and in one with a thousand things', () => {
  const { stdout, status } = run('systems')
  expect(status).toBe(0)
  const rows = stdout.split('\n').filter((line) => /^ {2}\w.*(?: +[\d.]+){4}/.test(line))
  expect(rows.length).toBeGreaterThan(20)
  expect(stdout).toMatch(/^ {2}spawn +[\d.]+/m)
})

it('growth refuses an unknown thing, and lists the known ones', () => {
  const { stderr, status } = run('moons')
  expect(status).not.toBe(0)
  expect(stderr).toMatch(/There is no 'moons'; there are: entities, component types/)
})
