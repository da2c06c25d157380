// Owns the start of the page: makes the swarm, what draws it, what controls it, and the frames.
// It must never simulate or draw by itself.

import { createSwarm } from './simulation/swarm.ts'
import { createView } from './view/view.ts'

const swarm = createSwarm()
const canvas = document.querySelector<HTMLCanvasElement>('#view')!
const view = createView(canvas, swarm, { tap: (x, y, radius) => (view.marked = swarm.nearest(x, y, radius)) })
canvas.style.cssText = 'position: fixed; inset: 0; width: 100%; height: 100%'

function frame() {
  swarm.step()
  view.draw(0)
  requestAnimationFrame(frame)
}
;(globalThis as any).demo = { swarm, view }
requestAnimationFrame(frame)
