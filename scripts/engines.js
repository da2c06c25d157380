// Owns one interface over the browsers of all engines, for tests that say the same of each: a page is opened, asked and closed. It
// must never offer what one of them cannot do: what needs more than this is tested in Chromium, by Playwright.

import puppeteer from 'puppeteer-core'
import { findBrowser, launchBrowser } from './browser.js'
import { endWithThis } from './guarded.js'
import { openWebKit, startDisplay } from './webkit.js'

const OPENING = { chromium: openChromium, firefox: openFirefox, webkit: openWebKit }

/** No step of a test takes longer. */
const STEP_TIME = 1_800_000

/**
 * Starts the browser of an engine. Costs one to four seconds; who asked for it closes it, and it ends with this process at the
 * latest.
 *
 * @param {'chromium' | 'firefox' | 'webkit'} engine
 * @returns its `version`; `open(url)`, which gives a page once that is loaded; and `close()`
 * @throws {Error} as `findBrowser`
 */
export async function openEngine(engine) {
  const { version, openTab, close } = await OPENING[engine]()
  return {
    engine,
    version,
    async open(url) {
      const page = new Page(await openTab())
      try {
        await page.goto(url)
        return page
      } catch (error) {
        await page.close()
        throw error
      }
    },
    close,
  }
}

/** A page that is open. */
class Page {
  heard = []

  constructor(tab) {
    this.tab = tab
  }

  goto(url) {
    return this.tab.goto(String(url))
  }

  /** What a function gives in the page, as far as JSON can say it; what it takes goes there in the same way. */
  evaluate(body, given) {
    return this.tab.evaluate(textOf(body, given))
  }

  /** Waits until a function gives something true in the page; what it throws, as while a page is loaded again, is not that. */
  async waitFor(body, { given, timeout = 60_000 } = {}) {
    const text = `Boolean(${textOf(body, given)})`
    for (const latest = Date.now() + timeout; ;) {
      if (await this.tab.evaluate(text).catch(() => false)) return
      if (Date.now() > latest) throw new Error(`${body} was not true in ${timeout} ms.`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  /** Errors that nobody caught in the page, and those that its console was told, since it was opened. */
  async complaints() {
    this.heard.push(...(await this.tab.complaints()))
    return [...this.heard]
  }

  screenshot(path) {
    return this.tab.screenshot(path)
  }

  close() {
    return this.tab.close()
  }
}

const textOf = (body, given) => `(${body})(${JSON.stringify(given) ?? ''})`

/** A tab of Playwright or Puppeteer, which have these calls in common. */
function tabOf(page, close) {
  const heard = []
  page.on('pageerror', (error) => heard.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && heard.push(message.text()))
  page.setDefaultTimeout(STEP_TIME)
  return {
    goto: (url) => page.goto(url),
    async evaluate(text) {
      const value = await page.evaluate(`(async () => JSON.stringify(await ${text}))()`)
      return value === undefined ? undefined : JSON.parse(value)
    },
    complaints: async () => heard.splice(0),
    screenshot: (path) => page.screenshot({ path }),
    close,
  }
}

async function openChromium() {
  const browser = await launchBrowser({ webgl: 'software' })
  return {
    version: browser.version(),
    async openTab() {
      const context = await browser.newContext()
      return tabOf(await context.newPage(), () => context.close())
    },
    close: () => browser.close(),
  }
}

/** On a display, though without a window, because it has no WebGL elsewhere. */
async function openFirefox() {
  const executablePath = findBrowser('firefox')
  const display = process.platform === 'linux' && !process.env.DISPLAY ? await startDisplay() : undefined
  try {
    const browser = await puppeteer.launch({
      browser: 'firefox',
      executablePath,
      headless: true,
      protocolTimeout: STEP_TIME,
      extraPrefsFirefox: { 'webgl.force-enabled': true },
      // Where there is no bus it would start one, which would outlive it.
      env: {
        ...process.env,
        DBUS_SESSION_BUS_ADDRESS: 'disabled:',
        ...(display && { DISPLAY: display.name }),
      },
    })
    const callOff = endWithThis(browser.process().pid)
    return {
      version: (await browser.version()).replace(/^\w+\//, ''),
      async openTab() {
        const context = await browser.createBrowserContext()
        return tabOf(await context.newPage(), () => context.close())
      },
      async close() {
        await browser.close()
        await callOff()
        await display?.end()
      },
    }
  } catch (error) {
    await display?.end()
    throw error
  }
}
