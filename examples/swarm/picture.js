// Takes docs/images/swarm.jpg, always of the same moment of the same swarm: `node examples/swarm/picture.js [FILE.jpg]`.

import { fileURLToPath } from 'node:url'
import { build, preview } from 'vite'
import { launchBrowser } from '../../scripts/browser.js'
import { ISOLATION } from '../servePage.js'

/** Fires, by the step in which they fall, so that the picture has young and old ones. */
const FIRES = [[380, 330, 380, 26], [500, 760, 640, 22], [560, 180, 700, 20], [590, 620, 250, 24]] // prettier-ignore

const path = process.argv[2] ?? fileURLToPath(new URL('../../docs/images/swarm.jpg', import.meta.url))
const configFile = fileURLToPath(new URL('vite.config.js', import.meta.url))
await build({ configFile, logLevel: 'warn' })
const server = await preview({ configFile, preview: { headers: ISOLATION }, logLevel: 'warn' })
const browser = await launchBrowser({ webgl: 'software' })
try {
  // With less motion, the camera goes at once where it is to be.
  const screen = { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', colorScheme: 'dark' }
  const page = await browser.newPage(screen)
  page.setDefaultTimeout(300_000)
  await page.goto(`${server.resolvedUrls.local[0]}#prey=200000&seed=5&paused`)
  await page.waitForFunction(() => globalThis.demo)
  await page.addStyleTag({ content: 'body > :not(#view) { display: none }' })
  await page.evaluate((fires) => {
    const { swarm, frames, view } = demo
    frames.stop()
    for (let step = 0; step < 620; step++) {
      for (const [at, x, y, radius] of fires) if (at === step) swarm.ignite(x, y, radius)
      swarm.step()
    }
    // Agents come up to where they are, and leave their own light.
    for (let back = 6; back >= 0; back--) view.draw(-back / 64)
  }, FIRES)
  await page.screenshot({ path, quality: 85 })
  console.log(path)
} finally {
  await browser.close()
  await server.close()
}
