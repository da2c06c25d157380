// Owns the order of the measurements: rivals take turns, repeat by repeat, and each row collects its figures. It must
// never let two of them run at the same time where times are taken, nor keep a row whose result was not right.

/**
 * Runs every job `repeats` times; each then has its figures, one a process or worker, or an `error`.
 *
 * @param jobs those of plan.js
 * @param isolate measures a job for so many milliseconds where nobody else is, and resolves to what measurement.js
 *   returned or rejects with what it threw
 * @param progress told of each step: `line(text)`, `show(text)`, `clear()`; and `done(job)` where it wants to know
 * @param signal ends the measuring after the present row when aborted
 * @param atOnce how many rows at a time where no times are taken
 */
export async function measureAll(jobs, { repeats, milliseconds }, { isolate, progress, signal, atOnce = 1 }) {
  for (const job of jobs) Object.assign(job, { measured: [], checksums: new Set() })
  const groups = rivals(jobs)
  for (let repeat = 0; repeat < repeats; repeat++) {
    progress.line(`repeat ${repeat + 1} of ${repeats}, ${jobs.length} rows`)
    // Each repeat starts with another rival: what the machine does at the time hits all alike.
    const turns = groups.flatMap((group) => group.map((_, k) => group[(k + repeat) % group.length])).values()
    const runOneByOne = async () => {
      for (const job of turns) {
        if (signal?.aborted) return
        progress.show(`${job.work.name} ${job.size.toLocaleString('en')}: ${job.label}, ${job.way}`)
        if (!job.error) await measure(job, milliseconds, isolate)
        progress.done?.(job)
      }
    }
    await Promise.all(Array.from({ length: milliseconds === 0 ? atOnce : 1 }, runOneByOne))
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

async function measure(job, milliseconds, isolate) {
  try {
    const { checksum, rounding = 'none', ...figures } = await isolate(job, milliseconds)
    job.checksums.add(`${rounding} ${checksum}`)
    job.measured.push(figures)
  } catch (error) {
    if (error.name !== 'AbortError') job.error = String(error)
  }
}

/** Ways that round in the same places must have equal results. */
function refuseDifferentChecksums(group) {
  const right = group.filter(({ error }) => !error)
  const different = new Set(right.flatMap((job) => [...job.checksums]))
  const roundings = new Set([...different].map((checksum) => checksum.split(' ')[0]))
  if (different.size <= roundings.size) return
  for (const job of right) job.error = 'Error: rivals that round alike have different checksums'
}
