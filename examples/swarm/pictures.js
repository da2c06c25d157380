// Owns the pictures of the page: light and dark, wide and narrow, always of the same moment of the same swarm.
// It must never depend on how fast a machine is: only the times that the panel shows are this one's.

import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build, preview } from 'vite'
import { launchBrowser } from '../../scripts/browser.js'

const HELP = `Takes pictures of the swarm's page. Needs the built library: npm run build.

  node examples/swarm/pictures.js [options] [name ...]

  --folder F   where they go; default build/swarm-pictures
  --prey N     how many there are; default 200000
  --help       this text

A picture of so many takes half a minute, for no graphics card draws it. Names are those of the files, without .png: all of them by default.
`

const WIDE = { viewport: { width: 1440, height: 900 } }
const NARROW = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true }

/** Each on a screen; what is done before is done in the page. */
const SCENES = [
  { name: 'swarm', screen: WIDE, theme: 'dark', bare: true },
  { name: 'wide-dark', screen: WIDE, theme: 'dark' },
  { name: 'wide-light', screen: WIDE, theme: 'light' },
  { name: 'picked-dark', screen: WIDE, theme: 'dark', zoom: 5 },
  { name: 'picked-light', screen: WIDE, theme: 'light', zoom: 5 },
  { name: 'narrow-dark', screen: NARROW, theme: 'dark' },
  { name: 'narrow-light', screen: NARROW, theme: 'light' },
  { name: 'narrow-open', screen: NARROW, theme: 'dark', unfolded: true },
  { name: 'narrow-open-light', screen: NARROW, theme: 'light', unfolded: true },
  { name: 'narrow-picked', screen: NARROW, theme: 'dark', zoom: 5 },
]

/** Fires, by the step in which they fall, so that the picture has young and old ones. */
const FIRES = [
  [380, 330, 380, 26],
  [500, 760, 640, 22],
  [560, 180, 700, 20],
  [590, 620, 250, 24],
]
const STEPS = 620
/** As many frames as the graph shows; and those whose light is still seen in the last one. */
const GRAPH_FRAMES = 240
const GLOWING_FRAMES = 6

const configFile = fileURLToPath(new URL('vite.config.js', import.meta.url))

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    folder: { type: 'string', default: 'build/swarm-pictures' },
    prey: { type: 'string', default: '200000' },
    help: { type: 'boolean', default: false },
  },
})

const unknown = positionals.find((name) => !SCENES.some((scene) => scene.name === name))
if (values.help) {
  process.stdout.write(HELP)
} else if (unknown !== undefined) {
  console.error(`There is no picture ${unknown}: ${SCENES.map(({ name }) => name).join(', ')}.`)
  process.exitCode = 1
} else {
  const folder = resolve(values.folder)
  mkdirSync(folder, { recursive: true })
  await takeAll(
    SCENES.filter(({ name }) => positionals.length === 0 || positionals.includes(name)),
    folder,
  )
}

async function takeAll(scenes, folder) {
  await build({ configFile, logLevel: 'warn' })
  const server = await preview({ configFile, logLevel: 'warn' })
  const browser = await launchBrowser({ webgl: 'software' })
  try {
    for (const screen of new Set(scenes.map((scene) => scene.screen))) {
      const page = await open(browser, server.resolvedUrls.local[0], screen)
      for (const scene of scenes.filter((scene) => scene.screen === screen)) {
        await take(page, scene, join(folder, `${scene.name}.png`))
        console.log(join(folder, `${scene.name}.png`))
      }
      await page.context().close()
    }
  } finally {
    await browser.close()
    await server.close()
  }
}

/** The page, at the moment that is to be seen, with frames made by hand. */
async function open(browser, address, screen) {
  // Who wants less motion has a camera that goes at once where it is to be.
  const context = await browser.newContext({ ...screen, reducedMotion: 'reduce' })
  context.setDefaultTimeout(300_000)
  const page = await context.newPage()
  await page.goto(`${address}#prey=${values.prey}&seed=5&paused`)
  await page.waitForFunction(() => globalThis.demo)
  await page.evaluate(
    ([steps, fires, graphFrames]) => {
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
    },
    [STEPS, FIRES, GRAPH_FRAMES],
  )
  return page
}

async function take(page, { theme, zoom, unfolded = false, bare = false }, path) {
  await page.emulateMedia({ colorScheme: theme })
  // A page hears of it when it is shown next.
  await page.waitForFunction((theme) => demo.view.theme === theme, theme)
  const style = bare ? await page.addStyleTag({ content: 'body > :not(#view) { display: none }' }) : undefined
  const isUnfolded = () => page.isVisible('#population')
  if (unfolded && !(await isUnfolded())) await page.click('#fold')
  await page.evaluate(
    ([zoom, glowing]) => {
      const { swarm, view, frames } = demo
      view.camera.reset()
      // Behind a second the light of another picture is gone.
      view.draw(-1)
      if (zoom) {
        // The hunter that has caught the most.
        const { Hunter, Position } = demo.components
        const caught = (hunter) => swarm.world.get(hunter, Hunter).caught
        const [best] = [...swarm.hunters.entities()].toSorted((a, b) => caught(b) - caught(a) || a - b)
        const { x, y } = swarm.world.get(best, Position)
        Object.assign(view.camera, { x, y, zoom })
        dispatchEvent(new KeyboardEvent('keydown', { key: 'n' }))
      }
      // Agents come up to where they are, and leave their own light.
      for (let back = glowing; back >= 0; back--) view.draw(-back / 64)
      frames.end(performance.now() + 1e6)
    },
    [zoom, GLOWING_FRAMES],
  )
  await page.screenshot({ path })
  await style?.evaluate((element) => element.remove())
  if (zoom) await page.evaluate(() => dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' })))
  if (unfolded) await page.click('#fold')
}
