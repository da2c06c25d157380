// Owns the start of wolf-ecs 2.1.3. It must never import the library before it is asked to.
import { X, Y } from '../cases/startup.js'

function start() {
  let read
  async function run() {
    const { ECS, types } = await import('wolf-ecs')
    const ecs = new ECS()
    const Position = ecs.defineComponent({ x: types.f32, y: types.f32 })
    const id = ecs.createEntity()
    ecs.addComponent(id, Position)
    Position.x[id] = X
    Position.y[id] = Y
    read = (field) => Position[field][id]
  }
  return { run, result: () => [read('x'), read('y')] }
}

export const ways = { startup: { 'new ECS': start } }
