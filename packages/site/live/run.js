// Owns a run as the page sees it: a worker, what it prints, and the end, which comes after TIME_LIMIT at the latest. It must
// never run a program in the page itself, which an endless loop would freeze.

/** How long a program may take, in milliseconds. */
export const TIME_LIMIT = 5000

/**
 * Runs a program in a worker of its own.
 *
 * @param script its text: JavaScript, or what a reader has written when `isEdited`
 * @param modules the addresses of what it may import, by name
 * @param on `line(text)` for each line it prints; `end({ state, error, line })` once, where the state is `ended`,
 *   `failed` (by an error, perhaps in a known line) or `stopped` (by the time limit); once more, when something fails after
 *   the end
 * @returns a function that stops it, after which nothing is called
 */
export function run({ script, isEdited, modules }, on) {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
  let limit
  let hasEnded = false

  function end(how) {
    // What it still does in timers and promises may fail later.
    if (hasEnded && how.state !== 'failed') return
    hasEnded = true
    on.end(how)
  }

  function stop() {
    clearTimeout(limit)
    worker.terminate()
  }

  worker.addEventListener('message', ({ data }) => {
    if (data.line !== undefined && data.error === undefined) on.line(data.line)
    if (data.begun)
      limit = setTimeout(() => {
        stop()
        end({ state: 'stopped' })
      }, TIME_LIMIT)
    // What it still does in timers may print until the limit.
    if (data.ended) end({ state: 'ended' })
    if (data.error !== undefined) {
      stop()
      end({ state: 'failed', error: data.error, line: data.line })
    }
  })
  worker.addEventListener('error', () => {
    stop()
    end({ state: 'failed', error: 'The worker could not be started: reload the page.' })
  })
  worker.postMessage({ script, isEdited, modules })
  return stop
}
