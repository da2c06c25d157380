// Owns the start of the page: makes the swarm, what draws it, what controls it, and the frames.
// It must never simulate or draw by itself.

import { createSwarm } from './simulation/swarm.ts'

const swarm = createSwarm()

function frame() {
  swarm.step()
  requestAnimationFrame(frame)
}
requestAnimationFrame(frame)
