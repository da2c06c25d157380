// The C baseline is built where there is a compiler, and left out with a reason where there is none.

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { buildNative } from '../../bench/native/build.js'

const folder = mkdtempSync(join(tmpdir(), 'strata-native-'))
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => vi.unstubAllEnvs())

it('is left out with a reason where there is no compiler', () => {
  vi.stubEnv('PATH', folder)
  const module = join(folder, 'absent', 'loop.node')
  expect(buildNative(module)).toEqual({ reason: 'there is no compiler (gcc, cc, clang) here.' })
  expect(existsSync(module)).toBe(false)
})

it('moves every row by every frame, and is not built again when it is there', () => {
  const module = join(folder, 'loop.node')
  const built = buildNative(module)
  // Without a compiler there is nothing more to prove.
  if (built.reason) return expect(built.reason).toContain('no compiler')
  const { bind, run } = createRequire(import.meta.url)(module)
  const columns = Array.from({ length: 6 }, (_, k) =>
    Float32Array.from({ length: 67 }, (_, i) => i * 0.25 + k),
  )
  const wanted = [0, 1, 2].map((k) => columns[k].map((value, i) => value + columns[k + 3][i] * 0.5 * 3))
  bind(...columns)
  run(3, 0.5)
  expect(columns.slice(0, 3)).toEqual(wanted)
  expect(() => bind(columns[0])).toThrow(TypeError)
  expect(() => bind(...columns.slice(1), new Float64Array(3))).toThrow(TypeError)
  expect(() => run('three')).toThrow(TypeError)
  vi.stubEnv('PATH', folder)
  expect(buildNative(module)).toEqual({ path: module })
})
