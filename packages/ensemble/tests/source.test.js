// Shows how the module of a run is found, and what its hash depends on.

import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { filesOf, openSource } from '../src/source.ts'
import { moduleOf, run, scratch } from './support/ensemble.js'

const RUN = `import { two } from './model/two.js'
export default { columns: { a: 'f64' }, version: VERSION, run: () => ({ a: two }) }`

/** A module with a file that it imports, and one that this imports. */
function project({ run = RUN, version = 1, two = 2, four = 4 } = {}) {
  const folder = scratch()
  mkdirSync(join(folder, 'model'))
  writeFileSync(join(folder, 'a.run.js'), run.replace('VERSION', String(version)))
  writeFileSync(
    join(folder, 'model/two.js'),
    `import './four.js'\nexport const two = ${two}\nimport 'node:path'\n`,
  )
  writeFileSync(join(folder, 'model/four.js'), `export const four = ${four}\n`)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  return join(folder, 'a.run.js')
}

const hashOf = async (options) => (await openSource(project(options))).hash

it('a module is identified by its name, its definition and all files that it imports by paths', async () => {
  const { name, definition, files } = await openSource(project())
  expect(name).toBe('a.run')
  expect(definition.columns).toEqual({ a: 'f64' })
  expect(files.map((file) => basename(file))).toEqual(['a.run.js', 'four.js', 'two.js'])
})

it('the hash covers texts, wherever they are', async () => {
  expect(await hashOf()).toBe(await hashOf())
  expect(await hashOf()).toMatch(/^[0-9a-f]{64}$/)
})

it('the hash changes with the text, with that of an indirectly imported file, and with the version', async () => {
  const hashes = await Promise.all([{}, { run: `${RUN} ` }, { four: 5 }, { version: 2 }].map(hashOf))
  expect(new Set(hashes).size).toBe(4)
})

describe('the hash of a module', () => {
  /** A module with other files; what its hash is with each of them changed. */
  async function hashes(run, files, changes) {
    const hashOfAll = (all) => {
      const path = project({ run })
      for (const [name, text] of Object.entries(all)) writeFileSync(join(dirname(path), name), text)
      return openSource(path).then(({ hash }) => hash)
    }
    return Promise.all(
      [files, ...changes.map((name) => ({ ...files, [name]: `${files[name]} ` }))].map(hashOfAll),
    )
  }
  const definition = "export default { columns: { a: 'f64' }, run: () => ({ a: 2 }) }"

  it.each([
    [
      'a file that one requires that is imported',
      "import './other.cjs'",
      { 'other.cjs': 'module.exports = require("./deep.cjs")', 'deep.cjs': 'exports.k = 1' },
      ['deep.cjs', 'other.cjs'],
    ],
    [
      'a file that a module requires',
      "import { createRequire } from 'node:module'\nconst k = createRequire(import.meta.url); const require = k; require( `./deep.json` )",
      { 'deep.json': '{}' },
      ['deep.json'],
    ],
    [
      'a file that is imported later',
      "const later = () => import('./deep.js')",
      { 'deep.js': 'export {}' },
      ['deep.js'],
    ],
    [
      'a file with a name in package.json',
      "import '#deep'",
      { 'deep.js': 'export {}', 'package.json': '{ "type": "module", "imports": { "#deep": "./deep.js" } }' },
      ['deep.js', 'package.json'],
    ],
  ])('changes with %s', async (_, top, files, changes) => {
    const found = await hashes(`${top}\n${definition}`, files, changes)
    expect(new Set(found).size).toBe(1 + changes.length)
  })

  it.each([
    ["const n = 'two'; await import(`./model/${n}.js`)", {}, 'in line 1 whose name it computes'],
    ["const n = './model/two.js'\nawait import(n)", {}, 'in line 2 whose name it computes'],
    [
      "import './other.cjs'",
      { 'other.cjs': "const n = 'fs'\nrequire('node:' + n)" },
      'in line 2 whose name it computes',
    ],
    [
      "import '#deep'",
      { 'deep.js': '', 'package.json': '{ "type": "module", "imports": { "#*": "./*.js" } }' },
      "imports '#deep'",
    ],
  ])('is refused if %j loads something unknown', async (top, files, sentence) => {
    const path = project({ run: `${top}\n${definition}` })
    for (const [name, text] of Object.entries(files)) writeFileSync(join(dirname(path), name), text)
    await expect(openSource(path)).rejects.toThrow(
      expect.objectContaining({ code: 'BAD_DEFINITION', message: expect.stringContaining(sentence) }),
    )
  })

  it('ignores text that only looks like a loaded file', async () => {
    const text =
      "// require(what) is no call\n/* nor\n * require(this) */\nexport const a = 'we require(no one)'\nawait import('node:fs')"
    const path = project({ run: `${text}\n${definition}` })
    expect((await openSource(path)).files).toEqual([path])
  })
})

it('a version that is not a text or a number is refused', async () => {
  const run = RUN.replace('VERSION', '{ a: 1 }')
  await expect(openSource(project({ run }))).rejects.toThrow(
    expect.objectContaining({ code: 'BAD_DEFINITION', message: expect.stringContaining('version') }),
  )
})

it('a module can be named by a path or a URL', async () => {
  const byPath = await openSource(moduleOf('walk'))
  expect(await openSource(pathToFileURL(moduleOf('walk')))).toEqual(byPath)
})

it('a module in TypeScript is identified by its imports, too', async () => {
  const path = project()
  const types = join(dirname(path), 'model/two.js').replace(/js$/, 'ts')
  writeFileSync(
    types,
    `import type { Four } from './four.js'\nexport type Two = Four & { two: 2 }\nenum E { A = 'a' }`,
  )
  const run = path.replace(/js$/, 'ts')
  writeFileSync(
    run,
    `import type { Two } from './model/two.ts'\nexport default { columns: { a: 'f64' }, run: () => ({ a: 2 }) }`,
  )
  expect((await filesOf(run)).map((file) => basename(file))).toEqual(['a.run.ts', 'four.js', 'two.ts'])
})

it.skipIf(process.features.typescript)(
  'a module in TypeScript is refused with what to do, if Node does not load it',
  async () => {
    const folder = scratch()
    writeFileSync(join(folder, 'a.run.ts'), 'export default 5')
    const { errors, code } = await run(['run', join(folder, 'a.run.ts')])
    expect(errors).toMatch(
      /a\.run\.ts is TypeScript, which Node .* does not load: compile it to JavaScript, or use Node 22\.18/,
    )
    expect(code).toBe(2)
  },
)

it('a module that is missing, or cannot be loaded, is named', async () => {
  const refused = (message) => expect.objectContaining({ code: 'NO_MODULE', message })
  await expect(openSource('/nowhere/a.js')).rejects.toThrow(refused(expect.stringContaining('/nowhere/a.js')))
  const broken = project({ run: 'throw new Error("out of sorts")' })
  await expect(openSource(broken)).rejects.toThrow(refused(expect.stringMatching(/a\.run\.js.*out of sorts/)))
})

it.each([
  ['process.exit(0)', 'ended its process while it was loaded (exit code 0)'],
  ['process.reallyExit(5)', 'ended its process while it was loaded (exit code 5)'],
  ["process.kill(process.pid, 'SIGKILL'); await new Promise(() => {})", '(SIGKILL)'],
  ['throw null', 'cannot be loaded: null was thrown.'],
  ['throw Symbol("s")', 'cannot be loaded: Symbol(s) was thrown.'],
  ['throw { message: 5, code: () => {} }', 'was thrown.'],
  ['for (;;);', 'was not loaded after 2 s'],
  ['await new Promise(() => setInterval(() => {}, 1000))', 'was not loaded after 2 s'],
])('a module with %j at its top is refused with a sentence', async (top, sentence) => {
  await expect(openSource(project({ run: `${top}\n${RUN}` }), { loadingSeconds: 2 })).rejects.toThrow(
    expect.objectContaining({ code: 'NO_MODULE', message: expect.stringContaining(sentence) }),
  )
})

it('a module that never loads is abandoned on request', async () => {
  const controller = new AbortController()
  const opening = openSource(project({ run: `for (;;);\n${RUN}` }), { signal: controller.signal })
  setTimeout(() => controller.abort(), 300)
  await expect(opening).rejects.toThrow(expect.objectContaining({ code: 'STOPPED' }))
})

it('a module without a run is refused', async () => {
  await expect(openSource(project({ run: 'export default 5' }))).rejects.toThrow(
    expect.objectContaining({ code: 'BAD_DEFINITION' }),
  )
})
