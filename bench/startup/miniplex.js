// Owns the start of miniplex 2.0. It must never import the library before it is asked to.
import { X, Y } from '../cases/startup.js'

function start() {
  let found
  async function run() {
    const { World } = await import('miniplex')
    const world = new World()
    world.add({ position: { x: X, y: Y } })
    found = world.with('position').first.position
  }
  return { run, result: () => [found.x, found.y] }
}

export const ways = { startup: { 'new World': start } }
