// Owns the processes: gives each row its own, repeat by repeat, and collects what they report. It must never let two
// of them run at the same time where times are taken, nor keep a row whose result was not right.
import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Progress } from './progress.js'

const run = promisify(execFile)
const MEASURE = fileURLToPath(new URL('measure.js', import.meta.url))

/** Runs every job `repeats` times; each then has its figures, one a process, or an `error`. */
export async function measureAll(jobs, { repeats, milliseconds }) {
  for (const job of jobs) Object.assign(job, { measured: [], checksums: new Set() })
  const groups = rivals(jobs)
  const atOnce = milliseconds === 0 ? availableParallelism() : 1
  const progress = new Progress(jobs.length * repeats)
  for (let repeat = 0; repeat < repeats; repeat++) {
    progress.line(`repeat ${repeat + 1} of ${repeats}, ${jobs.length} rows`)
    // Each repeat starts with another rival: what the machine does at the time hits all alike.
    const turns = groups.flatMap((group) => group.map((_, k) => group[(k + repeat) % group.length])).values()
    const runOneByOne = async () => {
      for (const job of turns) {
        progress.show(`${job.work.name} ${job.size.toLocaleString('en')}: ${job.label}, ${job.way}`)
        await measure(job, milliseconds)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, runOneByOne))
  }
  progress.clear()
  for (const group of groups) refuseDifferentChecksums(group)
}

/** The jobs that do the same work on the same number of entities. */
function rivals(jobs) {
  const groups = new Map()
  for (const job of jobs) {
    const key = `${job.work.name} ${job.size}`
    if (!groups.has(key)) groups.set(key, [])
    groups.get(key).push(job)
  }
  return [...groups.values()]
}

async function measure(job, milliseconds) {
  if (job.error) return
  const request = [job.library, job.way, job.work.name, job.size, milliseconds].map(String)
  try {
    const { stdout } = await run(process.execPath, ['--expose-gc', MEASURE, ...request])
    const { checksum, rounding = 'none', ...figures } = JSON.parse(stdout)
    job.checksums.add(`${rounding} ${checksum}`)
    job.measured.push(figures)
  } catch (error) {
    job.error = /^\w*Error: .*$/m.exec(error.stderr ?? '')?.[0] ?? error.message
  }
}

/** Ways that round in the same places must have equal results. */
function refuseDifferentChecksums(group) {
  const checksums = group.filter(({ error }) => !error).flatMap((job) => [...job.checksums])
  const different = [...new Set(checksums)]
  const roundings = new Set(different.map((checksum) => checksum.split(' ')[0]))
  if (different.length > roundings.size) throw new Error(`checksums differ in ${group[0].work.name}`)
}
