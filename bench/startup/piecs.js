// Owns the start of piecs 0.4. It must never import the library before it is asked to.
import { X, Y } from '../cases/startup.js'

function start() {
  const position = { x: [], y: [] }
  let id
  async function run() {
    const { World } = await import('piecs/dist/index.mjs')
    const world = new World()
    const archetype = world.prefabricate([world.createComponentId()])
    world.initialize()
    id = world.createEntity(archetype)
    position.x[id] = X
    position.y[id] = Y
  }
  return { run, result: () => [position.x[id], position.y[id]] }
}

export const ways = { startup: { 'new World': start } }
