// Owns whether schedules are measured: each as long as an inspector that shows it is open, however many there are. It must never
// leave a schedule otherwise than it was before the first one opened.

import type { Schedule } from '../../../../bindings/index'

interface Measured {
  /** Whether it was measured before anybody looked. */
  readonly before: boolean
  count: number
}

const measured = new WeakMap<Schedule, Measured>()

/** Measures a schedule until the function that is returned was called as often as this one. */
export function measureSystems(schedule: Schedule): () => void {
  const state = measured.get(schedule) ?? { before: schedule.timing, count: 0 }
  measured.set(schedule, state)
  state.count++
  schedule.timing = true
  let isStopped = false
  return () => {
    if (isStopped) return
    isStopped = true
    if (--state.count > 0) return
    measured.delete(schedule)
    schedule.timing = state.before
  }
}
