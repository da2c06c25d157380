// Owns the start of strata-ecs, the compilation of its WebAssembly included. It must never import the library before it
// is asked to.
import { X, Y } from '../cases/startup.js'

function start() {
  let found
  async function run() {
    const { component, createWorld, f32 } = await import('../../dist/index.js')
    const Position = component('Position', { x: f32, y: f32 })
    const world = createWorld()
    const entity = world.spawn(Position({ x: X, y: Y }))
    found = world.get(entity, Position)
  }
  return { run, result: () => [found.x, found.y] }
}

export const ways = { startup: { createWorld: start } }
