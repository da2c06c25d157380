// Owns the warm-up: how often the work is run before any time is taken. It must never count what is not timed either.

/**
 * Runs until the runs took `budget` ms together, those of `before` not counted, at least once. Where both would take more
 * than ten times as long as that, it ends earlier.
 *
 * @returns how many runs there were
 */
export async function warmUp(budget, run, before) {
  const end = performance.now() + budget * 10
  let spent = 0
  let runs = 0
  do {
    const prepared = before?.()
    if (prepared instanceof Promise) await prepared
    const start = performance.now()
    const running = run()
    // Waiting for what is no promise would cost a turn of the event loop in each run.
    if (running instanceof Promise) await running
    spent += performance.now() - start
    runs++
  } while (spent < budget && performance.now() < end)
  return runs
}
