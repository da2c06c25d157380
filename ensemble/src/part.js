// Owns part files: Arrow streams to which one thread appends record batches, and of which a torn end is dropped.

import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { RecordBatchReader } from 'apache-arrow'
import { encodeBatch } from './columns.js'
import { writing } from './errors.js'

/** Appends to one file that is its own. It is made with the first batch, so a part without rows does not exist. */
export class PartWriter {
  #file = -1

  /** @param {string} folder @param {string} name */
  constructor(folder, name) {
    this.name = name
    this.path = join(folder, name)
    this.batches = 0
  }

  /**
   * Writes a batch to the end of the file.
   *
   * @param {import('apache-arrow').RecordBatch} batch
   * @returns {{ part: string, batch: number }} where it is
   * @throws {EnsembleError} DISK_FULL, CANNOT_WRITE; then the file may end in the middle of this batch, and takes no more
   */
  append(batch) {
    const { head, body } = encodeBatch(batch)
    writing(this.path, () => {
      if (this.#file === -1) {
        this.#file = openSync(this.path, 'ax')
        this.#write(head)
      }
      this.#write(body)
    })
    return { part: this.name, batch: this.batches++ }
  }

  #write(bytes) {
    let written = 0
    while (written < bytes.length) written += writeSync(this.#file, bytes, written)
  }

  close() {
    if (this.#file !== -1) closeSync(this.#file)
    this.#file = -1
  }
}

/**
 * The record batches of a part, as far as they are whole. What was being written when a program or a machine stopped is
 * left out.
 *
 * @returns {import('apache-arrow').RecordBatch[]}
 */
export function readPart(path) {
  return readBatches(readFileSync(path))
}

/** @param {Uint8Array} bytes */
export function readBatches(bytes) {
  const batches = []
  try {
    for (const batch of RecordBatchReader.from(bytes)) if (batch.numRows > 0) batches.push(batch)
  } catch {
    // A torn end: whoever asks knows from the journal what must be there, and finds the rest missing.
  }
  return batches
}
