// Owns the ledger of a folder: which runs are done and which failed, as its journals and its parts say together. It must
// never hold an object for each run: there may be millions.

import { readJournals, readLine, shortSource } from './journal.js'
import { PartReader } from './part.js'
import { keysOf, nameOf, seedOf } from './plan.js'

const NO_BATCH = 0xffffffff
const EMPTY = -1

/** A list of numbers that grows. */
class Numbers {
  constructor(Type) {
    this.array = new Type(256)
    this.length = 0
  }

  push(value) {
    if (this.length === this.array.length) {
      const larger = new this.array.constructor(2 * this.length)
      larger.set(this.array)
      this.array = larger
    }
    this.array[this.length++] = value
  }
}

/** Finds a row by two of its numbers, in a table without objects. */
class Finder {
  constructor(first, second) {
    this.first = first.array
    this.second = second.array
    let slots = 16
    while (slots < 2 * first.length) slots *= 2
    this.slots = new Int32Array(slots).fill(EMPTY)
  }

  #slotOf(a, b) {
    let hash = Math.imul(a + 1, 0x9e3779b1) ^ Math.imul(b + 1, 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35)
    const mask = this.slots.length - 1
    let slot = (hash ^ (hash >>> 13)) & mask
    for (let row; (row = this.slots[slot]) !== EMPTY; slot = (slot + 1) & mask) {
      if (this.first[row] === a && this.second[row] === b) break
    }
    return slot
  }

  find(a, b) {
    return this.slots[this.#slotOf(a, b)]
  }

  /** Adds a row, in place of the one with the same numbers. */
  set(row) {
    this.slots[this.#slotOf(this.first[row], this.second[row])] = row
  }
}

/** Batches of rows in parts: where they are, and their digests. */
class Batches {
  constructor() {
    this.parts = []
    this.partIds = new Map()
    this.part = new Numbers(Uint32Array)
    this.from = new Numbers(Float64Array)
    this.bytes = new Numbers(Uint32Array)
    this.digests = new Numbers(Uint32Array)
  }

  /** The number of a batch. Equal ones that follow each other have the same. */
  add({ part, from, bytes, sha }) {
    if (!this.partIds.has(part)) {
      this.partIds.set(part, this.parts.length)
      this.parts.push(part)
    }
    const id = this.partIds.get(part)
    const last = this.part.length - 1
    if (last >= 0 && this.part.array[last] === id && this.from.array[last] === from) return last
    this.part.push(id)
    this.from.push(from)
    this.bytes.push(bytes)
    for (let word = 0; word < 4; word++) this.digests.push(parseInt(sha.slice(8 * word, 8 * word + 8), 16))
    return last + 1
  }

  /** @returns {import('./part.js').Place} */
  place(batch) {
    const words = this.digests.array.subarray(4 * batch, 4 * batch + 4)
    return {
      part: this.parts[this.part.array[batch]],
      from: this.from.array[batch],
      bytes: this.bytes.array[batch],
      sha: Array.from(words, (word) => word.toString(16).padStart(8, '0')).join(''),
    }
  }

  /** All batches, those of a part together, in the order of the file. */
  inOrder() {
    const [part, from] = [this.part.array, this.from.array]
    return Uint32Array.from({ length: this.part.length }, (_, i) => i).sort(
      (a, b) => part[a] - part[b] || from[a] - from[b],
    )
  }
}

export class Ledger {
  /** Lines of journals that are torn or damaged: what they say is done again. */
  damaged = 0
  /** Runs of other texts of the module, which are left out. */
  foreign = 0
  /** Rows of all runs that are done. */
  rowCount = 0
  /** How many runs are done. */
  doneCount = 0
  /** How many failed and were not done since. */
  failedCount = 0

  #names = new Map()
  #texts = []
  #parameters = []
  #ranks
  #batches = new Batches()
  // Of each run that a journal names as done.
  #of = new Numbers(Uint32Array)
  #index = new Numbers(Uint32Array)
  #rows = new Numbers(Uint32Array)
  #at = new Numbers(Uint32Array)
  #batch = new Numbers(Uint32Array)
  #ms = new Numbers(Float64Array)
  #attempts = new Numbers(Uint16Array)
  // Of each that it names as failed, and where that line is.
  #failedOf = new Numbers(Uint32Array)
  #failedIndex = new Numbers(Uint32Array)
  #failedFile = new Numbers(Uint32Array)
  #failedFrom = new Numbers(Float64Array)
  #failedBytes = new Numbers(Uint32Array)
  #files = []

  /**
   * @param {{ journals: string, parts: string }} paths
   * @param {string} source the hash of the text whose runs count
   * @param {Record<string, string>} kinds of the columns of rows
   */
  constructor(paths, source, kinds) {
    this.source = source
    this.kinds = kinds
    this.partsFolder = paths.parts
    const short = shortSource(source)
    this.damaged = readJournals(paths.journals, (line, where) => {
      if (line.source !== short) this.foreign += line.runs?.length ?? 1
      else if (line.failed) this.#addFailed(line, where)
      else this.#addDone(line)
    })
    this.done = new Finder(this.#of, this.#index)
    this.failed = new Finder(this.#failedOf, this.#failedIndex)
    this.#find(this.#sound())
  }

  /** @param {import('./journal.js').Line} line */
  #addDone({ parameters, runs = [], ...place }) {
    const combination = this.#combination(parameters)
    const batch = place.part === undefined ? NO_BATCH : this.#batches.add(/** @type {any} */ (place))
    for (const [index, rows, at, ms, attempts] of runs) {
      this.#of.push(combination)
      this.#index.push(index)
      this.#rows.push(rows)
      this.#at.push(at)
      this.#batch.push(rows === 0 ? NO_BATCH : batch)
      this.#ms.push(ms)
      this.#attempts.push(attempts)
    }
  }

  /** @param {import('./journal.js').Line} line @param {{ path: string, from: number, bytes: number }} where */
  #addFailed({ parameters, index }, { path, from, bytes }) {
    if (this.#files.at(-1) !== path) this.#files.push(path)
    this.#failedOf.push(this.#combination(parameters))
    this.#failedIndex.push(index)
    this.#failedFile.push(this.#files.length - 1)
    this.#failedFrom.push(from)
    this.#failedBytes.push(bytes)
  }

  #combination(parameters) {
    const name = nameOf(parameters)
    if (!this.#names.has(name)) {
      this.#names.set(name, this.#texts.length)
      this.#texts.push(name)
      this.#parameters.push(parameters)
    }
    return this.#names.get(name)
  }

  /** Which batches are there as they were written. */
  #sound() {
    const sound = new Uint8Array(this.#batches.part.length)
    const reader = new PartReader(this.partsFolder, this.kinds)
    for (const batch of this.#batches.inOrder()) {
      sound[batch] = reader.bytesOf(this.#batches.place(batch)) ? 1 : 0
    }
    reader.close()
    return sound
  }

  #find(sound) {
    for (let row = 0; row < this.#of.length; row++) {
      const batch = this.#batch.array[row]
      if (batch !== NO_BATCH && !sound[batch]) continue
      // Two workers may have done it: the first one counts.
      if (this.done.find(this.#of.array[row], this.#index.array[row]) !== EMPTY) continue
      this.done.set(row)
      this.doneCount++
      this.rowCount += this.#rows.array[row]
    }
    for (let row = 0; row < this.#failedOf.length; row++) {
      const [of, index] = [this.#failedOf.array[row], this.#failedIndex.array[row]]
      if (this.done.find(of, index) !== EMPTY) continue
      if (this.failed.find(of, index) === EMPTY) this.failedCount++
      this.failed.set(row)
    }
  }

  /** Whether the run with these parameters, as `nameOf` writes them, and this index is done. */
  isDone(name, index) {
    const combination = this.#names.get(name)
    return combination !== undefined && this.done.find(combination, index) !== EMPTY
  }

  /** All runs that are done: rows of the ledger, by parameters, then by index. */
  sorted() {
    const [of, index, ranks] = [this.#of.array, this.#index.array, this.#ranksOfCombinations()]
    return rowsIn(this.done).sort((a, b) => ranks[of[a]] - ranks[of[b]] || index[a] - index[b])
  }

  /** Those that failed, by index, then by parameters: what people look for is together so. */
  #sortedFailures() {
    const [of, index] = [this.#failedOf.array, this.#failedIndex.array]
    const ranks = this.#ranksOfCombinations()
    return rowsIn(this.failed).sort((a, b) => index[a] - index[b] || ranks[of[a]] - ranks[of[b]])
  }

  #ranksOfCombinations() {
    if (this.#ranks?.length === this.#parameters.length) return this.#ranks
    const ids = this.#parameters.map((_, id) => id)
    ids.sort((a, b) => byParameters(this.#parameters[a], this.#parameters[b]))
    this.#ranks = new Uint32Array(ids.length)
    ids.forEach((id, rank) => (this.#ranks[id] = rank))
    return this.#ranks
  }

  /** What is known of a run that is done. @returns {import('./journal.js').Entry} */
  entry(row) {
    const combination = this.#of.array[row]
    const index = this.#index.array[row]
    const batch = this.#batch.array[row]
    return {
      key: this.#keyOf(combination, index),
      index,
      seed: seedOf(index),
      parameters: this.#parameters[combination],
      attempts: this.#attempts.array[row],
      ms: this.#ms.array[row],
      rows: this.#rows.array[row],
      ...(batch !== NO_BATCH && { ...this.#batches.place(batch), at: this.#at.array[row] }),
    }
  }

  #last = { combination: -1, keyOf: (/** @type {number} */ _) => '' }
  #keyOf(combination, index) {
    if (this.#last.combination !== combination) {
      this.#last = { combination, keyOf: keysOf(this.source, this.#texts[combination]) }
    }
    return this.#last.keyOf(index)
  }

  /** The first of the runs that failed, with all that is known of them. @returns {import('./journal.js').Entry[]} */
  failures(most) {
    return Array.from(this.#sortedFailures().subarray(0, most), (row) => {
      const combination = this.#failedOf.array[row]
      const index = this.#failedIndex.array[row]
      const place = {
        path: this.#files[this.#failedFile.array[row]],
        from: this.#failedFrom.array[row],
        bytes: this.#failedBytes.array[row],
      }
      const { attempts = 1, ms = 0, failed } = readLine(place) ?? {}
      const key = this.#keyOf(combination, index)
      const parameters = this.#parameters[combination]
      return { key, index, seed: seedOf(index), parameters, attempts, ms, failed }
    })
  }

  /** The different values of the parameters of all runs that are done. */
  combinations() {
    const isUsed = new Uint8Array(this.#parameters.length)
    for (const row of rowsIn(this.done)) isUsed[this.#of.array[row]] = 1
    return this.#parameters.filter((_, id) => isUsed[id])
  }

  /** The most rows that a run has. */
  mostRows() {
    return rowsIn(this.done).reduce((most, row) => Math.max(most, this.#rows.array[row]), 0)
  }

  /** Rows of the ledger, so that those whose results are in the same batch are together, in the order of the files. */
  byPlace(rows) {
    const order = this.#batches.inOrder()
    const places = new Uint32Array(order.length)
    order.forEach((batch, place) => (places[batch] = place))
    const placeOf = (row) => (this.#batch.array[row] === NO_BATCH ? -1 : places[this.#batch.array[row]])
    return rows.slice().sort((a, b) => placeOf(a) - placeOf(b) || a - b)
  }

  /** How many rows a run has. */
  rowsOf(row) {
    return this.#rows.array[row]
  }

  batchOf(row) {
    return this.#batch.array[row]
  }
}

const rowsIn = ({ slots }) => slots.filter((row) => row !== EMPTY)

/** Numbers by their size, texts by their letters, false before true; the first parameter that differs decides. */
export function byParameters(a, b) {
  for (const name in a) {
    if (a[name] !== b[name]) return a[name] < b[name] ? -1 : 1
  }
  return 0
}
