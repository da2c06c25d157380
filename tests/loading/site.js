// A static file server for a folder, and a page of it in a real Chromium, with everything that the page complained of.
import { createServer } from 'node:http'
import sirv from 'sirv'
import { launchBrowser } from '../../scripts/browser.js'

/** Serves the folder as any static host would; `headersOf` gives headers to add to the answer for a path. */
export async function serveFolder(folder, headersOf = () => ({})) {
  const serve = sirv(folder, {
    dev: true,
    setHeaders(response, path) {
      for (const [name, value] of Object.entries(headersOf(path))) response.setHeader(name, value)
    },
  })
  // A browser asks for an icon by itself.
  const absent = (request) => (request.url === '/favicon.ico' ? 204 : 404)
  const server = createServer((request, response) =>
    serve(request, response, () => response.writeHead(absent(request)).end()),
  )
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** One browser for a file of tests: `answerOf(url)` opens a page and gives what it wrote to `globalThis.answer`. */
export async function openBrowser() {
  const browser = await launchBrowser()
  async function answerOf(url) {
    const context = await browser.newContext()
    const page = await context.newPage()
    const complaints = []
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    try {
      await page.goto(String(url))
      await page.waitForFunction(() => globalThis.answer !== undefined, undefined, { timeout: 60_000 })
      return { answer: await page.evaluate(() => globalThis.answer), complaints }
    } catch (error) {
      throw new Error(`${url} gave no answer: ${complaints.join('; ') || 'it said nothing'}`, {
        cause: error,
      })
    } finally {
      await context.close()
    }
  }
  return { answerOf, close: () => browser.close() }
}
