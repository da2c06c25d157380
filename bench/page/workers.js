// Owns the workers: each measurement has its own, and it ends with it. It must never leave one running.

/** The smallest step of the clock that workers have, in milliseconds. */
export async function resolutionInWorker() {
  const { resolution } = await askWorker(undefined)
  return resolution
}

/**
 * Resolves to what measurement.js reported in a new worker; rejects with what it threw there, or with an AbortError when
 * `signal` was aborted.
 */
export function measureInWorker({ library, way, work, size }, timing, { resolution, signal }) {
  return askWorker({ library, way, caseName: work.name, size, ...timing, resolution }, signal)
}

function askWorker(request, signal) {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
  const ended = new AbortController()
  return new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { signal: ended.signal })
    worker.onmessage = ({ data: { report, error } }) => (report ? resolve(report) : reject(error))
    // No message: the worker's files could not be loaded, or it ran out of memory.
    worker.onerror = ({ message }) => reject(new Error(message ?? 'the worker could not be started'))
    worker.postMessage(request)
  }).finally(() => {
    ended.abort()
    worker.terminate()
  })
}
