// Owns the progress line: done, failed, running, time left. Where no person watches, it writes as little as possible.

import progressBars from 'cli-progress'
import type { EnsembleProgress } from './ensemble.js'

const { Format, Presets, SingleBar } = progressBars

/** Where nobody watches, a line every so often. */
const QUIET_MS = 30_000

/** Says how far a call has come. */
export interface ProgressLine {
  update(progress: EnsembleProgress): void
  stop(): void
}

/** @param clock milliseconds */
export function createProgressLine(
  stream: NodeJS.WriteStream = process.stderr,
  clock: () => number = () => performance.now(),
): ProgressLine {
  const began = clock()
  // Who has closed it reads no progress; the runs go on.
  stream.on('error', () => {})
  const bar = new SingleBar(
    {
      stream,
      noTTYOutput: true,
      notTTYSchedule: QUIET_MS,
      hideCursor: true,
      clearOnComplete: false,
      linewrap: false,
      format: (options, { progress }, payload: { line: string }) =>
        `${Format.BarFormat(progress, options)} ${payload.line}`,
    },
    Presets.shades_classic,
  )
  let isShown = false
  return {
    update(progress: EnsembleProgress) {
      const line = describeProgress(progress, clock() - began)
      const share = progress.done + progress.failed + progress.underWay
      if (isShown) bar.update(Math.min(share, progress.total), { line })
      else bar.start(progress.total, share, { line })
      isShown = true
    },
    stop() {
      if (isShown) bar.stop()
    },
  }
}

/** @param elapsedMs since this call began */
export function describeProgress(
  { total, done, failed, running, underWay, began }: EnsembleProgress,
  elapsedMs: number,
): string {
  const share = done + failed - began + underWay
  const left = total - done - failed - underWay
  const time = share > 0 ? duration((elapsedMs / share) * left) : 'unknown'
  const failures = failed > 0 ? `, ${failed} failed` : ''
  return `${done} of ${total} done${failures}, ${running} running, ${left > 0 ? `${time} left` : 'ready'}`
}

function duration(ms: number): string {
  const all = Math.ceil(ms / 1000)
  if (all < 60) return `${all} s`
  if (all < 3600) return `${Math.floor(all / 60)} min ${all % 60} s`
  return `${Math.floor(all / 3600)} h ${Math.floor((all % 3600) / 60)} min`
}
