// Owns the writing of a build's files, and their names. A file whose text has not changed is not written, so that watchers stay
// quiet.

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { CompiledKernels } from './compileKernels'

/** `movement`, for `src/movement.kernel.ts` and for `src/movement.ts`. */
function stem(file: string): string {
  return basename(file).replace(/(?:\.kernel)?\.ts$/, '')
}

/** The module that a source becomes: `movement.kernel.js` in the folder. */
export function moduleFile(source: string, folder: string): string {
  return join(folder, `${stem(source)}.kernel.js`)
}

/** The declarations beside a source, for editors: see `writeDeclarationsBeside`. */
export function declarationsBeside(source: string): string {
  return join(dirname(source), `${basename(source, '.ts')}.types.ts`)
}

/**
 * Writes the module and its declarations into a folder, which is made if it is not there.
 *
 * @returns path of the module
 */
export async function writeModule(compiled: CompiledKernels, folder: string): Promise<string> {
  const file = moduleFile(compiled.file, folder)
  await writeText(file, compiled.module)
  await writeText(file.replace(/\.js$/, '.d.ts'), compiled.declarations)
  return file
}

/**
 * Writes the declarations beside the source. TypeScript takes them in place of the source with
 * `"moduleSuffixes": [".types", ""]`.
 */
export async function writeDeclarationsBeside(compiled: CompiledKernels): Promise<void> {
  await writeText(declarationsBeside(compiled.file), compiled.declarations)
}

async function writeText(file: string, text: string): Promise<void> {
  if ((await readFile(file, 'utf8').catch(() => undefined)) === text) return
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}
