// Owns the destinations that users name for output: a file, which is replaced as a whole or not at all; what a link leads to; a
// device, a pipe or standard output. It must never replace what is no regular file, nor take a part that was written for the
// whole.

import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs'
import { writing } from './errors.js'

/** Names standard output where a file is named. */
export const STANDARD_OUTPUT: string = '-'

/** What is written, in pieces, so that not all of it needs to be in memory at once. */
type Pieces = Iterable<string | Uint8Array>

/** The file behind a path, and who may do what with it, where it is there. */
interface FileToReplace {
  file: string
  mode?: number
}

const STANDARD_OUTPUT_FILE = 1
const PERMISSIONS = 0o777
const WAIT_MS = 5

/** Whether `path` is standard output, by whatever name: `-`, `/dev/stdout`, the file that it was directed to. */
export function isStandardOutput(path: string): boolean {
  if (path === STANDARD_OUTPUT) return true
  const there = statOf(() => statSync(path))
  const output = statOf(() => fstatSync(STANDARD_OUTPUT_FILE))
  return there !== undefined && there.dev === output?.dev && there.ino === output.ino
}

/**
 * Writes pieces to a path, one after the other, so that not all of them need to be in memory at once. When it throws, a
 * regular file is as it was.
 *
 * @throws EnsembleError DISK_FULL, CANNOT_WRITE; and what `pieces` throws
 */
export function writeTo(path: string, pieces: Pieces): void {
  if (isStandardOutput(path)) return writeOut(pieces)
  const file = writing(path, () => fileToReplace(path))
  if (file) replaceFile(path, file, pieces)
  else writePieces(path, openFile(path, path, 'w'), pieces)
}

/**
 * Writes to standard output. A reader that has closed it, such as `head`, has read enough: that is no error.
 *
 * @throws EnsembleError DISK_FULL, CANNOT_WRITE
 */
export function writeOut(pieces: Pieces): void {
  try {
    for (const piece of pieces) writing('standard output', () => writeWholly(STANDARD_OUTPUT_FILE, piece))
  } catch (error) {
    if (((error as Error).cause as NodeJS.ErrnoException | undefined)?.code !== 'EPIPE') throw error
  }
}

/** A file that is there or is not, by itself or behind a link, is replaced; anything else is written into. */
function fileToReplace(path: string): FileToReplace | undefined {
  const link = statOf(() => lstatSync(path))
  if (link === undefined) return { file: path }
  const there = statOf(() => statSync(path))
  if (!there?.isFile()) return undefined
  // A rename would replace a file that must not be written, too.
  accessSync(path, constants.W_OK)
  return { file: link.isSymbolicLink() ? realpathSync(path) : path, mode: there.mode }
}

/** Undefined when nothing is there, or nothing that may be looked at: then opening it says why. */
function statOf(stat: () => Stats): Stats | undefined {
  try {
    return stat()
  } catch {
    return undefined
  }
}

function replaceFile(path: string, { file, mode }: FileToReplace, pieces: Pieces): void {
  const unfinished = `${file}.${process.pid}.unfinished`
  const opened = openFile(path, unfinished, 'w')
  try {
    writing(path, () => mode !== undefined && fchmodSync(opened, mode & PERMISSIONS))
    writePieces(path, opened, pieces, { isLasting: true })
    writing(path, () => renameSync(unfinished, file))
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
}

const openFile = (path: string, file: string, flags: string) => writing(path, () => openSync(file, flags))

/** Writes and closes. Some file systems find out that there is no space only when the bytes go to the disk. */
function writePieces(path: string, file: number, pieces: Pieces, { isLasting = false } = {}): void {
  let isOpen = true
  try {
    for (const piece of pieces) writing(path, () => writeWholly(file, piece))
    writing(path, () => {
      if (isLasting) fsyncSync(file)
      isOpen = false
      closeSync(file)
    })
  } finally {
    if (isOpen) closeSync(file)
  }
}

/** A disk that gets full takes a part and reports no error: the next write has it. */
function writeWholly(file: number, piece: string | Uint8Array): void {
  const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
  let written = 0
  while (written < bytes.length) written += writeSome(file, bytes, written)
}

const clock = new Int32Array(new SharedArrayBuffer(4))

/** A pipe whose reader is slower says so instead of waiting, where another program has made it so. */
function writeSome(file: number, bytes: Uint8Array, from: number): number {
  try {
    return writeSync(file, bytes, from)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    Atomics.wait(clock, 0, 0, WAIT_MS)
    return 0
  }
}
