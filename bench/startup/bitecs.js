// Owns the start of bitECS 0.4. It must never import the library before it is asked to.
import { X, Y } from '../cases/startup.js'

function start() {
  const Position = { x: [], y: [] }
  let id
  async function run() {
    const { addComponent, addEntity, createWorld } = await import('bitecs')
    const world = createWorld()
    id = addEntity(world)
    addComponent(world, id, Position)
    Position.x[id] = X
    Position.y[id] = Y
  }
  return { run, result: () => [Position.x[id], Position.y[id]] }
}

export const ways = { startup: { createWorld: start } }
