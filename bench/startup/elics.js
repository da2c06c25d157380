// Owns the start of EliCS 3.4. It must never import the library before it is asked to.
import { X, Y } from '../cases/startup.js'

function start() {
  let read
  async function run() {
    const { Types, World, createComponent } = await import('elics')
    const number = { type: Types.Float32, default: 0 }
    const Position = createComponent('Position', { x: number, y: number })
    const world = new World({ checksOn: false }).registerComponent(Position)
    const entity = world.createEntity().addComponent(Position, { x: X, y: Y })
    read = (field) => entity.getValue(Position, field)
  }
  return { run, result: () => [read('x'), read('y')] }
}

export const ways = { startup: { 'new World': start } }
