// The start of the page: makes the swarm, what draws it, what controls it, and the frames.

import { workers } from 'strata-ecs/workers'
import { element } from '../../page/page.ts'
import { readAddress, readMoment, type Shared } from './address.ts'
import { Frames } from './frames.ts'
import { createPanel } from './panel.ts'
import * as components from './simulation/components.ts'
import { Past } from './simulation/past.ts'
import { createSwarm } from './simulation/swarm.ts'
import { createView, NoWebGL, type View } from './view/view.ts'

const isSmall = matchMedia('(max-width: 719px), (pointer: coarse)').matches
const usual: Shared = {
  prey: isSmall ? 50_000 : 100_000,
  loops: false,
  single: false,
  speed: 1,
  // Who asks for less motion gets it when they press play.
  paused: matchMedia('(prefers-reduced-motion: reduce)').matches,
  tap: 'pick',
  seed: 1,
}
const shared = readAddress(location.hash, usual)

const pool = workers(shared.single ? { count: 0 } : {})
const swarm = createSwarm({
  prey: shared.prey,
  seed: shared.seed,
  kernels: !shared.loops,
  workers: pool,
})
const view = openView()
// Bytes for the last ten seconds: of 50,000 agents, or of 100,000, all of them.
const past = new Past(swarm, isSmall ? 80e6 : 128e6)
const frames = new Frames(
  () => past.step(),
  (ahead) => view?.draw(ahead),
)
Object.assign(frames, { speed: shared.speed, paused: shared.paused })
const tap = createPanel({
  swarm,
  pool,
  past,
  frames,
  view,
  usual,
  shared,
  moment: readMoment(location.hash),
})
frames.start()
/** For the console, and for tests: `demo.swarm.world.get(entity, demo.components.Position)` */
Object.assign(globalThis, { demo: { swarm, pool, view, frames, past, components, createSwarm } })

function openView(): View | undefined {
  try {
    return createView(element('#view', HTMLCanvasElement), swarm, (x, y, radius) => tap(x, y, radius))
  } catch (error) {
    if (!(error instanceof NoWebGL)) throw error
    const unseen = element('#unseen', HTMLParagraphElement)
    unseen.textContent = error.message
    unseen.hidden = false
    return undefined
  }
}
