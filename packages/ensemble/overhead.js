// Owns the measurement of what a run costs beside itself: in the threads of one machine, and by a queue on this machine. It
// must never be a test: times depend on the machine.
//
//   node packages/ensemble/overhead.js                        in threads
//   node packages/ensemble/overhead.js redis://127.0.0.1:6379 by a queue too, with one worker that it starts

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { range, runEnsemble } from './dist/index.js'

/** A run that does nothing, so that all its time is overhead. */
const EMPTY_RUN = `export default { columns: { value: 'u32' }, run: ({ index }) => ({ value: index }) }`
const COMMAND = fileURLToPath(new URL('bin/strata-ensemble.js', import.meta.url))
const RUNS = 10_000
const REPEATS = 3

const folder = mkdtempSync(join(tmpdir(), 'overhead-'))
const module = join(folder, 'empty.run.mjs')
writeFileSync(module, EMPTY_RUN)
try {
  const queue = process.argv[2]
  for (const threads of new Set([1, availableParallelism()])) {
    await report(`threads, ${threads} at once`, (out) => ({ out, threads }))
  }
  if (queue) {
    const words = ['work', module, '--queue', queue, '--threads', '2']
    const worker = spawn(process.execPath, [COMMAND, ...words], { stdio: 'ignore' })
    await report('a queue, one worker of two threads', (out) => ({ out, queue }))
    worker.kill('SIGKILL')
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/**
 * Says how long a run takes: the time of many together, divided by their number, the least of some repeats.
 *
 * @param {string} name
 * @param {(out: string) => import('./dist/index.js').EnsembleOptions} optionsFor
 */
async function report(name, optionsFor) {
  const times = []
  for (let i = 0; i < REPEATS; i++) {
    const out = join(folder, `${name}-${i}`)
    const began = performance.now()
    const { done } = await runEnsemble(module, { seeds: range(RUNS), ...optionsFor(out) })
    if (done !== RUNS) throw new Error(`${done} of ${RUNS} runs were done.`)
    times.push((performance.now() - began) / RUNS)
  }
  const all = times.map((ms) => ms.toFixed(3)).join(', ')
  console.log(
    `${name}: ${Math.min(...times).toFixed(3)} ms a run (${all}), ${RUNS.toLocaleString('en-US')} runs, start included`,
  )
}
