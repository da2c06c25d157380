// Owns the start of koota 0.6. It must never import the library before it is asked to.
import { X, Y } from '../cases/startup.js'

function start() {
  let found
  async function run() {
    const { createWorld, trait } = await import('koota')
    const Position = trait({ x: 0, y: 0 })
    found = createWorld()
      .spawn(Position({ x: X, y: Y }))
      .get(Position)
  }
  return { run, result: () => [found.x, found.y] }
}

export const ways = { startup: { createWorld: start } }
