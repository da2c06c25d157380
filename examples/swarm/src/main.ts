// Owns the start of the page: makes the swarm, what draws it, what controls it, and the frames.
// It must never simulate or draw by itself.

import { Frames } from './frames.ts'
import { readAddress, type Shared } from './panel/address.ts'
import { element } from './panel/element.ts'
import { readMoment } from './panel/moment.ts'
import { createPanel, type Panel } from './panel/panel.ts'
import * as components from './simulation/components.ts'
import { Past } from './simulation/past.ts'
import { createSwarm, type Swarm } from './simulation/swarm.ts'
import { createView, NoWebGL, type View } from './view/view.ts'

declare global {
  /** For whoever tries things in the console, and for tests. */
  var demo: {
    readonly swarm: Swarm
    readonly view: View | undefined
    readonly frames: Frames
    /** The last ten seconds: `demo.past.goTo(demo.past.oldest)` */
    readonly past: Past
    /** `demo.swarm.world.get(entity, demo.components.Position)` */
    readonly components: typeof components
    /** Makes another world, that nobody sees. */
    readonly createSwarm: typeof createSwarm
  }
}

const isSmall = matchMedia('(max-width: 719px), (pointer: coarse)').matches
const usual: Shared = {
  prey: isSmall ? 50_000 : 100_000,
  loops: false,
  speed: 1,
  // Who asks for less motion gets it when they press play.
  paused: matchMedia('(prefers-reduced-motion: reduce)').matches,
  tap: 'pick',
  seed: 1,
}
const shared = readAddress(location.hash, usual)
const moment = readMoment(location.hash)
/** Bytes for the last ten seconds: of 50,000 agents, or of 100,000, all of them. */
const PAST_BYTES = isSmall ? 80e6 : 128e6

const swarm = createSwarm({ prey: shared.prey, seed: shared.seed, kernels: !shared.loops })
const view = openView()
const past = new Past(swarm, PAST_BYTES)
const frames = new Frames(past, (ahead) => view?.draw(ahead))
frames.speed = shared.speed
frames.paused = shared.paused
const panel: Panel = createPanel({ swarm, past, frames, view, usual, shared, moment })
frames.start()
globalThis.demo = { swarm, view, frames, past, components, createSwarm }

function openView(): View | undefined {
  try {
    return createView(element('view', HTMLCanvasElement), swarm, {
      tap: (x, y, radius) => panel.tap(x, y, radius),
    })
  } catch (error) {
    if (!(error instanceof NoWebGL)) throw error
    const unseen = element('unseen', HTMLParagraphElement)
    unseen.textContent = error.message
    unseen.hidden = false
    return undefined
  }
}
