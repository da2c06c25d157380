// Owns the file that results are kept in. It must never leave a half-written one be taken for results.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseResults } from './results.js'

export function writeResults(path, results) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify(results, undefined, 2)}\n`)
}

/**
 * A file that `writeResults` wrote, or that the browser's page handed out.
 *
 * @throws {Error} when it cannot be read or is something else
 */
export function readResults(path) {
  try {
    return parseResults(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Error(`${path} cannot be read: ${error.message}`, { cause: error })
  }
}
