// Owns woven 1.0 in the cases of ddmills, written as in woven's own benchmark: changes by the world's context, each seen by
// the system in the next frame, and a frame after every entity that is destroyed, so that its id comes back.
import {
  World,
  addComponent,
  createEntity,
  defineComponent,
  defineQuery,
  defineSystem,
  field,
  removeComponent,
  removeEntity,
} from '@woven-ecs/core'
import { STEP_X, STEP_Y, ddmillsFrameWays } from '../cases/ddmills.js'

const vector = () => defineComponent({ x: field.float32(), y: field.float32() })
const Position = vector()
const Velocity = vector()
const STEP = { x: STEP_X, y: STEP_Y }

async function createScene(kind, capacity) {
  const maxEntities = capacity + 16
  const world = new World([Position, Velocity], { threads: 1, maxEntities })
  const ctx = world._getContext()
  const moving = defineQuery((q) => q.with(Position, Velocity))
  let found
  const move = defineSystem((context) => {
    const { x, y } = Position._getInstance(context).buffer
    const { x: stepX, y: stepY } = Velocity._getInstance(context).buffer
    found = moving.current(context)
    for (let i = 0; i < found.length; i++) {
      const id = found[i]
      x[id] += stepX[id]
      y[id] += stepY[id]
    }
  })
  async function frame() {
    await world.execute(move)
    return found.length
  }
  function spawnMoving() {
    const id = createEntity(ctx)
    addComponent(ctx, id, Position)
    addComponent(ctx, id, Velocity, STEP)
    return id
  }
  const iterations = {
    async 'add-remove'() {
      const first = spawnMoving()
      spawnMoving()
      let updates = await frame()
      removeComponent(ctx, first, Position)
      updates += await frame()
      removeEntity(ctx, first)
      return updates
    },
    destroy() {
      removeEntity(ctx, spawnMoving())
      return frame()
    },
    velocity() {
      spawnMoving()
      return frame()
    },
  }
  async function single() {
    const last = spawnMoving()
    const { x, y } = Velocity.read(ctx, last)
    const count = await frame()
    removeEntity(ctx, last)
    return [count, x + y, await frame()]
  }
  function sums() {
    const { x, y } = Position._getInstance(ctx).buffer
    return [x, y].map((column) => found.reduce((sum, id) => sum + column[id], 0))
  }
  return {
    iterate: iterations[kind],
    count: () => found.length,
    sums,
    single,
    dispose: () => world.dispose(),
  }
}

export const ddWays = ddmillsFrameWays('a frame for each step', createScene)
