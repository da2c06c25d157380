// The page of an example as tests drive it: built into a folder of its own by its own command, served, opened, listened to.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { launchBrowser } from '../../scripts/browser.js'

/**
 * Serves an example, with a browser to open it in.
 *
 * @param name the folder in examples/
 * @param port where it is served, or on the next free one
 * @param begun runs in the page: whether it has begun
 * @param webgl as launchBrowser takes it
 * @param viewport of the pages that are opened
 * @param isRemark whether something that the console said is no complaint
 */
export async function startExample({ name, port, begun, webgl, viewport, isRemark = () => false }) {
  const folder = mkdtempSync(join(tmpdir(), `strata-${name}-page-`))
  const [{ server, address }, browser] = await Promise.all([
    serve(name, port, folder),
    launchBrowser(webgl === undefined ? {} : { webgl }),
  ])
  return {
    address,
    browser,
    /**
     * The page in a context of its own, when it has begun; `complaints` collects what went wrong in it. Pages share nothing
     * but the server: a theme that one keeps is not another's. `hash` is what follows the #.
     */
    async open(hash = '', options = {}) {
      const context = await browser.newContext({ viewport, ...options })
      // A machine that is busy with other tests is slow.
      context.setDefaultTimeout(120_000)
      const page = await context.newPage()
      const complaints = []
      page.on('console', (message) => {
        if (!isRemark(message.text())) complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(String(error)))
      page.on('requestfailed', (request) => complaints.push(request.url()))
      await page.goto(hash === '' ? address : `${address}#${hash}`)
      await page.waitForFunction(begun)
      return { page, complaints, close: () => context.close() }
    },
    async close() {
      await browser.close()
      server.kill()
      rmSync(folder, { recursive: true })
    },
  }
}

/** The command itself, until it says where the page is. */
function serve(name, port, folder) {
  const command = fileURLToPath(new URL(`../../examples/${name}/serve.js`, import.meta.url))
  const server = spawn(process.execPath, [command, '--port', String(port), '--folder', join(folder, 'page')])
  return new Promise((resolve, reject) => {
    let said = ''
    server.stderr.on('data', (text) => (said += text))
    server.stdout.on('data', (text) => {
      said += text
      const found = / is at (\S+)/.exec(said)
      if (found) resolve({ server, address: found[1] })
    })
    server.on('exit', () => reject(new Error(said)))
  })
}
