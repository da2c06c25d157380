// Owns journals: files to which one process appends a line for every run that is done or has failed, and their reading.
// It must never name a run as done before its rows are in a part.

import { closeSync, existsSync, openSync, readFileSync, readdirSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { writing } from './errors.js'

const ENDING = '.jsonl'

/**
 * @typedef {object} Entry
 * @property {string} key
 * @property {number} index
 * @property {number} seed
 * @property {Record<string, number | string | boolean>} parameters
 * @property {number} attempts how often it was run
 * @property {number} ms how long the last time took
 * @property {number} [rows] of a run that is done
 * @property {string} [part] the file with its rows; a run without rows has none
 * @property {number} [batch] which record batch of it
 * @property {number} [at] the first row in that batch
 * @property {{ code?: string, message: string, stack: string, log: string }} [failed] of a run that failed
 */

/** Appends to a file that is its own. */
export class Journal {
  #file

  /** @param {string} folder @param {string} name */
  constructor(folder, name) {
    this.path = join(folder, name + ENDING)
    this.#file = writing(this.path, () => openSync(this.path, 'ax'))
  }

  /** @param {Entry[]} entries @throws {EnsembleError} DISK_FULL, CANNOT_WRITE */
  append(entries) {
    const bytes = Buffer.from(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
    writing(this.path, () => {
      let written = 0
      while (written < bytes.length) written += writeSync(this.#file, bytes, written)
    })
  }

  close() {
    closeSync(this.#file)
  }
}

/**
 * All entries of the journals in a folder, in the order of their names. A line that is torn is left out.
 *
 * @returns {Entry[]}
 */
export function readJournals(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith(ENDING))
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').flatMap(readLine))
}

function readLine(line) {
  if (line === '') return []
  try {
    return [JSON.parse(line)]
  } catch {
    return []
  }
}
