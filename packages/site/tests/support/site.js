// The site as tests visit it: built and served by its own commands, opened in a browser, listened to. Every message of the
// console is a complaint.

import { execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import { launchBrowser } from '../../../../scripts/browser.js'
import { root } from '../../../../tests/support/documentation.js'

/** Builds the site from the built library. Takes a minute or two. */
export async function buildSite() {
  await promisify(execFile)(process.execPath, ['packages/site/build.js'], { cwd: root, maxBuffer: 2 ** 26 })
}

/** Serves what was built, with a browser to visit it. */
export async function visitSite() {
  const [{ server, address }, browser] = await Promise.all([serve(), launchBrowser({ webgl: 'software' })])
  return {
    address,
    /**
     * A page in a context of its own. `complaints` collects what went wrong in it, requests to other hosts among it;
     * `requests` all addresses that it asked for.
     */
    async open(path, options = {}, prepare = async () => {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
      // A machine that is busy with other tests is slow.
      context.setDefaultTimeout(120_000)
      const page = await context.newPage()
      await prepare(page)
      const complaints = []
      const requests = []
      page.on('console', (message) => complaints.push(message.text()))
      page.on('pageerror', (error) => complaints.push(String(error)))
      page.on('requestfailed', (request) => {
        // A page that is left takes the start of its workers along.
        const wasLeft = request.failure()?.errorText === 'net::ERR_ABORTED'
        if (!wasLeft || !request.url().startsWith('blob:')) complaints.push(`failed: ${request.url()}`)
      })
      page.on('request', (request) => {
        requests.push(request.url())
        if (!/^(?:blob:|data:)/.test(request.url()) && !request.url().startsWith(address))
          complaints.push(`another host: ${request.url()}`)
      })
      await page.goto(address + path)
      // Until then a page shows its buttons and hears neither clicks nor keys.
      await page.waitForFunction(() => document.querySelector('#app')?.__vue_app__ !== undefined)
      return { page, complaints, requests, close: () => context.close() }
    },
    async close() {
      await browser.close()
      server.kill()
    },
  }
}

function serve() {
  const server = spawn(process.execPath, ['packages/site/serve.js', '--port', '4393'], { cwd: root })
  return new Promise((resolve, reject) => {
    let said = ''
    server.stderr.on('data', (text) => (said += text))
    server.stdout.on('data', (text) => {
      said += text
      const found = /The site is at (\S+)/.exec(said)
      if (found) resolve({ server, address: found[1] })
    })
    server.on('exit', () => reject(new Error(said)))
  })
}

/** A live program on a page, by its name: the file and the line in it. */
export function liveProgram(page, name) {
  const block = page.locator(`[data-program="${name}"]`)
  return {
    block,
    /** Clicks Run and waits for the end. Returns what is shown then. */
    async run() {
      await block.getByRole('button', { name: 'Run' }).click()
      return this.shown()
    },
    async shown() {
      await page.waitForFunction(
        (name) =>
          /ended|failed|stopped/.test(document.querySelector(`[data-program="${name}"]`).dataset.state),
        name,
      )
      return {
        output: (await block.locator('.live-output pre').textContent()).trimEnd().split('\n'),
        expected: (await block.locator('.live-expected pre').textContent()).split('\n'),
        said: await block.getByRole('status').textContent(),
      }
    },
    /** Opens the editor, and writes at the beginning of the text. */
    async edit(text) {
      await block.getByRole('button', { name: 'Edit' }).click()
      await block.getByRole('textbox').waitFor()
      await page.keyboard.press('Control+Home')
      await page.keyboard.insertText(text)
    },
  }
}
