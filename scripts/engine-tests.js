// Owns how vitest runs test files in Firefox and WebKit: in a page of the browser that engines.js starts, as Playwright does for
// Chromium. It must never offer tests more than a page: no clicks, no screenshots, no mocks.

import { playwright } from '@vitest/browser-playwright'
import { openEngine } from './engines.js'

/**
 * What `browser.provider` of a project of vitest is for an engine.
 *
 * @param {'firefox' | 'webkit'} engine
 */
export function engineProvider(engine) {
  // Vitest's own server, with pages that are opened here.
  return { ...playwright(), name: `strata-${engine}`, providerFactory: () => new EngineProvider(engine) }
}

class EngineProvider {
  /** A session has one tab that is asked: files run one after the other. */
  supportsParallelism = false
  pages = new Map()

  constructor(engine) {
    this.name = `strata-${engine}`
    this.engine = engine
  }

  getCommandsContext() {
    return {}
  }

  async openPage(session, url) {
    this.browser ??= openEngine(this.engine)
    const browser = await this.browser
    await this.pages.get(session)?.close()
    this.pages.set(session, await browser.open(url))
  }

  async close() {
    const browser = await this.browser?.catch(() => undefined)
    await browser?.close()
  }
}
