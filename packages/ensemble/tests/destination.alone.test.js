// Shows that a file is written whole or left as it was, and that links, devices, pipes and standard output are written to rather
// than replaced.

import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { isStandardOutput, writeOut, writeTo } from '../src/destination.ts'
import { scratch } from './support/ensemble.js'

/** What the system answers to a write; the real one without. */
const disk = vi.hoisted(() => ({ write: /** @type {any} */ (undefined), fsync: () => {} }))

vi.mock('node:fs', async (load) => {
  const real = await load()
  return {
    ...real,
    writeSync: (...of) => (disk.write ? disk.write(real.writeSync, ...of) : real.writeSync(...of)),
    fsyncSync: (file) => {
      disk.fsync()
      real.fsyncSync(file)
    },
  }
})

afterEach(() => Object.assign(disk, { write: undefined, fsync: () => {} }))

const failing = (code) => Object.assign(new Error(code), { code, syscall: 'write' })
const full = expect.objectContaining({ code: 'DISK_FULL' })

/** A disk with so many bytes left that takes writes in parts, as the steps say, and is busy where a step is 0. */
function diskOf(room, steps) {
  let left = room
  let call = 0
  return (write, file, bytes, from) => {
    const step = steps[call++ % steps.length]
    if (step === 0 && call % 7 !== 0) throw failing('EAGAIN')
    const count = Math.min(bytes.length - from, Math.max(1, step), left)
    if (count === 0) throw failing('ENOSPC')
    left -= count
    return write(file, bytes, from, count)
  }
}

describe('a file', () => {
  it('is complete or unchanged, however much the disk takes at once and wherever it is full', () => {
    const folder = scratch()
    const path = join(folder, 'all.csv')
    const cases = { written: 0, full: 0 }
    const pieces = fc.array(fc.oneof(fc.string({ maxLength: 50 }), fc.uint8Array({ maxLength: 50 })), {
      maxLength: 8,
    })
    const steps = fc.array(fc.nat(20), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(pieces, steps, fc.nat(400), (list, sizes, room) => {
        writeFileSync(path, 'old')
        const whole = Buffer.concat(list.map((piece) => Buffer.from(piece)))
        disk.write = diskOf(room, sizes)
        if (whole.length <= room) {
          writeTo(path, list)
          cases.written++
        } else {
          expect(() => writeTo(path, list)).toThrow(full)
          cases.full++
        }
        expect(readFileSync(path).equals(whole.length <= room ? whole : Buffer.from('old'))).toBe(true)
        expect(readdirSync(folder)).toEqual(['all.csv'])
      }),
      { seed: 43, numRuns: 500 },
    )
    expect(cases.written).toBeGreaterThan(100)
    expect(cases.full).toBeGreaterThan(50)
    expect(cases.written + cases.full).toBe(500)
  })

  it('is unchanged when the disk is found to be full only at the end, or its source fails', () => {
    const path = join(scratch(), 'all.csv')
    writeFileSync(path, 'old')
    disk.fsync = () => {
      throw failing('EDQUOT')
    }
    expect(() => writeTo(path, ['new'])).toThrow(full)
    function* failingPieces() {
      yield 'new'
      throw failing('EISDIR')
    }
    // It is not the file that cannot be written.
    expect(() => writeTo(path, failingPieces())).toThrow(failing('EISDIR'))
    expect(readFileSync(path, 'utf8')).toBe('old')
    expect(readdirSync(join(path, '..'))).toEqual(['all.csv'])
  })

  it.skipIf(process.platform === 'win32')('keeps its permissions', () => {
    const path = join(scratch(), 'all.csv')
    writeFileSync(path, 'old')
    chmodSync(path, 0o640)
    writeTo(path, ['new'])
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['new', 0o640])
  })

  it('that is a folder is refused', () => {
    const path = join(scratch(), 'folder')
    mkdirSync(path)
    expect(() => writeTo(path, ['new'])).toThrow(expect.objectContaining({ code: 'CANNOT_WRITE' }))
  })
})

describe.skipIf(process.platform === 'win32')('a path that is not a regular file', () => {
  it('stays a link, and its target is written', () => {
    const folder = scratch()
    mkdirSync(join(folder, 'there'))
    const [link, target] = [join(folder, 'link.csv'), join(folder, 'there/target.csv')]
    symlinkSync('there/target.csv', link)
    // At first it leads to nothing.
    for (const content of ['one', 'two']) {
      writeTo(link, [content])
      expect([readlinkSync(link), readFileSync(target, 'utf8')]).toEqual(['there/target.csv', content])
    }
    disk.write = diskOf(2, [1])
    expect(() => writeTo(link, ['three'])).toThrow(full)
    expect(readFileSync(target, 'utf8')).toBe('two')
    expect(readdirSync(join(folder, 'there'))).toEqual(['target.csv'])
  })

  it('stays a pipe, and its reader gets everything', async () => {
    const path = join(scratch(), 'pipe')
    execFileSync('mkfifo', [path])
    const reader = spawn('timeout', ['20', 'cat', path], { stdio: ['ignore', 'pipe', 'inherit'] })
    const read = text(reader.stdout)
    const long = 'x'.repeat(50_000)
    writeTo(path, [long, '\nend'])
    expect(await read).toBe(`${long}\nend`)
    expect(lstatSync(path).isFIFO()).toBe(true)
  })
})

describe('standard output', () => {
  it('is named by a dash, and by its other names', () => {
    expect(isStandardOutput('-')).toBe(true)
    expect(isStandardOutput(join(scratch(), '-'))).toBe(false)
  })

  it('may be closed by its reader without an error, but not be on a full disk', () => {
    disk.write = () => {
      throw failing('EPIPE')
    }
    writeOut(['rows'])
    writeTo('-', ['rows'])
    disk.write = () => {
      throw failing('ENOSPC')
    }
    expect(() => writeOut(['rows'])).toThrow(full)
    expect(() => writeTo('-', ['rows'])).toThrow('standard output')
  })
})
