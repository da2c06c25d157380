// Owns journals: files to which one process appends a line for runs that are done or have failed, and their reading, line by
// line. It must never name a run as done before its rows are in a part, and never believe a line whose digest is another.

import { closeSync, existsSync, fsync, fsyncSync, openSync, readSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ParameterValues } from './definition.js'
import { DIGEST_DIGITS, digestOf, writeAll } from './disk.js'
import { type Failure, writing } from './errors.js'

const ENDING = '.jsonl'

/** A journal that is larger goes on in a new file. */
const MOST_BYTES = 256 * 2 ** 20
const MOST_RUNS_OF_A_LINE = 1000
/** What is longer without an end is no line. */
const MOST_LINE_BYTES = 64 * 2 ** 20
const CHUNK_BYTES = 2 ** 20

/** Of a run that failed, the last of its log and the first of its stack are kept. */
const MOST_LOG = 4096
const MOST_STACK = 4096
const MOST_MESSAGE = 2048

const SOURCE_DIGITS = 32
const TAIL_LENGTH = ',"digest":""}'.length + DIGEST_DIGITS

/** A run that is done or has failed. */
export interface RunEntry {
  /** 32 hexadecimal digits: the same for the same text, versions, parameters and index. */
  key: string
  index: number
  seed: number
  parameters: ParameterValues
  /** How often it was run, in the call that did it. */
  attempts: number
  /** How long the last time took. */
  ms: number
  /** Of a run that is done. */
  rows?: number
  /** Of a run that failed. */
  failed?: Failure
}

/** A run that has failed. */
export interface FailedEntry extends RunEntry {
  failed: Failure
}

/** A run that is done or has failed, with the place of its rows. */
export interface Entry extends RunEntry {
  /** The file with its rows; a run without rows has none. */
  part?: string
  /** The first byte of the record batch in that file. */
  from?: number
  /** How long the record batch is. */
  bytes?: number
  /** Its digest. */
  sha?: string
  /** The first row in that batch. */
  at?: number
  /** Of a run whose rows are in no part of the folder; not written down. */
  isElsewhere?: boolean
  /** How a second time differed from the first; not written down. */
  differs?: string | undefined
}

/** What a line says of a run: its index, rows, first row, milliseconds and attempts. */
type RunNumbers = [index: number, rows: number, at: number, ms: number, attempts: number]

/** Where a line is. */
export interface LinePlace {
  path: string
  from: number
  bytes: number
}

/** Runs with the same parameters whose rows are in the same batch, or one that failed. */
export interface Line {
  /** The first digits of the hash of the text that they are runs of. */
  source: string
  parameters: ParameterValues
  part?: string | undefined
  from?: number | undefined
  bytes?: number | undefined
  sha?: string | undefined
  runs?: RunNumbers[]
  /** Of the run that failed; a line has either `runs` or `failed`. */
  index?: number
  attempts?: number
  ms?: number
  failed?: Failure
}

/** How a line names the text that its runs are of. */
export const shortSource = (hash: string): string => hash.slice(0, SOURCE_DIGITS)

/** Appends to files that are its own. */
export class Journal {
  path = ''
  private readonly folder: string
  private readonly name: string
  private readonly source: string
  private readonly mostBytes: number
  #file = -1
  #files = 0
  #written = 0
  #isTorn = false

  /**
   * @param source the hash of the text that its runs are of
   * @param mostBytes of a file
   */
  constructor(folder: string, name: string, source: string, mostBytes: number = MOST_BYTES) {
    this.folder = folder
    this.name = name
    this.source = shortSource(source)
    this.mostBytes = mostBytes
    this.#open()
  }

  #open(): void {
    this.#files++
    // All with their number, so that names sort as the files were begun.
    this.path = join(this.folder, `${this.name}-${String(this.#files).padStart(4, '0')}${ENDING}`)
    this.#file = writing(this.path, () => openSync(this.path, 'ax'))
    this.#written = 0
  }

  /** @throws EnsembleError DISK_FULL, CANNOT_WRITE */
  append(entries: readonly Entry[]): void {
    const text = linesOf(this.source, entries).map(sealed).join('')
    if (text === '') return
    // What a disk that was full has torn must not spoil the next line.
    const bytes = Buffer.from(this.#isTorn ? `\n${text}` : text)
    if (this.#written > 0 && this.#written + bytes.length > this.mostBytes) {
      this.close()
      this.#open()
    }
    writing(this.path, () => {
      this.#isTorn = true
      writeAll(this.#file, bytes)
      this.#isTorn = false
    })
    this.#written += bytes.length
  }

  /** Resolves when what was appended outlasts a loss of power. */
  async settle(): Promise<void> {
    await new Promise((resolve) => fsync(this.#file, resolve))
  }

  close(): void {
    writing(this.path, () => fsyncSync(this.#file))
    closeSync(this.#file)
  }
}

/** The lines for some entries: those that share a batch and parameters share a line. */
function linesOf(source: string, entries: readonly Entry[]): Line[] {
  const lines: Line[] = []
  const open = new Map<string, Line & { runs: RunNumbers[] }>()
  for (const { index, parameters, attempts, ms, ...entry } of entries) {
    if (entry.failed) {
      lines.push({ source, parameters, index, attempts, ms, failed: shortened(entry.failed) })
      continue
    }
    const { part, from, bytes, sha, rows = 0, at = 0 } = entry
    const name = JSON.stringify([parameters, part, from])
    let line = open.get(name)
    if (line === undefined || line.runs.length === MOST_RUNS_OF_A_LINE) {
      line = { source, parameters, ...(rows > 0 && { part, from, bytes, sha }), runs: [] }
      open.set(name, line)
      lines.push(line)
    }
    line.runs.push([index, rows, at, Math.round(ms * 1000) / 1000, attempts])
  }
  return lines
}

/** A failure as a journal keeps it: thousands of runs may fail, and each may have logged much. */
export function shortened({ code, message, stack, log }: Failure): Failure {
  const first = (text: string, most: number) => (text.length > most ? `${text.slice(0, most)}…` : text)
  const last = (text: string, most: number) => (text.length > most ? `…${text.slice(-most)}` : text)
  // They may come from a queue.
  const textOf = (given: string | undefined) => String(given ?? '')
  return {
    ...(typeof code === 'string' && { code }),
    message: first(textOf(message), MOST_MESSAGE),
    stack: first(textOf(stack), MOST_STACK),
    log: last(textOf(log), MOST_LOG),
  }
}

/** A line with its digest at its end, still JSON. */
function sealed(line: Line): string {
  const text = JSON.stringify(line)
  return `${text.slice(0, -1)},"digest":"${digestOf(text)}"}\n`
}

/** @returns undefined when it is torn or damaged */
function opened(bytes: Buffer): Line | undefined {
  const end = bytes.length - TAIL_LENGTH
  if (end < 1 || bytes.toString('latin1', end, end + 11) !== ',"digest":"') return undefined
  const digest = bytes.toString('latin1', end + 11, end + 11 + DIGEST_DIGITS)
  const isWhole = bytes.toString('latin1', bytes.length - 2) === '"}'
  if (!isWhole || digestOf(bytes.subarray(0, end), '}') !== digest) return undefined
  return JSON.parse(`${bytes.toString('utf8', 0, end)}}`) as Line
}

/**
 * Reads all journals in a folder, in the order of their names.
 *
 * @returns how many lines were torn or damaged
 */
export function readJournals(folder: string, visit: (line: Line, where: LinePlace) => void): number {
  let damaged = 0
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(ENDING)) : []
  for (const name of names.sort()) {
    const path = join(folder, name)
    readLines(path, (bytes, from) => {
      const line = bytes && opened(bytes)
      if (line) visit(line, { path, from, bytes: bytes.length })
      else damaged++
    })
  }
  return damaged
}

/** One line, read again. */
export function readLine({ path, from, bytes }: LinePlace): Line | undefined {
  const line = Buffer.alloc(bytes)
  const file = openSync(path, 'r')
  try {
    readSync(file, line, 0, bytes, from)
  } finally {
    closeSync(file)
  }
  return opened(line)
}

/** Calls `visit` with each line that is not empty, and with undefined for what is too long for a line. */
function readLines(path: string, visit: (line: Buffer | undefined, from: number) => void): void {
  const file = openSync(path, 'r')
  const chunk = Buffer.alloc(CHUNK_BYTES)
  let rest: Buffer = Buffer.alloc(0)
  let restAt = 0
  let isTooLong = false
  const take = (bytes: Buffer, from: number) => {
    // A copy by way of Windows may have changed the ends of lines.
    const line = bytes.at(-1) === 13 ? bytes.subarray(0, -1) : bytes
    if (line.length > 0 || isTooLong) visit(isTooLong ? undefined : line, from)
    isTooLong = false
  }
  try {
    for (let count; (count = readSync(file, chunk)) > 0;) {
      let bytes: Buffer = Buffer.concat([rest, chunk.subarray(0, count)])
      let start = 0
      for (let end; (end = bytes.indexOf(10, Math.max(start, rest.length))) >= 0; start = end + 1) {
        take(bytes.subarray(start, end), restAt + start)
        rest = rest.subarray(0, 0)
      }
      bytes = bytes.subarray(start)
      restAt += start
      if (bytes.length > MOST_LINE_BYTES) {
        isTooLong = true
        restAt += bytes.length
        bytes = bytes.subarray(bytes.length)
      }
      rest = bytes
    }
    take(rest, restAt)
  } finally {
    closeSync(file)
  }
}
