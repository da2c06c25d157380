// Shows that the packed package runs kernels on several threads in Node, bundled and not, and in pages that may have threads; and
// that the same program gives the same bytes without threads, and says why.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createProject } from './project.js'
import { openBrowser, serveFolder } from './site.js'

const DIVIDED = { why: undefined, divided: true, same: true }
/** WebKitGTK shares no memory, isolated or not; Safari does. */
const WHOLE = { why: 'the host has no SharedArrayBuffer', divided: false, same: true }
const ISOLATED = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
}
/** What dividedInside.html answers for a browser that is asked for a worker and gives none. */
const STUCK = 'new Worker does not return'
/** The page has an import map in it. */
const POLICY = "default-src 'self'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'"

const PROGRAM = `import * as library from 'strata-ecs'
import * as loops from 'strata-ecs/compile'
import * as workers from 'strata-ecs/workers'
import { divide } from './workers.js'
console.log(JSON.stringify(await divide(library, loops, workers)))`

const LITTLE = `import { createWorld } from 'strata-ecs'
import { workers } from 'strata-ecs/workers'
const pool = process.argv[2] === 'pool' ? workers({ count: 1 }) : undefined
await pool?.ready
createWorld({ workers: pool })
console.log('made')`

let project

beforeAll(() => {
  project = createProject(['workers.js', 'pages'], {
    written: { 'program.mjs': PROGRAM, 'little.mjs': LITTLE, 'silent.cjs': 'setInterval(() => {}, 1000)' },
  })
})

afterAll(() => project?.remove())

const inNode = (program, cwd = project.folder) =>
  execFileSync(process.execPath, [program], { cwd, encoding: 'utf8', timeout: 60_000 })

describe('in Node', () => {
  it('a program is divided, and ends by itself', () => {
    expect(JSON.parse(inNode('program.mjs'))).toEqual({ divided: true, same: true })
  })

  it('a program in one minified file is divided', async () => {
    const outfile = join(project.folder, 'bundled.mjs')
    await build({
      entryPoints: [join(project.folder, 'program.mjs')],
      bundle: true,
      minify: true,
      keepNames: true,
      format: 'esm',
      outfile,
    })
    expect(JSON.parse(inNode('bundled.mjs'))).toEqual({ divided: true, same: true })
  })

  const withWorkers = (rest) =>
    execFileSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `import { workers } from 'strata-ecs/workers'; const pool = workers({ count: 2 }); ${rest}`,
      ],
      { cwd: project.folder, encoding: 'utf8', stdio: 'pipe', timeout: 60_000 },
    )

  it.each([
    ['that does not wait for its workers', ''],
    ['that goes on until they have started', 'await new Promise((resolve) => setTimeout(resolve, 500));'],
    ['that waits for them', 'await pool.ready;'],
    ['that waits for them twice', 'await pool.ready; await pool.ready;'],
  ])('a program %s ends by itself', (_, wait) => {
    expect(withWorkers(`${wait} console.log(pool.stats().workers)`)).toBe('2\n')
  })

  it('a program whose workers never answer ends by itself', () => {
    const url = pathToFileURL(join(project.folder, 'silent.cjs'))
    const silent = `const other = workers({ count: 1, url: new URL('${url}') }); void other; `
    expect(withWorkers(`${silent} console.log(pool.stats().workers)`)).toBe('2\n')
  })

  // The command sets a limit on Linux only.
  it.runIf(process.platform === 'linux').each([14, 16, 20, 24])(
    'a world is made with %i GB of address space, as one without workers is',
    (gigabytes) => {
      const made = (how) =>
        execFileSync(
          'bash',
          ['-c', `ulimit -v ${gigabytes}000000 && exec "${process.execPath}" little.mjs ${how}`],
          { cwd: project.folder, encoding: 'utf8', timeout: 60_000 },
        )
      expect(made('plain')).toBe('made\n')
      expect(made('pool')).toBe('made\n')
    },
  )

  it('a program that fails ends at once, with workers asleep or not', () => {
    for (const wait of ['', 'await pool.ready;'])
      expect(() => withWorkers(`${wait} throw new Error('on purpose')`)).toThrow('on purpose')
  })
})

describe.each(inject('engines'))('a page in %s', (engine) => {
  const divided = engine === 'webkit' ? WHOLE : DIVIDED
  let browser

  beforeAll(async () => {
    browser = await openBrowser(engine)
  })

  afterAll(() => browser?.close())

  const open = async (headers, page = 'divided.html') => {
    const site = await serveFolder(project.folder, () => headers)
    try {
      return await browser.answerOf(new URL(`pages/${page}`, site.url))
    } finally {
      await site.close()
    }
  }

  it('that is isolated is divided', async () => {
    expect(await open(ISOLATED)).toEqual({ answer: divided, complaints: [] })
  })

  it('that is isolated can have its world in a worker, with workers of its own', async () => {
    let given
    // On a busy machine Firefox 153 does not return from `new Worker` in a worker, once in some hundred times, whatever the program.
    for (let left = 3; left > 0 && (given === undefined || given.answer === STUCK); left--)
      given = await open(ISOLATED, 'dividedInside.html')
    expect(given).toEqual({ answer: divided, complaints: [] })
  })

  it('that is not isolated runs on one thread, and says which headers it lacks', async () => {
    const { answer, complaints } = await open({})
    expect(answer).toEqual({
      why: expect.stringContaining('Cross-Origin-Embedder-Policy'),
      divided: false,
      same: true,
    })
    expect(complaints).toEqual([])
  })

  it('whose policy allows no workers from blobs runs on one thread, and says what to add', async () => {
    const { answer } = await open({ ...ISOLATED, 'Content-Security-Policy': POLICY })
    const refused = { ...WHOLE, why: expect.stringContaining('worker-src blob:') }
    expect(answer).toEqual(engine === 'webkit' ? WHOLE : refused)
  })

  it('whose policy allows no workers from blobs takes the file of the package', async () => {
    const page = 'divided.html?url=/node_modules/strata-ecs/dist/worker.js'
    const { answer } = await open({ ...ISOLATED, 'Content-Security-Policy': POLICY }, page)
    expect(answer).toEqual(divided)
  })

  // Firefox and WebKit had no trusted types for long: there the policy says nothing, and any address will do.
  it('whose policy requires trusted types takes an address that the page trusts', async () => {
    const policy = `${POLICY}; require-trusted-types-for 'script'`
    const headers = { ...ISOLATED, 'Content-Security-Policy': policy }
    const page = 'divided.html?url=/node_modules/strata-ecs/dist/worker.js'
    expect((await open(headers, `${page}&trusted=yes`)).answer).toEqual(divided)
    if (engine !== 'chromium') return
    const { answer } = await open(headers, page)
    expect(answer).toEqual({ ...WHOLE, why: expect.stringContaining('TrustedScriptURL') })
  })
})
