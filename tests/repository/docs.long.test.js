// Shows that the documentation is true: its programs run against the built package, its links and names lead somewhere, and its
// numbers are those of the code.

import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anchorOf } from '../../scripts/anchors.js'
import { promisedOutput, scriptOf } from '../../scripts/programs.js'
import { stemOf } from '../../scripts/test-names.js'
import { GUIDES, INTERNALS, PAGES, programs, read, root, runnable } from '../support/documentation.js'

const ARCHITECTURE = 'docs/internals/architecture.md'

/** Inside the repository the package finds itself by its own name, as a user's program finds it when installed. */
const scratch = mkdtempSync(join(root, 'build/documentation-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** Runs a program in a thread of its own. Returns what it prints. */
async function outputOf(script) {
  const file = join(scratch, `${readdirSync(scratch).length}.mjs`)
  writeFileSync(file, script)
  const worker = new Worker(file, { stdout: true })
  const ended = new Promise((resolve, reject) => worker.on('error', reject).on('exit', resolve))
  const [output] = await Promise.all([text(worker.stdout), ended])
  return output
}

/** Whether a source file has a function or a method of this name; a call of it does not count. */
function declares(source, name) {
  const asFunction = new RegExp(`^(?:export )?function ${name}\\(`, 'm')
  const method = `^  (?:private |protected |override |get )?${name}(?:<.*>)?\\(`
  const onOneLine = new RegExp(`${method}.*[{(]$`, 'm')
  const onSeveral = new RegExp(`${method}\\n(?:    .*\\n)+  \\).*\\{$`, 'm')
  return [asFunction, onOneLine, onSeveral].some((form) => form.test(source))
}

/** Whether the repository has a file or folder; a test may be named without what its name says that it needs. */
function isThere(file) {
  if (existsSync(join(root, file))) return true
  const folder = dirname(file)
  if (!existsSync(join(root, folder))) return false
  return readdirSync(join(root, folder)).some((name) => stemOf(`${folder}/${name}`) === file)
}

/** Rows of the tables on a page, as lists of cells. */
function tableRows(page) {
  const rows = read(page).match(/^\|.*\|$/gm) ?? []
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim()),
  )
}

const codeIn = (cell) => /^`([^`]+)`$/.exec(cell)?.[1]

describe('the programs in the documentation', () => {
  it('say whether they run, continue one that runs, need a page, are fragments, or are files of a project', () => {
    const silent = programs.filter(({ mark }) => !/^(run|continued|page|fragment|file \S+)$/.test(mark))
    expect(silent.map(({ page, line }) => `${page}:${line}`)).toEqual([])
    expect(runnable.length).toBeGreaterThan(0)
  })

  it.each(runnable)('run when pasted, and print what they say: $page, line $line', async (program) => {
    const output = await outputOf(scriptOf(program))
    expect(output.trimEnd().split('\n')).toEqual(promisedOutput(program.code))
  })
})

describe('what the documentation points to', () => {
  it.each(PAGES)('exists, files and headings: the links of %s', (page) => {
    const broken = []
    for (const [, target] of read(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue
      const [path, anchor] = target.split('#')
      const file = path === '' ? page : join(dirname(page), path)
      if (!existsSync(join(root, file))) broken.push(target)
      else if (anchor !== undefined) {
        const headings = [...read(file).matchAll(/^#+ (.*)$/gm)].map((match) => anchorOf(match[1]))
        if (!headings.includes(anchor)) broken.push(target)
      }
    }
    expect(broken).toEqual([])
  })

  it('is in the package, or in a folder that docs/README.md says is not', () => {
    const outside = GUIDES.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:)([^)\s#]+)/g)].map(([, target]) => join(dirname(page), target)),
    ).filter((file) => !/^docs\/[\w-]+\.md$|^(?:README|CHANGELOG)\.md$|^LICENSE$/.test(file))
    const [, named] = /what a page links to in (.*?) is\s+in the repository/s.exec(read('docs/README.md'))
    const folders = [...named.matchAll(/`(?:\.\.\/)?(\w+)`/g)].map(([, folder]) => folder)
    const isNamed = (file) => folders.includes(file.replace(/^docs\//, '').split('/')[0])
    expect(outside.filter((file) => !isNamed(file))).toEqual([])
  })

  it.each(INTERNALS)('is there under the names of files: %s', (page) => {
    const named = read(page).matchAll(
      /`((?:assembly|bindings|packages|scripts|tests|bench|examples)\/[\w/.-]+|build\/\w+\.ts|[\w.]+\.(?:json|js))`/g,
    )
    expect([...named].map((match) => match[1]).filter((file) => !isThere(file))).toEqual([])
  })
})

describe('the calls that the documentation names', () => {
  const entries = ['index', 'arrow', 'compile', 'inspect', 'react', 'three', 'workers']
  let functions
  let members
  beforeAll(async () => {
    functions = new Set()
    for (const entry of entries)
      for (const name of Object.keys(await import(`../../dist/${entry}.js`))) functions.add(name)
    const strata = await import('../../dist/index.js')
    const world = strata.createWorld()
    const Row = strata.component('Row', { n: strata.f32 }, { storage: strata.stable })
    world.spawn(Row)
    const query = world.query(Row)
    const [chunk] = query
    members = {
      world,
      query,
      chunk,
      commands: strata.createCommands(world),
      history: strata.createHistory(world, { frames: 1 }),
      schedule: strata.createSchedule(world),
      reader: strata.createRemovalReader(world, Row),
      accessor: strata.createAccessor(world, Row),
    }
  })

  /** What stands between backticks, outside of programs, with its line. In tables of words, the first cell is another library's. */
  function spansOf(page) {
    const prose = read(page).replace(/^```[^]*?^```/gm, (block) => block.replace(/[^\n]/g, ''))
    return prose.split('\n').flatMap((line, i) => {
      const ours = page.endsWith('coming-from.md') ? line.replace(/^\|(?:[^|\\]|\\.)*\|/, '') : line
      return [...ours.matchAll(/`([^`]+)`/g)].map(([, span]) => ({ span, at: `${page}:${i + 1}` }))
    })
  }

  const pages = ['README.md', ...GUIDES]

  it.each(pages)('exist, for worlds, queries and their results: %s', (page) => {
    const missing = spansOf(page).flatMap(({ span, at }) =>
      [...span.matchAll(/(?<![\w.])(\w+)\.(\w+)/g)]
        .filter(([, of, name]) => Object.hasOwn(members, of) && !(name in members[of]))
        .map(([call]) => `${at} ${call}`),
    )
    expect(missing).toEqual([])
  })

  it.each(pages)('exist, for functions that take a world or a query: %s', (page) => {
    // What an object that a program gives has: a system, an object component.
    const given = /\b(?:run|init|dispose|function \w+)\(/
    const missing = spansOf(page).flatMap(({ span, at }) =>
      [...span.matchAll(/(?<![\w.'])([a-z]\w*)\((?:world|query)\b/g)]
        .filter(([call, name]) => !functions.has(name) && !given.test(call) && !/function/.test(span))
        .map(([, name]) => `${at} ${name}`),
    )
    expect(missing).toEqual([])
  })

  it('exist, in the table of calls inside a loop', () => {
    const cells = tableRows('docs/in-a-loop.md').map(([cell]) => cell)
    const names = cells.flatMap((cell) => [...cell.matchAll(/`(?:(?:\w+(?:\(\))?)?\.)?(\w+)`/g)])
    const isThere = (name) => functions.has(name) || Object.values(members).some((one) => name in one)
    const missing = names.filter(([, name]) => !isThere(name)).map(([span]) => span)
    expect(names.length).toBeGreaterThan(50)
    expect(missing).toEqual([])
  })
})

describe('the page for users of another library', () => {
  it('names every hook of strata-ecs/react', async () => {
    const hooks = Object.keys(await import('../../dist/react.js'))
    expect(hooks.length).toBeGreaterThan(5)
    expect(hooks.filter((name) => !read('docs/coming-from.md').includes(`\`${name}`))).toEqual([])
  })
})

/** Rows of a page's walks: a file, one of its functions, and what happens there. */
const stepsOn = (page) =>
  tableRows(page).filter((cells) => cells.length === 3 && codeIn(cells[1]) !== undefined)

/** What a page places by `name` in `file`. */
const placedOn = (page) => [...read(page).matchAll(/`(\w+)` in\s+`([\w/]+\.ts)`/g)]

describe.each(INTERNALS)('%s', (page) => {
  it('names in its walks functions that the files have', () => {
    const missing = stepsOn(page).filter(([file, name]) => !declares(read(codeIn(file)), codeIn(name)))
    expect(missing.map(([file, name]) => `${file} ${name}`)).toEqual([])
  })

  it('says of no name that it is in a file that does not have it', () => {
    const missing = placedOn(page).filter(([, name, file]) => !new RegExp(`\\b${name}\\b`).test(read(file)))
    expect(missing.map(([sentence]) => sentence)).toEqual([])
  })
})

describe('the architecture page', () => {
  const page = read(ARCHITECTURE)

  it('is one page: it has at most 170 lines', () => {
    expect(page.trimEnd().split('\n').length).toBeLessThanOrEqual(170)
  })

  it('names a first file that each room has', () => {
    const [bindings, assembly] = page.split('┌').slice(1)
    const inHouse = (house, box) =>
      [...box.matchAll(/^│ (\w+)\/ +(\S+) /gm)].map(([, room, file]) => `${house}/${room}/${file}`)
    const files = [...inHouse('bindings', bindings), ...inHouse('assembly', assembly)]
    expect(files.length).toBeGreaterThan(20)
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
  })

  it('walks from function to function, and places many more', () => {
    expect(stepsOn(ARCHITECTURE).length).toBeGreaterThan(30)
    expect(placedOn(ARCHITECTURE).length).toBeGreaterThan(25)
  })

  it('answers twenty questions, each with a file', () => {
    const [, section] = page.split(/^## Where is …\?$/m)
    const answers = [...section.matchAll(/^- \*\*.*\?\*\*((?:.|\n {2})*)/gm)].map(([, answer]) => answer)
    expect(answers.length).toBe(20)
    expect(answers.filter((answer) => !/`[\w/]+\.ts`/.test(answer))).toEqual([])
  })
})

describe('the page about memory', () => {
  it('draws the addresses that the core uses', () => {
    const layout = read('build/layout.ts')
    for (const name of ['CORE_START', 'SCRATCH_ADDRESS', 'HEAP_ADDRESS']) {
      const address = Number(new RegExp(`${name} = (\\d+)`).exec(layout)?.[1])
      expect(read('docs/internals/memory.md')).toContain(`0x${address.toString(16).padStart(5, '0')}`)
    }
  })
})

describe('the README', () => {
  it('can be read in a few minutes: it has 150 to 200 lines', () => {
    const lines = read('README.md').trimEnd().split('\n').length
    expect(lines).toBeGreaterThanOrEqual(150)
    expect(lines).toBeLessThanOrEqual(200)
  })

  it('keeps the place of the benchmark figures', () => {
    expect(read('README.md')).toMatch(/<!-- bench:start -->[\s\S]*<!-- bench:end -->/)
  })
})

describe('the map of the documentation', () => {
  it('leads to every page, directly or through another page', () => {
    const pages = [...GUIDES, ...INTERNALS]
    const reached = new Set(['docs/README.md'])
    for (const page of reached) {
      for (const [, target] of read(page).matchAll(/\]\(([^)\s#]+\.md)(?:#[^)]*)?\)/g)) {
        const file = join(dirname(page), target)
        if (pages.includes(file)) reached.add(file)
      }
    }
    expect(pages.filter((page) => !reached.has(page))).toEqual([])
  })
})

describe('the pages of reference', () => {
  it('have a heading for every error code and for no other, so that each has an address', () => {
    const union =
      /type ErrorCode =([^\n]*\n(?:\s*\|.*\n)*)/.exec(read('bindings/memory/errors.ts'))?.[1] ?? ''
    const codes = [...union.matchAll(/'(\w+)'/g)].map((match) => match[1])
    const headings = [...read('docs/errors.md').matchAll(/^#+ ([A-Z_]+)$/gm)].map((match) => match[1])
    expect(codes.length).toBeGreaterThan(0)
    expect(headings.sort()).toEqual(codes.sort())
  })

  it('give the limits of the core', () => {
    const limit = (name) => Number(new RegExp(`${name} = (\\d+)`).exec(read('build/layout.ts'))?.[1])
    const limits = [limit('MAX_ENTITIES'), limit('MAX_COMPONENTS'), limit('SCRATCH_BYTES') / 8]
    for (const value of limits)
      expect(read('docs/performance.md')).toContain(`| ${value.toLocaleString('en-US')} `)
  })

  it.each(PAGES)('name only commands that package.json has: %s', (page) => {
    const named = [...read(page).matchAll(/npm (?:run ([\w:]+)(?: -w ([\w/-]+))?|(start|test))/g)]
    const missing = named.filter(([, name, workspace = '.', ofNpm]) => {
      const { scripts } = JSON.parse(read(join(workspace, 'package.json')))
      return !Object.hasOwn(scripts, name ?? ofNpm)
    })
    expect(missing.map(([command]) => command)).toEqual([])
  })
})

describe('the table of state kept outside memory', () => {
  const rows = read('docs/internals/kept.md')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => line.split('|').map((cell) => [...cell.matchAll(/`([\w/.]+)`/g)].map(([, name]) => name)))

  const suiteNames = new Set(
    ['tests', 'packages/inspector/tests', 'packages/three/tests'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true })
        .filter((path) => /\.test\.[jt]s$/.test(path))
        .map((path) => stemOf(`${folder}/${path.replaceAll('\\', '/')}`).replace(/^tests\//, '')),
    ),
  )

  it('names files that exist, and for each of them a test that moves what it points to', () => {
    expect(rows.length).toBeGreaterThan(20)
    const missing = rows.flatMap(([, , files, , , , tests]) => {
      expect(files.length * tests.length).toBeGreaterThan(0)
      const suites = tests.filter((name) => !suiteNames.has(name))
      return [
        ...files.filter((file) => !existsSync(join(root, /^packages\//.test(file) ? '' : 'bindings', file))),
        ...suites,
      ]
    })
    expect(missing).toEqual([])
  })
})
