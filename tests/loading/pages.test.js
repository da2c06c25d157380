// Shows that the packed package runs in a page as it is: from files, without a bundler, in workers, under a policy; in each engine.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { LOOPS, answerOfNode, createProject } from './project.js'
import { openBrowser, serveFolder } from './site.js'

const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'"

/** How many worlds a page can have at least: engines differ in how much address space they give to one. */
const WORLDS = { chromium: 100, firefox: 500, webkit: 500 }

const STRICT = `${POLICY}; object-src 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'`

let project, site, expected, loops, everywhere

beforeAll(async () => {
  project = createProject(['program.js', 'loops.js', 'everywhere.js', 'hosts', 'pages'])
  expected = answerOfNode(project.folder)
  loops = answerOfNode(project.folder, LOOPS)
  everywhere = answerOfNode(project.folder, "import './hosts/plain.mjs'")
  site = await serveFolder(project.folder)
})

afterAll(async () => {
  await site?.close()
  project?.remove()
})

describe.each(inject('engines'))('in %s', (engine) => {
  let browser
  beforeAll(async () => (browser = await openBrowser(engine)))
  afterAll(() => browser?.close())

  const open = (path) => browser.answerOf(new URL(path, site.url))

  describe('a page from a static server', () => {
    it('needs an import map and nothing else', async () => {
      expect(await open('pages/index.html')).toEqual({ answer: expected, complaints: [] })
    })

    it('can take the minified file', async () => {
      expect(await open('pages/minified.html')).toEqual({ answer: expected, complaints: [] })
    })

    it('can compile the separate wasm file while it arrives', async () => {
      expect(await open('pages/streaming.html')).toEqual({ answer: expected, complaints: [] })
    })

    it('can do without the core inside', async () => {
      expect(await open('pages/slim.html')).toEqual({ answer: expected, complaints: [] })
    })

    it('compiles a loop while it runs', async () => {
      expect(JSON.parse(loops).form).toBe('compiled')
      expect(await open('pages/loops.html')).toEqual({ answer: loops, complaints: [] })
    })

    it('can have its world in a module worker', async () => {
      expect(await open('pages/worker.html')).toEqual({ answer: { sum: 500 }, complaints: [] })
    })

    it('can have its world in a service worker', async () => {
      expect(await open('pages/service.html')).toEqual({ answer: { sum: 500 }, complaints: [] })
    })

    it('can have many worlds, and gets an error when there is no room for another', async () => {
      const { answer } = await open('pages/worlds.html')
      expect(answer).toMatchObject({ code: 'MEMORY_LIMIT', goesOn: true })
      expect(answer.worlds).toBeGreaterThan(WORLDS[engine])
    })
  })

  describe('a page under a content security policy', () => {
    const openUnder = async (policy, page = 'policy') => {
      const headersOf = (path) => (path === '/pages/core.html' ? {} : { 'Content-Security-Policy': policy })
      const strict = await serveFolder(project.folder, headersOf)
      try {
        return await browser.answerOf(new URL(`pages/${page}.html`, strict.url))
      } finally {
        await strict.close()
      }
    }

    it("runs with script-src 'self' 'wasm-unsafe-eval'", async () => {
      expect(await openUnder(POLICY)).toEqual({ answer: { alive: true }, complaints: [] })
    })

    it('runs the program of every host under a strict policy with trusted types, with values of a frame', async () => {
      expect(await openUnder(STRICT, 'everywhere')).toEqual({ answer: everywhere, complaints: [] })
    })

    it("learns what to add without 'wasm-unsafe-eval'", async () => {
      const { answer } = await openUnder("default-src 'self'")
      expect(answer.code).toBe('WASM_REFUSED')
      expect(answer.message).toContain("'wasm-unsafe-eval'")
    })

    it("runs a compiled loop as JavaScript without 'wasm-unsafe-eval' where it can have a core, and says why", async () => {
      const { sums } = JSON.parse(loops)
      const why = expect.stringContaining('wasm-unsafe-eval')
      // The page has an import map in it, and its world the core that a frame compiled, if the engine lets it have that and run it.
      const handed = {
        chromium: { form: 'javascript', why, sums },
        firefox: { arrived: false },
        webkit: { code: 'WASM_REFUSED', message: why },
      }
      const { answer } = await openUnder("default-src 'self'; script-src 'self' 'unsafe-inline'", 'handed')
      expect(answer).toEqual(handed[engine])
    })
  })
})
