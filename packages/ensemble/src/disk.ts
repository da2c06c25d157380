// Owns how bytes get to the disk: each write whole, files that appear as a whole or not at all, what survives a loss of power,
// and the digests by which damage is found.

import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writing } from './errors.js'

/** Hexadecimal digits of a digest. */
export const DIGEST_DIGITS: number = 32

const UNFINISHED = '.unfinished'
/** A file that was begun longer ago than this is of a program that was killed. */
const ABANDONED_MS = 3_600_000

/** A digest of bytes, in one piece or several. */
export function digestOf(...pieces: (string | Uint8Array)[]): string {
  const hash = createHash('sha256')
  for (const piece of pieces) hash.update(piece)
  return hash.digest('hex').slice(0, DIGEST_DIGITS)
}

/** Writes all bytes: a disk that gets full takes a part of them, and says nothing. */
export function writeAll(file: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) {
    const count = writeSync(file, bytes, written)
    if (count === 0) throw Object.assign(new Error('Nothing was written.'), { code: 'EIO' })
    written += count
  }
}

/** Returns when what was written to a file, and its name, outlast a loss of power. */
export function settle(path: string): void {
  writing(path, () => {
    if (!existsSync(path)) return
    const file = openSync(path, 'r+')
    try {
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    settleFolder(dirname(path))
  })
}

/** As `settle`, without holding up the program meanwhile. A file that is not there, or not to be synced, is left as it is. */
export async function settleSoon(path: string): Promise<void> {
  let file: FileHandle | undefined
  try {
    file = await open(path, 'r+')
    await file.sync()
    settleFolder(dirname(path))
  } catch {
    // Rows may be in a folder of the worker that made them; and what the disk has lost, its digest shows.
  } finally {
    await file?.close()
  }
}

function settleFolder(folder: string): void {
  try {
    const file = openSync(folder, 'r')
    try {
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  } catch {
    // Windows opens no folders, and some network file systems sync none: names are safe there when the file is.
  }
}

/** Writes a file so that it is there as a whole or not at all, and outlasts a loss of power. */
export function writeWhole(path: string, content: string | Uint8Array): void {
  replace(path, content, renameSync)
}

/**
 * Writes a file as a whole unless there is one of this name.
 *
 * @returns whether it was written
 */
export function writeFirst(path: string, content: string | Uint8Array): boolean {
  try {
    replace(path, content, (unfinished) => {
      linkSync(unfinished, path)
      rmSync(unfinished)
    })
    return true
  } catch (error) {
    const { code = '' } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    // Some file systems have no links; there, two programs that begin at once may both write the same name.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL'].includes(code)) throw error
    if (existsSync(path)) return false
    writeWhole(path, content)
    return true
  }
}

function replace(
  path: string,
  content: string | Uint8Array,
  finish: (unfinished: string, path: string) => void,
): void {
  const unfinished = `${path}.${process.pid}${UNFINISHED}`
  writing(path, () => {
    try {
      writeFileSync(unfinished, content)
      settle(unfinished)
      finish(unfinished, path)
      settleFolder(dirname(path))
    } catch (error) {
      rmSync(unfinished, { force: true })
      throw error
    }
  })
}

/** Removes what programs left behind that were killed while they wrote a file. */
export function removeAbandoned(folder: string): void {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    if (!name.endsWith(UNFINISHED)) continue
    const path = join(folder, name)
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {}
    if (mtimeMs !== undefined && Date.now() - mtimeMs > ABANDONED_MS) rmSync(path, { force: true })
  }
}
