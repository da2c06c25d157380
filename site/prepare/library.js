// Owns the modules that the live programs import: every entry of the package that runs in a browser, with what it needs.
// It must never serve another library than the one that is published: dist/ is what it takes.

import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { init, parse } from 'es-module-lexer'
import { build } from 'esbuild'
import { PUBLIC, ROOT } from '../places.js'

/** Their folder on the site. */
const FOLDER = 'library'

await init

const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

const importsOf = (file) => parse(readFileSync(file, 'utf8'))[0].map(({ n }) => n)

/** Whether a module, or one beside it that it imports, asks for Node or for the compiler. */
function needsNode(file) {
  return importsOf(file).some(
    (name) =>
      /^(?:node:|assemblyscript)/.test(name) || (/^\.\//.test(name) && needsNode(join(file, '..', name))),
  )
}

/** The entries by the name that a program imports: `{ 'strata-ecs/checked': 'dist/checked.js' }`. */
const entries = Object.fromEntries(
  Object.entries(exports)
    .filter(([, target]) => typeof target.default === 'string' && target.default.endsWith('.js'))
    .map(([name, target]) => [name.replace('.', 'strata-ecs'), join(ROOT, target.default)])
    .filter(([, file]) => !needsNode(file)),
)

/** Packages that programs in the documentation import beside ours. */
const PEERS = { 'apache-arrow': join(ROOT, 'node_modules/apache-arrow/Arrow.dom.mjs') }

/**
 * Writes the modules. They share what they have in common: a program that imports two entries has one library.
 *
 * @returns the address of each on the site, without the base, by the name that programs import
 */
export async function writeLibrary() {
  const all = { ...entries, ...PEERS }
  const { metafile } = await build({
    entryPoints: Object.entries(all).map(([name, file]) => ({ in: file, out: name.replaceAll('/', '-') })),
    outdir: join(PUBLIC, FOLDER),
    entryNames: '[name]-[hash]',
    chunkNames: 'shared-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    // Names stay: a system is called as its function is.
    minifyWhitespace: true,
    metafile: true,
    absWorkingDir: ROOT,
    logLevel: 'warning',
  })
  const written = Object.entries(metafile.outputs).filter(([, { entryPoint }]) => entryPoint !== undefined)
  const addressOf = (file) =>
    relative(PUBLIC, join(ROOT, written.find(([, { entryPoint }]) => join(ROOT, entryPoint) === file)[0]))
  return Object.fromEntries(
    Object.entries(all).map(([name, file]) => [name, addressOf(file).replaceAll('\\', '/')]),
  )
}
