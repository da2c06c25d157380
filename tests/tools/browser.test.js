// Shows that tests find the browser they need: which one of several, what is done when there is none, and that it starts. The
// systems without a browser are made up.

import { expect, it } from 'vitest'
import { linesWithoutEngine, withoutBrowser } from '../../scripts/browser-tests.js'
import { findBrowser, launchBrowser } from '../../scripts/browser.js'

/** A system on which only these files are; `installs` appear when apt-get installs something. */
function systemWith(files, { installs = [], ...others } = {}) {
  const present = new Set(files)
  const commands = []
  const system = {
    environment: {},
    platform: 'linux',
    isRoot: true,
    exists: (path) => present.has(path),
    run(...words) {
      commands.push(words.join(' '))
      if (words.includes('install')) for (const file of installs) present.add(file)
    },
    ...others,
  }
  return { system, commands }
}

const DEBIAN = ['/etc/debian_version', '/usr/bin/apt-get']

it('uses the browser that the environment names, before any other', () => {
  const { system } = systemWith(['/opt/mine', '/usr/bin/chromium'])
  for (const name of ['CHROMIUM_PATH', 'CHROME_PATH']) {
    expect(findBrowser('chromium', { ...system, environment: { [name]: '/opt/mine' } })).toBe('/opt/mine')
  }
})

it('refuses a name in the environment that does not exist, instead of using another', () => {
  const { system, commands } = systemWith(['/usr/bin/chromium', ...DEBIAN])
  const wrong = { ...system, environment: { CHROME_PATH: '/opt/gone' } }
  expect(() => findBrowser('chromium', wrong)).toThrow('CHROME_PATH names /opt/gone, where nothing is')
  expect(commands).toEqual([])
})

it('finds one in the usual places of each system, then one in PATH', () => {
  const chrome = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
  expect(findBrowser('chromium', systemWith([chrome], { platform: 'darwin' }).system)).toBe(chrome)
  const environment = { PATH: '/usr/local/bin:/home/me/bin' }
  const { system } = systemWith(['/home/me/bin/chromium'], { environment })
  expect(findBrowser('chromium', system)).toBe('/home/me/bin/chromium')
})

it("installs Debian's as root", () => {
  const { system, commands } = systemWith(DEBIAN, { installs: ['/usr/bin/chromium'] })
  expect(findBrowser('chromium', system)).toBe('/usr/bin/chromium')
  expect(commands).toEqual([
    expect.stringMatching(/apt-get update/),
    expect.stringMatching(/apt-get install .*--yes.* chromium$/),
  ])
})

it('says in one sentence what to install where it cannot do so', () => {
  const sentence = /^There is no Chromium here: install Chromium or Chrome, or set CHROMIUM_PATH [^.]*\.$/
  const hopeless = [
    systemWith(DEBIAN, { isRoot: false }),
    systemWith([], {}),
    systemWith([], { platform: 'darwin' }),
    systemWith([], { platform: 'win32', isRoot: false }),
  ]
  for (const { system, commands } of hopeless) {
    expect(() => findBrowser('chromium', system)).toThrow(sentence)
    expect(commands).toEqual([])
  }
})

it('does so even if the packages are not available', () => {
  const { system } = systemWith(DEBIAN, {
    run() {
      throw new Error('no network')
    },
  })
  expect(() => findBrowser('chromium', system)).toThrow(/install Chromium or Chrome.*no network/)
})

it('finds Firefox, and installs it with a display', () => {
  expect(findBrowser('firefox', systemWith(['/usr/bin/firefox']).system)).toBe('/usr/bin/firefox')
  const { system, commands } = systemWith(DEBIAN, { installs: ['/usr/bin/firefox-esr'] })
  expect(findBrowser('firefox', system)).toBe('/usr/bin/firefox-esr')
  expect(commands.at(-1)).toMatch(/apt-get install .* firefox-esr xvfb$/)
})

it('uses the driver of WebKit only with a display and a bus for it', () => {
  const driver = '/usr/bin/WebKitWebDriver'
  const all = [driver, '/usr/bin/Xvfb', '/usr/bin/dbus-run-session']
  expect(findBrowser('webkit', systemWith(all).system)).toBe(driver)
  for (const missing of all) {
    const rest = all.filter((file) => file !== missing)
    const hopeless = systemWith(rest, { isRoot: false }).system
    expect(() => findBrowser('webkit', hopeless)).toThrow(/^There is no WebKit here: install the driver/)
    const { system, commands } = systemWith([...rest, ...DEBIAN], { installs: [missing] })
    expect(findBrowser('webkit', system)).toBe(driver)
    expect(commands.at(-1)).toMatch(/apt-get install .* webkit2gtk-driver xvfb dbus-daemon$/)
  }
})

it('reports for each engine what was left out without it, why, and how to run it', () => {
  const lines = linesWithoutEngine('firefox', 'nothing can be installed\nhere', 'npm run test:all')
  expect(lines).toEqual([
    'Left out: what is tested in Firefox, because there is none here, and nothing can be installed.',
    expect.stringMatching(/^To run it: install Firefox.*FIREFOX_PATH.*; then npm run test:all\.$/),
  ])
})

it.skipIf(withoutBrowser)('starts it, and its pages have what the library needs', async () => {
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage()
    const found = await page.evaluate(() => {
      const memory = new WebAssembly.Memory({ initial: 1 })
      return [memory.buffer.byteLength, typeof Worker, navigator.userAgent]
    })
    expect(found).toEqual([65536, 'function', expect.stringContaining('Chrome/')])
  } finally {
    await browser.close()
  }
})
