// The page of the inspector as tests drive it: the built modules and a scene, served as they are, in a real Chromium. Every
// message of the console is a complaint.

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, resolve, sep } from 'node:path'
import { launchBrowser } from '../../../../scripts/browser.js'

const ROOT = resolve(import.meta.dirname, '../../../..')
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.map': 'application/json' }
/** Where an address lies in the repository. */
const FOLDERS = { dist: 'dist', page: 'packages/inspector/tests/element/page' }

const VIEWPORT = { width: 900, height: 760 }

/** A server of the page, with a browser to open it in. */
export async function startInspector() {
  const server = createServer(answer)
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  const address = `http://127.0.0.1:${server.address().port}/page/index.html`
  const browser = await launchBrowser()
  return {
    /** A page in a context of its own; `query` is what follows the ?. `complaints` collects what went wrong in it. */
    async open(query = '', options = {}) {
      const context = await browser.newContext({ viewport: VIEWPORT, ...options })
      context.setDefaultTimeout(120_000)
      const page = await context.newPage()
      const complaints = []
      page.on('console', (message) => complaints.push(message.text()))
      page.on('pageerror', (error) => complaints.push(String(error)))
      page.on('requestfailed', (request) => complaints.push(request.url()))
      await page.goto(`${address}?${query}`)
      await page.waitForFunction(() => globalThis.scene !== undefined)
      return { page, complaints, close: () => context.close() }
    },
    async close() {
      await browser.close()
      await new Promise((done) => server.close(done))
    },
  }
}

function answer({ url }, response) {
  const [, folder, ...rest] = new URL(url, 'http://localhost').pathname.split('/')
  const inside = resolve(ROOT, FOLDERS[folder] ?? 'dist')
  const path = resolve(inside, ...rest)
  try {
    if (!path.startsWith(inside + sep)) throw new Error('outside')
    const content = readFileSync(path)
    response.writeHead(200, { 'Content-Type': TYPES[extname(path)] ?? 'text/plain' }).end(content)
  } catch {
    response.writeHead(404).end()
  }
}

/** Types a filter, and waits for the list to show what it finds. */
export async function filter(page, text) {
  await page.getByLabel('Filter', { exact: true }).fill(text)
  await page.keyboard.press('Enter')
}

/** Waits for an inspector to have looked at its world so many times more. */
export const refreshes = (page, times = 2) =>
  page.evaluate(async (times) => {
    const { session } = scene.inspector
    const until = session.turn + times
    while (session.turn < until) await new Promise(requestAnimationFrame)
  }, times)

/** The handles in the list that are on the screen. */
export const handlesOf = (page) => page.locator('strata-inspector .row .handle').allTextContents()
