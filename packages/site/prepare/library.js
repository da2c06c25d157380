// Owns the modules that the live programs import: every entry of the package that runs in a browser, with what it needs.
// It must never serve another library than the one that is published: dist/ is what it takes.

import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
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

/** How the file of a module is called, without what its contents add. */
const fileOf = (name) => name.replaceAll('/', '-')

const PACKAGE = 'package:'

/** Finds packages that programs import. One of CommonJS has no names that a browser sees: a module gives it them. */
const packages = {
  name: 'packages',
  setup(build) {
    build.onResolve({ filter: /^package:/ }, async ({ path }) => {
      const name = path.slice(PACKAGE.length)
      const found = await build.resolve(name, { kind: 'import-statement', resolveDir: ROOT })
      const [, , , isModule] = parse(readFileSync(found.path, 'utf8'))
      return isModule ? { path: found.path } : { path: name, namespace: 'package', pluginData: found.path }
    })
    build.onLoad({ filter: /.*/, namespace: 'package' }, async ({ path: name, pluginData: file }) => {
      const names = Object.keys(await import(pathToFileURL(file).href)).filter(
        (one) => one !== 'module.exports',
      )
      return { contents: `export { ${names.join(', ')} } from ${JSON.stringify(name)}`, resolveDir: ROOT }
    })
  },
}

/**
 * Writes the modules. They share what they have in common: a program that imports two entries has one library.
 *
 * @param imported the packages that programs import beside ours, by name
 * @returns the address of each on the site, without the base, by the name that programs import
 */
export async function writeLibrary(imported) {
  const all = { ...entries, ...Object.fromEntries(imported.map((name) => [name, PACKAGE + name])) }
  const { metafile } = await build({
    entryPoints: Object.entries(all).map(([name, file]) => ({ in: file, out: fileOf(name) })),
    outdir: join(PUBLIC, FOLDER),
    entryNames: '[name]-[hash]',
    chunkNames: 'shared-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    // Names stay: a system is called as its function is.
    minifyWhitespace: true,
    // A package may say that it has no side effects, and have some.
    ignoreAnnotations: true,
    metafile: true,
    absWorkingDir: ROOT,
    logLevel: 'warning',
    plugins: [packages],
  })
  const written = Object.keys(metafile.outputs).map((file) => basename(file))
  const addressOf = (name) => {
    const pattern = new RegExp(`^${fileOf(name)}-[A-Z0-9]{8}\\.js$`)
    return `${FOLDER}/${written.find((file) => pattern.test(file))}`
  }
  return Object.fromEntries(Object.keys(all).map((name) => [name, addressOf(name)]))
}
