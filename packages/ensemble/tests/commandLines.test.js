// Shows that a command line that asks for something impossible ends with a sentence and with code 2, never with a stack.

import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { range, runEnsemble } from '../src/index.ts'
import { moduleOf, scratch } from './support/ensemble.js'

const PROGRAM = fileURLToPath(new URL('./support/commandLines.js', import.meta.url))
const walk = moduleOf('walk')

/** What is no whole number of 1 or more, or a larger one than any machine has use for. */
const NO_COUNTS = ['0', '-1', '1.5', '1e3', 'NaN', 'Infinity', '', ' ', '٣', '4294967296', '9'.repeat(400), '1_000', '0x10', "'1'"] // prettier-ignore
const NO_SECONDS = ['0', '-1', '-0', 'NaN', 'Infinity', '', ' ', '1e999', '5 s', '٣', '1,5']
const NO_SEEDS = ['', ' ', ',', '0,', 'all', '-1', '1.5', '5..3', '0..', '..5', '0...5', '1e3', '٣', '0..4294967295', '0..999999999999', '99999999999999999999', '9'.repeat(400), '0..9999999,10000000', '\0', '0;1'] // prettier-ignore
const NO_GRIDS = ['', '=', 'step', 'step=', '=1', 'step=1,', 'step=one', 'step=Infinity', 'step=-Infinity', 'step=NaN', 'step=1e999', 'step="1"', 'step=0x', 'speed=1', 'constructor=1', 'toString=1', '__proto__=1', 'name="', 'name="a"b', 'name="a', 'name="\\q"', 'name="\\ud800"', 'name="\\ufeffa"', 'step==1', 'Step=1', 'step =one'] // prettier-ignore
const NO_GROUPS = ['0', '25', '9'.repeat(30), '', 'step', 'step=', 'step=9', 'step=1,9', 'steps=20', 'speed=1', '-1', '1.5', 'name=x', '__proto__=1', 'constructor=1'] // prettier-ignore
const NO_CHARTS = ['', ',', 'distance', 'distance over', 'Distance over step', 'distance over step,', 'note over step', '<svg>', '__proto__'] // prettier-ignore

/** Options with what they take, each for a command that would otherwise be right. */
const option = (command, name, values) => values.map((value) => [...command, `${name}=${value}`])

/** All lines of the table. @param {string} folder with an ensemble in `runs` */
function tableOf(folder) {
  const out = join(folder, 'new')
  const runIt = ['run', walk, '--out', out]
  const work = ['work', walk, '--queue', 'redis://127.0.0.1:1']
  const show = ['show', join(folder, 'runs')]
  const exportIt = ['export', join(folder, 'runs')]
  return [
    [],
    ...[
      'dance',
      'Run',
      'run',
      'work',
      'show',
      'export',
      '--dance',
      '-x',
      '',
      ' ',
      '__proto__',
      'constructor',
    ].map((word) => [word]),
    ...['--dance', '--seeds', '--set', '--out', '--threads', '--queue', '-q', '--strict=1'].map((word) => [
      ...runIt,
      word,
    ]),
    ...['', '.', '..', '/nowhere', 'no.run.js', 'file:///nowhere', 'file://host/x.js', 'http://127.0.0.1/x.js', '\0', 'data:text/javascript,1', folder].map((module) => ['run', module, '--out', out]), // prettier-ignore
    ['run', walk, 'more', '--out', out],
    ...['', '/dev/null/runs', '/proc/runs', join(folder, 'file'), join(folder, 'file/runs'), '\0', 'x'.repeat(5000)].map((to) => ['run', walk, '--seeds', '0', '--out', to]), // prettier-ignore
    ...option(runIt, '--seeds', NO_SEEDS),
    ...option(runIt, '--set', NO_GRIDS),
    ...option(runIt, '--threads', NO_COUNTS),
    ...option(
      runIt,
      '--retries',
      NO_COUNTS.filter((value) => value !== '0'),
    ),
    ...option(runIt, '--limit', NO_SECONDS),
    ...option([...runIt, '--queue', 'redis://127.0.0.1:1'], '--patience', [...NO_SECONDS, '3000000']),
    ...option(['run', walk, '--out', join(folder, 'queued')], '--queue', [
      'somewhere',
      'http://127.0.0.1',
      '127.0.0.1:6379',
      ':',
    ]),
    ...option(work, '--threads', NO_COUNTS),
    ...option(work, '--patience', [...NO_SECONDS, '3000000']),
    ...option(work, '--lock', [...NO_SECONDS, '3000000']),
    ['work', walk],
    ...[folder, '/nowhere', '', join(folder, 'file'), '\0'].flatMap((name) => [['show', name], ['export', name, '--csv', join(folder, 'x.csv')]]), // prettier-ignore
    ...option(show, '--groups', NO_GROUPS),
    ...option([...show, '--svg', join(folder, 'x.svg')], '--charts', NO_CHARTS),
    [...show, '--charts', 'distance over step'],
    [...show, '--groups', '2', '--groups', '3'],
    [...show, '--html', join(folder, 'x'), '--svg', join(folder, 'x')],
    ...[folder, '/nowhere/x', join(folder, 'file/x'), '\0', ''].flatMap((file) => [
      [...exportIt, `--csv=${file}`],
      [...exportIt, `--arrow=${file}`],
      [...exportIt, `--parquet=${file}`],
      [...show, `--html=${file}`],
      [...show, `--svg=${file}`],
    ]),
    exportIt,
    [...exportIt, '--csv'],
    [...exportIt, '--csv', join(folder, 'x'), '--arrow', join(folder, 'y/../x')],
    [...exportIt, '--csv', '-', '--arrow', '-'],
    ...['--out', '--threads', '--retries', '--limit', '--queue', '--patience'].map((name) => [
      ...runIt,
      name,
      '1',
      name,
      '2',
    ]),
    ...['--html', '--svg'].map((name) => [...show, name, join(folder, 'x'), name, join(folder, 'y')]),
    ...['--csv', '--arrow', '--parquet'].map((name) => [
      ...exportIt,
      name,
      join(folder, 'x'),
      name,
      join(folder, 'y'),
    ]),
  ]
}

/** Lines of the table for `run`, each with words around its mistake that are right. */
function mixtures(table, count) {
  // The word after it would be taken for the address of a queue.
  const wrong = fc.constantFrom(...table.filter((line) => line[0] === 'run' && line.at(-1) !== '--queue'))
  const harmless = fc.subarray(['--strict', '--seeds=1', '--set=step=3', '--set=name="a, b"', '--seeds=2..3'])
  const lines = fc
    .tuple(wrong, harmless, harmless)
    .map(([[command, ...words], before, after]) => [command, ...before, ...words, ...after])
  return fc.sample(lines, { seed: 43, numRuns: count })
}

async function answersTo(lines, folder) {
  const [given, answers] = [join(folder, 'lines.json'), join(folder, 'answers.json')]
  writeFileSync(given, JSON.stringify(lines))
  await promisify(execFile)(process.execPath, [PROGRAM, given, answers], { cwd: folder, maxBuffer: 2 ** 26 })
  return JSON.parse(readFileSync(answers, 'utf8'))
}

describe('hostile command lines', () => {
  it('all end with a sentence and code 2, and write nothing', async () => {
    const folder = scratch()
    writeFileSync(join(folder, 'file'), '')
    await runEnsemble(walk, {
      seeds: range(2),
      grid: { step: [1, 2] },
      out: join(folder, 'runs'),
      threads: 1,
    })
    for (const name of ['cwd', 'queued']) mkdirSync(join(folder, name))
    const before = readdirSync(folder)
    const table = tableOf(folder)
    const answers = await answersTo([...table, ...mixtures(table, 200)], join(folder, 'cwd'))
    const faults = answers.filter(
      ({ code, errors }) =>
        code !== 2 || errors.trim() === '' || /^ +at /m.test(errors) || errors.includes('not foreseen'),
    )
    expect(faults).toEqual([])
    expect(readdirSync(folder).filter((name) => !before.includes(name))).toEqual([])
    console.log(`${answers.length} hostile command lines, ${table.length} of a table`)
    expect(answers.length).toBeGreaterThan(400)
  })
})
