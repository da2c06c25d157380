// Takes the pictures of the page, always of the same moment of the same swarm; only the times that the panel shows are this
// machine's. docs/images/swarm.jpg is `swarm`.

import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, preview } from 'vite'
import { Command, Option } from 'commander'
import { launchBrowser } from '../../scripts/browser.js'

const WIDE = { viewport: { width: 1440, height: 900 } }
const NARROW = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true }

const SCENES = {
  swarm: { screen: WIDE, theme: 'dark', bare: true },
  'wide-dark': { screen: WIDE, theme: 'dark' },
  'wide-light': { screen: WIDE, theme: 'light' },
  'picked-dark': { screen: WIDE, theme: 'dark', zoom: 5 },
  'picked-light': { screen: WIDE, theme: 'light', zoom: 5 },
  'narrow-dark': { screen: NARROW, theme: 'dark' },
  'narrow-light': { screen: NARROW, theme: 'light' },
  'narrow-open': { screen: NARROW, theme: 'dark', unfolded: true },
  'narrow-picked': { screen: NARROW, theme: 'dark', zoom: 5 },
}

/** Fires, by the step in which they fall, so that the picture has young and old ones. */
const FIRES = [[380, 330, 380, 26], [500, 760, 640, 22], [560, 180, 700, 20], [590, 620, 250, 24]] // prettier-ignore
const STEPS = 620
/** As many frames as the graph shows. */
const GRAPH_FRAMES = 240

const configFile = fileURLToPath(new URL('vite.config.js', import.meta.url))
const names = Object.keys(SCENES)
const command = new Command('pictures')
  .description(
    "Takes pictures of the swarm's page, half a minute each. Needs the built library: npm run build.",
  )
  .addOption(new Option('--folder <folder>', 'where they go').default('build/swarm-pictures'))
  .option('--prey <count>', 'how many there are', '200000')
  .argument('[names...]', `which: ${names.join(', ')}; all by default`)
  .parse()
const { folder, prey } = command.opts()
const unknown = command.args.find((name) => !names.includes(name))
if (unknown !== undefined) command.error(`There is no picture ${unknown}: ${names.join(', ')}.`)

mkdirSync(resolve(folder), { recursive: true })
await build({ configFile, logLevel: 'warn' })
const server = await preview({ configFile, logLevel: 'warn' })
const browser = await launchBrowser({ webgl: 'software' })
try {
  for (const name of command.args.length > 0 ? command.args : names) {
    const path = join(resolve(folder), `${name}.png`)
    await take(SCENES[name], path)
    console.log(path)
  }
} finally {
  await browser.close()
  await server.close()
}

async function take({ screen, theme, zoom, unfolded, bare }, path) {
  // Who wants less motion has a camera that goes at once where it is to be.
  const context = await browser.newContext({ ...screen, reducedMotion: 'reduce', colorScheme: theme })
  context.setDefaultTimeout(300_000)
  const page = await context.newPage()
  await page.goto(`${server.resolvedUrls.local[0]}#prey=${prey}&seed=5&paused`)
  await page.waitForFunction(() => globalThis.demo)
  if (bare) await page.addStyleTag({ content: 'body > :not(#view) { display: none }' })
  if (unfolded) await page.click('#fold')
  await page.evaluate(live, [STEPS, FIRES, GRAPH_FRAMES])
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

/** Comes to the moment that is to be seen, with frames made by hand. It runs in the page, as the next one does. */
function live([steps, fires, graphFrames]) {
  const { swarm, view, frames } = demo
  frames.stop()
  const { draw } = view
  view.draw = () => {}
  frames.paused = false
  let now = performance.now()
  for (let k = 0; k < steps; k++) {
    for (const [at, x, y, radius] of fires) if (at === k) swarm.ignite(x, y, radius)
    if (k < steps - graphFrames) swarm.step()
    else frames.advance((now += 1000 / 64))
  }
  view.draw = draw
  frames.paused = true
}

/** Goes near the hunter that has caught the most, and picks it. */
function pickBestHunter(zoom) {
  const { swarm, view, components } = demo
  const caught = (hunter) => swarm.world.get(hunter, components.Hunter).caught
  const [best] = [...swarm.hunters.entities()].toSorted((a, b) => caught(b) - caught(a) || a - b)
  Object.assign(view.camera, swarm.world.get(best, components.Position), { zoom })
  dispatchEvent(new KeyboardEvent('keydown', { key: 'n' }))
}
