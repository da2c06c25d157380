// Files of kernels for tests: a folder of their own that goes when the test ends.

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))

/** Writes files into a new folder, in which this package is installed, and returns its path. */
export function kernelFolder(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'strata-kernels-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'node_modules'))
  // A junction asks for no rights on Windows.
  symlinkSync(PACKAGE, join(folder, 'node_modules/strata-ecs'), 'junction')
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  return folder
}

/** One file in a new folder. */
export function kernelFile(text: string, name = 'test.kernel.ts'): string {
  return join(kernelFolder({ [name]: text }), name)
}

/** A kernel that moves positions, as a user writes it. */
export const MOVEMENT = `import { Column, ReadonlyColumn, Rows } from 'strata-ecs/kernel'

/**
 * Moves all rows on.
 * @param dt seconds
 */
export function move(rows: Rows, px: Column<f32>, vx: ReadonlyColumn<f32>, dt: f32): void {
  for (let i = rows.start; i < rows.end; i++) px[i] += vx[i] * dt
}
`
