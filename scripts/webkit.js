// Owns WebKit as tests drive it: its driver by W3C WebDriver, on a display and a bus of its own, and the tabs of its browser.

import { once } from 'node:events'
import { createServer } from 'node:net'
import { writeFileSync } from 'node:fs'
import { findBrowser } from './browser.js'
import { startGuarded } from './guarded.js'
import { startListeningProxy } from './listening-proxy.js'

/** No script of a test takes longer. */
const SCRIPT_TIME = 1_800_000
const START_TIME = 60_000

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

/** A screen that nobody sees: `name` is what DISPLAY is set to. */
export async function startDisplay() {
  const screen = startGuarded(
    ['Xvfb', '-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'],
    {
      output: true,
    },
  )
  const [number] = await once(screen.shell.stdio[3], 'data')
  return { name: `:${String(number).trim()}`, end: screen.end }
}

/** One command of WebDriver; throws what the driver says went wrong. */
async function ask(address, method, path, body) {
  const answer = await fetch(`${address}${path}`, { method, body: body && JSON.stringify(body) })
  const { value } = await answer.json()
  if (!answer.ok) throw new Error(`${value.error}: ${value.message}`)
  return value
}

/** The session, as soon as the driver answers. */
async function startSession(address, proxy) {
  const alwaysMatch = { proxy: { proxyType: 'manual', httpProxy: proxy.address } }
  for (const latest = Date.now() + START_TIME; ;) {
    try {
      return await ask(address, 'POST', '/session', { capabilities: { alwaysMatch } })
    } catch (error) {
      // The driver does not listen yet.
      if (!(error instanceof TypeError) || Date.now() > latest) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

/** What a page runs for `evaluate`: the driver gives back only what JSON can say. */
const ASKING = (text) => `const done = arguments[arguments.length - 1]
  ;(async () => (${text}))().then(
    (value) => done({ value: JSON.stringify(value) ?? null }),
    (error) => done({ error: String(error) + '\\n' + error?.stack }))`

/** Starts it. Costs two to three seconds. See engines.js for what is returned. */
export async function openWebKit() {
  const driver = findBrowser('webkit')
  const ends = []
  const close = async () => {
    for (const end of ends.reverse()) await end()
  }
  try {
    const [port, display, proxy] = await Promise.all([freePort(), startDisplay(), startListeningProxy()])
    ends.push(
      () => display.end(),
      () => proxy.close(),
    )
    const program = startGuarded([driver, `--port=${port}`], {
      environment: { ...process.env, DISPLAY: display.name, NO_AT_BRIDGE: '1', GSETTINGS_BACKEND: 'memory' },
      around: ['dbus-run-session', '--'],
    })
    ends.push(() => program.end())
    const address = `http://127.0.0.1:${port}`
    const { sessionId, capabilities } = await startSession(address, proxy)
    ends.push(() => ask(address, 'DELETE', `/session/${sessionId}`).catch(() => {}))
    const session = new Session(`${address}/session/${sessionId}`)
    await session.ask('POST', '/timeouts', { script: SCRIPT_TIME, pageLoad: SCRIPT_TIME })
    return { version: capabilities.browserVersion, openTab: () => session.openTab(), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** A session has one window at a time that commands are for: those of several wait for one another. */
class Session {
  last = Promise.resolve()
  /** The window that the session began with is used again: without any the browser ends. */
  isFirstFree = true

  constructor(address) {
    this.address = address
  }

  ask(method, path, body) {
    return ask(this.address, method, path, body)
  }

  async openTab() {
    const { handle, close } = this.isFirstFree ? await this.takeFirst() : await this.openWindow()
    const inTab = (action) =>
      this.inTurn(async () => {
        await this.ask('POST', '/window', { handle })
        return action()
      })
    const evaluate = async (text) => {
      const { value, error } = await inTab(() =>
        this.ask('POST', '/execute/async', { script: ASKING(text), args: [] }),
      )
      if (error !== undefined) throw new Error(error)
      return value === null ? undefined : JSON.parse(value)
    }
    return {
      goto: (url) => inTab(() => this.ask('POST', '/url', { url })),
      evaluate,
      complaints: () => evaluate('globalThis.complaintsHeard?.splice(0) ?? []'),
      screenshot: async (path) =>
        writeFileSync(path, Buffer.from(await inTab(() => this.ask('GET', '/screenshot')), 'base64')),
      close: () => inTab(close),
    }
  }

  async takeFirst() {
    this.isFirstFree = false
    this.first ??= await this.inTurn(() => this.ask('GET', '/window'))
    const close = async () => {
      await this.ask('POST', '/url', { url: 'about:blank' })
      this.isFirstFree = true
    }
    return { handle: this.first, close }
  }

  /** A window, because a tab that another one covers is not drawn. */
  async openWindow() {
    const { handle } = await this.inTurn(() => this.ask('POST', '/window/new', { type: 'window' }))
    return { handle, close: () => this.ask('DELETE', '/window') }
  }

  inTurn(action) {
    const done = this.last.then(action)
    this.last = done.catch(() => {})
    return done
  }
}
