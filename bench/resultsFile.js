// Owns the file that results are kept in. It must never leave a half-written one be taken for results.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseResults } from './results.js'

/** Takes the place of the older file in one step, when all is written. */
export function writeResults(path, results) {
  mkdirSync(dirname(path), { recursive: true })
  const unfinished = `${path}.part`
  writeFileSync(unfinished, `${JSON.stringify(results, undefined, 2)}\n`)
  renameSync(unfinished, path)
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
