// Owns the ledger of a folder: which runs are done and which failed, as its journals and its parts say together. It must
// never hold an object for each run: there may be millions.

import type { Kinds, ParameterValues } from './definition.js'
import {
  type Entry,
  type FailedEntry,
  type Line,
  type LinePlace,
  readJournals,
  readLine,
  shortSource,
} from './journal.js'
import { type Place, PartReader } from './part.js'
import { keysOf, nameOf, seedOf } from './plan.js'

const NO_BATCH = 0xffffffff
const EMPTY = -1

type NumberArray = Uint16Array | Uint32Array | Float64Array

/** A list of numbers that grows. */
class Numbers<A extends NumberArray> {
  array: A
  length = 0

  constructor(private readonly Type: new (length: number) => A) {
    this.array = new Type(256)
  }

  push(value: number): void {
    if (this.length === this.array.length) {
      const larger = new this.Type(2 * this.length)
      larger.set(this.array)
      this.array = larger
    }
    this.array[this.length++] = value
  }
}

/** Finds a row by two of its numbers, in a table without objects. */
class Finder {
  readonly slots: Int32Array
  private readonly first: Uint32Array
  private readonly second: Uint32Array

  constructor(first: Numbers<Uint32Array>, second: Numbers<Uint32Array>) {
    this.first = first.array
    this.second = second.array
    let slots = 16
    while (slots < 2 * first.length) slots *= 2
    this.slots = new Int32Array(slots).fill(EMPTY)
  }

  #slotOf(a: number, b: number): number {
    let hash = Math.imul(a + 1, 0x9e3779b1) ^ Math.imul(b + 1, 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35)
    const mask = this.slots.length - 1
    let slot = (hash ^ (hash >>> 13)) & mask
    for (let row; (row = this.slots[slot]!) !== EMPTY; slot = (slot + 1) & mask) {
      if (this.first[row] === a && this.second[row] === b) break
    }
    return slot
  }

  find(a: number, b: number): number {
    return this.slots[this.#slotOf(a, b)]!
  }

  /** Adds a row, in place of the one with the same numbers. */
  set(row: number): void {
    this.slots[this.#slotOf(this.first[row]!, this.second[row]!)] = row
  }
}

/** Batches of rows in parts: where they are, and their digests. */
class Batches {
  readonly part: Numbers<Uint32Array> = new Numbers(Uint32Array)
  private readonly parts: string[] = []
  private readonly partIds = new Map<string, number>()
  private readonly from = new Numbers(Float64Array)
  private readonly bytes = new Numbers(Uint32Array)
  private readonly digests = new Numbers(Uint32Array)

  /** The number of a batch. Equal ones that follow each other have the same. */
  add({ part, from, bytes, sha }: Place): number {
    let id = this.partIds.get(part)
    if (id === undefined) {
      id = this.parts.length
      this.partIds.set(part, id)
      this.parts.push(part)
    }
    const last = this.part.length - 1
    if (last >= 0 && this.part.array[last] === id && this.from.array[last] === from) return last
    this.part.push(id)
    this.from.push(from)
    this.bytes.push(bytes)
    for (let word = 0; word < 4; word++) this.digests.push(parseInt(sha.slice(8 * word, 8 * word + 8), 16))
    return last + 1
  }

  place(batch: number): Place {
    const words = this.digests.array.subarray(4 * batch, 4 * batch + 4)
    return {
      part: this.parts[this.part.array[batch]!]!,
      from: this.from.array[batch]!,
      bytes: this.bytes.array[batch]!,
      sha: Array.from(words, (word) => word.toString(16).padStart(8, '0')).join(''),
    }
  }

  /** All batches, those of a part together, in the order of the file. */
  inOrder(): Uint32Array {
    const [part, from] = [this.part.array, this.from.array]
    return Uint32Array.from({ length: this.part.length }, (_, i) => i).sort(
      (a, b) => part[a]! - part[b]! || from[a]! - from[b]!,
    )
  }
}

/** What the journals and the parts of a folder say. */
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

  private readonly source: string
  private readonly kinds: Kinds
  private readonly partsFolder: string
  private readonly done: Finder
  private readonly failed: Finder

  #names = new Map<string, number>()
  #texts: string[] = []
  #parameters: ParameterValues[] = []
  #ranks: Uint32Array | undefined
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
  #files: string[] = []

  /**
   * @param source the hash of the text whose runs count
   * @param kinds of the columns of rows
   */
  constructor(paths: { journals: string; parts: string }, source: string, kinds: Kinds) {
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

  #addDone({ parameters, runs = [], ...place }: Line): void {
    const combination = this.#combination(parameters)
    const batch = place.part === undefined ? NO_BATCH : this.#batches.add(place as Place)
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

  #addFailed({ parameters, index = 0 }: Line, { path, from, bytes }: LinePlace): void {
    if (this.#files.at(-1) !== path) this.#files.push(path)
    this.#failedOf.push(this.#combination(parameters))
    this.#failedIndex.push(index)
    this.#failedFile.push(this.#files.length - 1)
    this.#failedFrom.push(from)
    this.#failedBytes.push(bytes)
  }

  #combination(parameters: ParameterValues): number {
    const name = nameOf(parameters)
    let combination = this.#names.get(name)
    if (combination === undefined) {
      combination = this.#texts.length
      this.#names.set(name, combination)
      this.#texts.push(name)
      this.#parameters.push(parameters)
    }
    return combination
  }

  /** Which batches are there as they were written. */
  #sound(): Uint8Array {
    const sound = new Uint8Array(this.#batches.part.length)
    const reader = new PartReader(this.partsFolder, this.kinds)
    for (const batch of this.#batches.inOrder()) {
      sound[batch] = reader.bytesOf(this.#batches.place(batch)) ? 1 : 0
    }
    reader.close()
    return sound
  }

  #find(sound: Uint8Array): void {
    for (let row = 0; row < this.#of.length; row++) {
      const batch = this.#batch.array[row]!
      if (batch !== NO_BATCH && !sound[batch]) continue
      // Two workers may have done it: the first one counts.
      if (this.done.find(this.#of.array[row]!, this.#index.array[row]!) !== EMPTY) continue
      this.done.set(row)
      this.doneCount++
      this.rowCount += this.#rows.array[row]!
    }
    for (let row = 0; row < this.#failedOf.length; row++) {
      const [of, index] = [this.#failedOf.array[row]!, this.#failedIndex.array[row]!]
      if (this.done.find(of, index) !== EMPTY) continue
      if (this.failed.find(of, index) === EMPTY) this.failedCount++
      this.failed.set(row)
    }
  }

  /** Whether the run with these parameters, as `nameOf` writes them, and this index is done. */
  isDone(name: string, index: number): boolean {
    const combination = this.#names.get(name)
    return combination !== undefined && this.done.find(combination, index) !== EMPTY
  }

  /** All runs that are done: rows of the ledger, by parameters, then by index. */
  sorted(): Int32Array {
    const [of, index, ranks] = [this.#of.array, this.#index.array, this.#ranksOfCombinations()]
    return rowsIn(this.done).sort((a, b) => ranks[of[a]!]! - ranks[of[b]!]! || index[a]! - index[b]!)
  }

  /** Those that failed, by index, then by parameters: what people look for is together so. */
  #sortedFailures(): Int32Array {
    const [of, index] = [this.#failedOf.array, this.#failedIndex.array]
    const ranks = this.#ranksOfCombinations()
    return rowsIn(this.failed).sort((a, b) => index[a]! - index[b]! || ranks[of[a]!]! - ranks[of[b]!]!)
  }

  #ranksOfCombinations(): Uint32Array {
    if (this.#ranks?.length === this.#parameters.length) return this.#ranks
    const ids = this.#parameters.map((_, id) => id)
    ids.sort((a, b) => byParameters(this.#parameters[a]!, this.#parameters[b]!))
    const ranks = new Uint32Array(ids.length)
    ids.forEach((id, rank) => (ranks[id] = rank))
    this.#ranks = ranks
    return ranks
  }

  /** What is known of a run that is done. */
  entry(row: number): Entry {
    const combination = this.#of.array[row]!
    const index = this.#index.array[row]!
    const batch = this.#batch.array[row]!
    return {
      key: this.#keyOf(combination, index),
      index,
      seed: seedOf(index),
      parameters: this.#parameters[combination]!,
      attempts: this.#attempts.array[row]!,
      ms: this.#ms.array[row]!,
      rows: this.#rows.array[row]!,
      ...(batch !== NO_BATCH && { ...this.#batches.place(batch), at: this.#at.array[row]! }),
    }
  }

  #last = { combination: -1, keyOf: (_: number) => '' }
  #keyOf(combination: number, index: number): string {
    if (this.#last.combination !== combination) {
      this.#last = { combination, keyOf: keysOf(this.source, this.#texts[combination]!) }
    }
    return this.#last.keyOf(index)
  }

  /** The first of the runs that failed, with all that is known of them. */
  failures(most: number): FailedEntry[] {
    return Array.from(this.#sortedFailures().subarray(0, most), (row) => {
      const combination = this.#failedOf.array[row]!
      const index = this.#failedIndex.array[row]!
      const place = {
        path: this.#files[this.#failedFile.array[row]!]!,
        from: this.#failedFrom.array[row]!,
        bytes: this.#failedBytes.array[row]!,
      }
      const { attempts = 1, ms = 0, failed } = readLine(place) ?? ({} as Partial<Line>)
      const key = this.#keyOf(combination, index)
      const parameters = this.#parameters[combination]!
      return { key, index, seed: seedOf(index), parameters, attempts, ms, failed: failed! }
    })
  }

  /** The different values of the parameters of all runs that are done. */
  combinations(): ParameterValues[] {
    const isUsed = new Uint8Array(this.#parameters.length)
    for (const row of rowsIn(this.done)) isUsed[this.#of.array[row]!] = 1
    return this.#parameters.filter((_, id) => isUsed[id])
  }

  /** The most rows that a run has. */
  mostRows(): number {
    return rowsIn(this.done).reduce((most, row) => Math.max(most, this.#rows.array[row]!), 0)
  }

  /** Rows of the ledger, so that those whose results are in the same batch are together, in the order of the files. */
  byPlace(rows: Int32Array): Int32Array {
    const order = this.#batches.inOrder()
    const places = new Uint32Array(order.length)
    order.forEach((batch, place) => (places[batch] = place))
    const placeOf = (row: number) => {
      const batch = this.#batch.array[row]!
      return batch === NO_BATCH ? -1 : places[batch]!
    }
    return rows.slice().sort((a, b) => placeOf(a) - placeOf(b) || a - b)
  }

  /** How many rows a run has. */
  rowsOf(row: number): number {
    return this.#rows.array[row]!
  }

  batchOf(row: number): number {
    return this.#batch.array[row]!
  }
}

const rowsIn = ({ slots }: Finder) => slots.filter((row) => row !== EMPTY)

/** Numbers by their size, texts by their letters, false before true; the first parameter that differs decides. */
export function byParameters(a: ParameterValues, b: ParameterValues): number {
  for (const name of Object.keys(a)) {
    if (a[name] !== b[name]) return a[name]! < b[name]! ? -1 : 1
  }
  return 0
}
