// Takes the pictures of the page, always of the same moment of the same swarm. docs/images/swarm.jpg is `swarm`.
//
//   node examples/swarm/pictures.js [--folder build/swarm-pictures] [--prey 200000] [names…]

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build, preview } from 'vite'
import { launchBrowser } from '../../scripts/browser.js'
import { ISOLATION } from '../servePage.js'

const WIDE = { viewport: { width: 1440, height: 900 } }
const NARROW = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true }
const SCENES = {
  swarm: { screen: WIDE, theme: 'dark', bare: true },
  'wide-dark': { screen: WIDE, theme: 'dark' },
  'wide-light': { screen: WIDE, theme: 'light' },
  'picked-dark': { screen: WIDE, theme: 'dark', zoom: 5 },
  'picked-light': { screen: WIDE, theme: 'light', zoom: 5 },
  'narrow-dark': { screen: NARROW, theme: 'dark' },
  'narrow-open': { screen: NARROW, theme: 'dark', unfolded: true },
  'narrow-picked': { screen: NARROW, theme: 'dark', zoom: 5 },
}
/** Fires, by the step in which they fall, so that the picture has young and old ones. */
const FIRES = [[380, 330, 380, 26], [500, 760, 640, 22], [560, 180, 700, 20], [590, 620, 250, 24]] // prettier-ignore

const { values, positionals } = parseArgs({
  options: {
    folder: { type: 'string', default: 'build/swarm-pictures' },
    prey: { type: 'string', default: '200000' },
  },
  allowPositionals: true,
})
mkdirSync(values.folder, { recursive: true })
const configFile = fileURLToPath(new URL('vite.config.js', import.meta.url))
await build({ configFile, logLevel: 'warn' })
const server = await preview({ configFile, preview: { headers: ISOLATION }, logLevel: 'warn' })
const browser = await launchBrowser({ webgl: 'software' })
try {
  for (const name of positionals.length > 0 ? positionals : Object.keys(SCENES)) {
    const path = join(values.folder, `${name}.png`)
    await take(SCENES[name], path)
    console.log(path)
  }
} finally {
  await browser.close()
  await server.close()
}

async function take({ screen, theme, zoom, unfolded, bare }, path) {
  // With less motion, the camera goes at once where it is to be.
  const context = await browser.newContext({ ...screen, reducedMotion: 'reduce', colorScheme: theme })
  context.setDefaultTimeout(300_000)
  const page = await context.newPage()
  await page.goto(`${server.resolvedUrls.local[0]}#prey=${values.prey}&seed=5&paused`)
  await page.waitForFunction(() => globalThis.demo)
  if (bare) await page.addStyleTag({ content: 'body > :not(#view) { display: none }' })
  if (unfolded) await page.click('#fold')
  await page.evaluate((fires) => {
    const { swarm, frames } = demo
    frames.stop()
    for (let step = 0; step < 620; step++) {
      for (const [at, x, y, radius] of fires) if (at === step) swarm.ignite(x, y, radius)
      swarm.step()
    }
  }, FIRES)
  if (zoom) {
    await page.evaluate(pickBestHunter, zoom)
    await page.waitForSelector('strata-inspector .row')
  }
  await page.evaluate(() => {
    // Agents come up to where they are, and leave their own light.
    for (let back = 6; back >= 0; back--) demo.view.draw(-back / 64)
    demo.frames.end(performance.now() + 1e6)
  })
  await page.screenshot({ path })
  await context.close()
}

/** Goes near the hunter that has caught the most, and picks it. It runs in the page. */
function pickBestHunter(zoom) {
  const { swarm, view, components } = demo
  const caught = (hunter) => swarm.world.get(hunter, components.Hunter).caught
  const [best] = [...swarm.hunters.entities()].toSorted((a, b) => caught(b) - caught(a) || a - b)
  Object.assign(view.camera, swarm.world.get(best, components.Position), { zoom })
  dispatchEvent(new KeyboardEvent('keydown', { key: 'n' }))
}
