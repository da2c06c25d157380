// Owns where users have something written: a file, which is replaced as a whole or not at all; what a link leads to; a device,
// a pipe or standard output. It must never replace what is no regular file, nor take a part that was written for the whole.

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
  statSync,
  writeSync,
} from 'node:fs'
import { writing } from './errors.js'

/** Names standard output where a file is named. */
export const STANDARD_OUTPUT = '-'

const STANDARD_OUTPUT_FILE = 1
const PERMISSIONS = 0o777
const WAIT_MS = 5

/** Whether `path` is standard output, by whatever name: `-`, `/dev/stdout`, the file that it was directed to. */
export function isStandardOutput(path) {
  if (path === STANDARD_OUTPUT) return true
  const there = statOf(path, statSync)
  const output = statOf(STANDARD_OUTPUT_FILE, fstatSync)
  return there !== undefined && there.dev === output?.dev && there.ino === output.ino
}

/**
 * Writes pieces to a path, one after the other, so that not all of them need to be in memory at once. When it throws, a
 * regular file is as it was.
 *
 * @param {string} path
 * @param {Iterable<string | Uint8Array>} pieces
 * @throws {EnsembleError} DISK_FULL, CANNOT_WRITE; and what `pieces` throws
 */
export function writeTo(path, pieces) {
  if (isStandardOutput(path)) return writeOut(pieces)
  const file = writing(path, () => fileToReplace(path))
  if (file) replaceFile(path, file, pieces)
  else writePieces(path, openFile(path, path, 'w'), pieces)
}

/**
 * Writes to standard output. A reader that has closed it, such as `head`, has read enough: that is no error.
 *
 * @param {Iterable<string | Uint8Array>} pieces
 * @throws {EnsembleError} DISK_FULL, CANNOT_WRITE
 */
export function writeOut(pieces) {
  try {
    for (const piece of pieces) writing('standard output', () => writeWholly(STANDARD_OUTPUT_FILE, piece))
  } catch (error) {
    if (/** @type {any} */ (error).cause?.code !== 'EPIPE') throw error
  }
}

/**
 * A file that is there or is not, by itself or behind a link, is replaced; anything else is written into.
 *
 * @returns {{ file: string, mode?: number } | undefined}
 */
function fileToReplace(path) {
  const link = statOf(path, lstatSync)
  if (link === undefined) return { file: path }
  const there = statOf(path, statSync)
  if (!there?.isFile()) return undefined
  // A rename would replace a file that must not be written, too.
  accessSync(path, constants.W_OK)
  return { file: link.isSymbolicLink() ? realpathSync(path) : path, mode: there.mode }
}

/** Undefined when nothing is there, or nothing that may be looked at: then opening it says why. */
function statOf(path, stat) {
  try {
    return stat(path)
  } catch {
    return undefined
  }
}

/** @param {string} path @param {{ file: string, mode?: number }} what @param {Iterable<string | Uint8Array>} pieces */
function replaceFile(path, { file, mode }, pieces) {
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

const openFile = (path, file, flags) => writing(path, () => openSync(file, flags))

/** Writes and closes. Some file systems find out that there is no space only when the bytes go to the disk. */
function writePieces(path, file, pieces, { isLasting = false } = {}) {
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
function writeWholly(file, piece) {
  const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
  let written = 0
  while (written < bytes.length) written += writeSome(file, bytes, written)
}

const clock = new Int32Array(new SharedArrayBuffer(4))

/** A pipe whose reader is slower says so instead of waiting, where another program has made it so. */
function writeSome(file, bytes, from) {
  try {
    return writeSync(file, bytes, from)
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EAGAIN') throw error
    Atomics.wait(clock, 0, 0, WAIT_MS)
    return 0
  }
}
