// The page of the swarm as tests drive it: see examplePage.js for what it has in common with other pages.

import { startExample } from './examplePage.js'

/** Wide enough for the panel beside the swarm, and little to draw: there is no graphics card. */
const VIEWPORT = { width: 760, height: 480 }

const hasBegun = () => globalThis.demo?.frames.count > 0

/** The page, served, with a browser to open it in. `webgl`: as launchBrowser takes it. */
export const startSwarm = ({ webgl = 'software' } = {}) =>
  startExample({
    name: 'swarm',
    port: 4191,
    begun: hasBegun,
    webgl,
    viewport: VIEWPORT,
    isRemark: isDriversRemark,
  })

/**
 * Frames that are made by hand are not shown. Between them the software's driver has no occasion to end a pass of drawing,
 * runs out of room for uploads beside it, and remarks, as a matter of its speed, that it begins another.
 */
export const isDriversRemark = (said) => said.includes('outsideRenderPass queueSerial')

/** Until the page has made its first frame. */
export const begun = (page) => page.waitForFunction(hasBegun)

/** From now on frames are made by `frame` only: without a graphics card, the page's own would take most of the time. */
export const byHand = (page) => page.evaluate(() => demo.frames.stop())

/** Makes steps without showing them, as fast as they go; returns the digest after each. */
export const live = (page, steps) =>
  page.evaluate((steps) => {
    const { swarm, past } = demo
    const digests = {}
    for (let i = 0; i < steps; i++) {
      past.step()
      digests[swarm.tick] = swarm.digest()
    }
    return digests
  }, steps)

/** Frames, as the page would make them, until the past is where it was told to go. */
export const arrive = (page) =>
  page.evaluate(() => {
    while (demo.past.isUnderway)
      demo.frames.advance((demo.latest = Math.max(performance.now(), demo.latest ?? 0)))
  })

/**
 * Makes a frame, late enough for the panel to look at how things stand: it does so ten times a second. Frames made before may
 * have been ahead of the clock; `demo.latest` says when the last one was.
 */
export async function frame(page) {
  await page.waitForTimeout(110)
  await page.evaluate(() => {
    demo.latest = Math.max(performance.now(), (demo.latest ?? 0) + 110)
    demo.frames.advance(demo.latest)
  })
}

/** Until the canvas rests where it is: it moves when the panel, which covers a part of it, opens or closes. */
export const settled = (page) =>
  page.evaluate(async () => {
    const place = () => JSON.stringify(document.querySelector('#view').getBoundingClientRect())
    for (let before = ''; before !== place();) {
      before = place()
      await new Promise((done) => setTimeout(done, 250))
    }
  })

/** Where the swarm stands, in one look. */
export const standOf = (page) =>
  page.evaluate(() => {
    const { swarm, view, frames } = demo
    return {
      tick: swarm.tick,
      prey: swarm.prey,
      population: swarm.population,
      burning: swarm.burning.count,
      kernels: swarm.kernels,
      paused: frames.paused,
      speed: frames.speed,
      zoom: view?.camera.zoom,
      centre: view && [view.camera.x, view.camera.y],
    }
  })

/**
 * An agent that can be seen well: no other is near, nor does the panel cover it. Returns its handle, and where it is on
 * the screen.
 */
export const findLonely = (page, { hunter = false } = {}) =>
  page.evaluate((hunter) => {
    const { swarm, view, components } = demo
    const { camera } = view
    const canvas = document.querySelector('#view')
    const { left, top } = canvas.getBoundingClientRect()
    const agents = []
    for (const query of [swarm.flock, swarm.burning, swarm.hunters])
      for (const entity of query.entities()) {
        const { x, y } = swarm.world.get(entity, components.Position)
        agents.push({ entity, isHunter: query === swarm.hunters, x, y })
      }
    const onScreen = ({ x, y }) => ({
      x: left + camera.width / 2 + (x - camera.x) * camera.scale,
      y: top + camera.height / 2 + (y - camera.y) * camera.scale,
    })
    let best
    for (const agent of agents.filter(({ isHunter }) => isHunter === hunter)) {
      const place = onScreen(agent)
      if (document.elementFromPoint(place.x, place.y) !== canvas) continue
      let room = Infinity
      for (const other of agents)
        if (other !== agent) room = Math.min(room, Math.hypot(other.x - agent.x, other.y - agent.y))
      if (!best || room > best.room) best = { entity: agent.entity, room, ...place }
    }
    return best
  }, hunter)
