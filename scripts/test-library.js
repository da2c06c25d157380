// Owns the library as tests in Node load it: every file of bindings/ and build/ as a module of its own in build/tests/, which Node
// imports by itself. Vitest's loader turns each use of an import into a call of a getter, and compiles each file when it is first
// asked for: with it the tests take a quarter longer. It must never hand out what was compiled from other sources.

import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transform } from 'esbuild'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FOLDER = join(ROOT, 'build/tests')

export const COMPILED_LIBRARY = 'compiled-library'

/** What vitest must leave to Node: its `server.deps.external`. */
export const COMPILED = /\/build\/tests\//

/** The file that an import without an extension means. */
const fileOf = (path) => [`${path}.ts`, join(path, 'index.ts')].find((file) => existsSync(file))

/** Where a source of the library is as a module for the tests of a core. */
const moduleOf = (file, core) => join(FOLDER, core, relative(ROOT, file).replace(/\.ts$/, '.js'))

/** An import or export of another file, as prettier and esbuild write it. */
const FROM = /\bfrom "(\.[^"]+)"/g

/** Several runs may share the folder: what is in it already is left alone, also while others read it. */
function keep(path, content) {
  if (existsSync(path) && readFileSync(path, 'utf8') === content) return
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

async function compile(source, core, substitutes) {
  const file = join(ROOT, source)
  const target = moduleOf(file, core)
  const { code } = await transform(readFileSync(file, 'utf8'), {
    loader: 'ts',
    target: 'esnext',
    sourcefile: relative(dirname(target), file),
    sourcemap: 'inline',
    sourcesContent: false,
  })
  const linked = code.replace(FROM, (_, path) => {
    const imported = fileOf(resolve(dirname(file), path))
    const to = relative(dirname(target), moduleOf(substitutes[imported] ?? imported, core))
    return `from "${to.startsWith('.') ? to : `./${to}`}"`
  })
  keep(target, linked)
}

async function compileLibrary(core, substitutes) {
  const sources = (folder, recursive) =>
    readdirSync(join(ROOT, folder), { recursive })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
      .map((name) => join(folder, name))
  const others = Object.values(substitutes).map((file) => relative(ROOT, file))
  const all = [...sources('bindings', true), ...sources('build', false), ...others]
  await Promise.all(all.map((source) => compile(source, core, substitutes)))
}

/**
 * A plugin for Vite by which tests import the library compiled.
 *
 * @param core  the folder in build/tests/
 * @param substitutes  files by those that this core has in place of them
 * @param watching  whether tests run again when a source changes: then vitest loads the sources
 */
export function compiledLibrary(core, substitutes, watching) {
  let compiled
  return {
    name: COMPILED_LIBRARY,
    enforce: 'pre',
    async resolveId(path, importer) {
      if (!path.startsWith('.') || !importer) return undefined
      const file = fileOf(resolve(dirname(importer), path))
      if (!file || !/^(bindings|build)\//.test(relative(ROOT, file))) return undefined
      const target = substitutes[file] ?? file
      if (watching) return target
      await (compiled ??= compileLibrary(core, substitutes))
      return moduleOf(target, core)
    },
  }
}
