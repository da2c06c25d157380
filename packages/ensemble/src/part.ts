// Owns part files: Arrow streams to which one thread appends record batches. It must never give bytes to Arrow whose digest
// is another than the one that was written down: Arrow believes every length in them.

import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type RecordBatch, RecordBatchReader } from 'apache-arrow'
import { Rows, encodeBatch, recordBatchOf, schemaOf } from './columns.js'
import type { Kinds } from './definition.js'
import { digestOf, writeAll } from './disk.js'
import { EnsembleError, writing } from './errors.js'

/** Names of parts: never a path out of their folder. */
const NAME = /^[\w-]+\.arrow$/

export const isPartName = (name: unknown): name is string => typeof name === 'string' && NAME.test(name)

/** Where a batch is, and its digest. */
export interface Place {
  part: string
  from: number
  bytes: number
  sha: string
}

/** Appends to one file that is its own. It is made with the first batch, so a part without rows does not exist. */
export class PartWriter {
  #file = -1
  #length = 0
  #broken: Error | undefined
  private readonly name: string
  private readonly path: string

  constructor(folder: string, name: string) {
    this.name = name
    this.path = join(folder, name)
  }

  /**
   * Writes a batch to the end of the file.
   *
   * @throws EnsembleError DISK_FULL, CANNOT_WRITE; then the file may end in the middle of this batch, and takes no more
   */
  append(batch: RecordBatch): Place {
    if (this.#broken) throw this.#broken
    const { head, body } = encodeBatch(batch)
    try {
      writing(this.path, () => {
        if (this.#file === -1) {
          this.#file = openSync(this.path, 'ax')
          this.#write(head)
        }
        this.#write(body)
      })
    } catch (error) {
      this.#broken = error as Error
      throw error
    }
    return { part: this.name, from: this.#length - body.length, bytes: body.length, sha: digestOf(body) }
  }

  #write(bytes: Uint8Array): void {
    writeAll(this.#file, bytes)
    this.#length += bytes.length
  }

  close(): void {
    if (this.#file !== -1) closeSync(this.#file)
    this.#file = -1
    this.#broken ??= new EnsembleError('CANNOT_WRITE', `${this.path} was closed.`)
  }
}

/** Reads batches out of the parts of a folder. One file is open at a time, so ask for those of a part together. */
export class PartReader {
  #file = -1
  #name = ''
  #size = 0
  #head: Uint8Array
  private readonly folder: string

  /** @param kinds of the columns of their rows */
  constructor(folder: string, kinds: Kinds) {
    this.folder = folder
    // That of the file itself has no digest.
    this.#head = encodeBatch(recordBatchOf(schemaOf(kinds), new Rows(kinds))).head
  }

  /** @returns the bytes of a batch; undefined when they are not there or damaged */
  bytesOf({ part, from, bytes, sha }: Place): Buffer | undefined {
    if (!this.#open(part) || from + bytes > this.#size) return undefined
    const batch = Buffer.allocUnsafeSlow(bytes)
    let read = 0
    while (read < bytes) {
      const count = readSync(this.#file, batch, read, bytes - read, from + read)
      if (count === 0) return undefined
      read += count
    }
    return digestOf(batch) === sha ? batch : undefined
  }

  batchOf(place: Place): RecordBatch | undefined {
    const bytes = this.bytesOf(place)
    if (bytes === undefined) return undefined
    // Not out of a pool of buffers: arrays of eight bytes a value lie only where these may.
    const stream = new Uint8Array(this.#head.length + bytes.length)
    stream.set(this.#head)
    stream.set(bytes, this.#head.length)
    return readBatches(stream)[0]
  }

  #open(name: string): boolean {
    if (name === this.#name) return this.#file !== -1
    this.close()
    this.#name = name
    if (!isPartName(name)) return false
    try {
      const path = join(this.folder, name)
      const status = statSync(path)
      if (!status.isFile()) return false
      this.#file = openSync(path, 'r')
      this.#size = status.size
      return true
    } catch {
      return false
    }
  }

  close(): void {
    if (this.#file !== -1) closeSync(this.#file)
    this.#file = -1
    this.#name = ''
  }
}

/** The record batches of a stream whose bytes are known to be whole. */
export function readBatches(bytes: Uint8Array): RecordBatch[] {
  return [...RecordBatchReader.from(bytes)].filter(({ numRows }) => numRows > 0)
}
