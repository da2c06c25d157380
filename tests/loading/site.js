// A static file server for a folder, and a page of it in a real browser, with everything that the page complained of.
import { createServer } from 'node:http'
import sirv from 'sirv'
import { openEngine } from '../../scripts/engines.js'

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

/**
 * One browser for several tests: `answerOf(url)` opens a page and gives what it wrote to `globalThis.answer`.
 *
 * @param engine as openEngine takes it
 */
export async function openBrowser(engine) {
  const browser = await openEngine(engine)
  async function answerOf(url) {
    const page = await browser.open(url)
    try {
      await page.waitFor(() => globalThis.answer !== undefined)
      return { answer: await page.evaluate(() => globalThis.answer), complaints: await page.complaints() }
    } catch (error) {
      const complaints = await page.complaints()
      throw new Error(`${url} gave no answer: ${complaints.join('; ') || 'it said nothing'}`, {
        cause: error,
      })
    } finally {
      await page.close()
    }
  }
  return { engine, answerOf, close: () => browser.close() }
}
