// Shows that the C baseline is built where there is a compiler, and left out with a reason where there is none.

import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { buildNative } from '../../bench/native/build.js'

it('moves every row by every frame, is not built twice, and is left out where there is no compiler', () => {
  const folder = mkdtempSync(join(tmpdir(), 'strata-native-'))
  const module = join(folder, 'loop.node')
  const built = buildNative(module)
  vi.stubEnv('PATH', folder)
  const reason = 'there is no compiler (gcc, cc, clang) here.'
  expect(buildNative(join(folder, 'absent.node'))).toEqual({ reason })
  if (built.reason) return expect(built).toEqual({ reason })
  expect(buildNative(module)).toEqual({ path: module })
  const { bind, run } = createRequire(import.meta.url)(module)
  const columns = [0, 1, 2, 3, 4, 5].map((k) => Float32Array.from({ length: 67 }, (_, i) => i * 0.25 + k))
  const wanted = [0, 1, 2].map((k) => columns[k].map((value, i) => value + columns[k + 3][i] * 0.5 * 3))
  bind(...columns)
  run(3, 0.5)
  expect(columns.slice(0, 3)).toEqual(wanted)
  expect(() => bind(columns[0])).toThrow(TypeError)
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})
