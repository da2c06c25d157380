// The processes: each measurement has its own.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const INTERRUPTIONS = ['SIGINT', 'SIGTERM', 'SIGHUP']
const MEASURE = fileURLToPath(new URL('measure.js', import.meta.url))

/**
 * Resolves to what measurement.js reported in a new process; rejects with the error it threw there, or with an AbortError
 * where the process was told to end, as all are by the Ctrl-C that ends a run.
 */
export async function measureInProcess({ library, way, work, size }, { milliseconds, reference = 0 }) {
  const request = [library, way, work.name, size, milliseconds, reference].map(String)
  try {
    const { stdout } = await run(process.execPath, [
      '--expose-gc',
      ...(work.flags ?? []),
      MEASURE,
      ...request,
    ])
    return JSON.parse(stdout)
  } catch (error) {
    throw errorOf(error)
  }
}

/** The first line of what Node printed: its name and message. */
function errorOf({ stderr = '', message, signal }) {
  if (INTERRUPTIONS.includes(signal)) return Object.assign(new Error(signal), { name: 'AbortError' })
  const [, name, text] = /^(\w*Error): (.*)$/m.exec(stderr) ?? [undefined, 'Error', message]
  return Object.assign(new Error(text), { name })
}
