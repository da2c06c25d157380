// Owns becsy 0.16 in the cases of ddmills: every step of an iteration is a system, all in one frame, for queries are brought
// up to date before each system. It must never find the moving entities but by a query.
import { System, Type, World } from '@lastolivegames/becsy/lib/perf.js'
import { STEP_X, STEP_Y, ddmillsFrameWays } from '../cases/ddmills.js'

class Position {
  static schema = { x: Type.float32, y: Type.float32 }
  static options = { storage: 'sparse' }
}

class Velocity {
  static schema = { x: Type.float32, y: Type.float32 }
  static options = { storage: 'sparse' }
}

const STEP = { x: STEP_X, y: STEP_Y }

/** A system, after another one, that changes something. */
const changing = (change) => (Before) =>
  class extends System {
    entitled = this.query((q) => q.using(Position, Velocity).write)
    order = Before && this.schedule((s) => s.after(Before))
    execute() {
      change(this)
    }
  }

/** A system, after another one, that visits what moves. */
const visiting = (visit) => (Before) =>
  class extends System {
    moving = this.query((q) => q.current.with(Position).write.and.with(Velocity).read)
    order = Before && this.schedule((s) => s.after(Before))
    execute() {
      visit(this.moving.current)
    }
  }

/** Systems that run one after the other, made by the functions above. */
function inOrder(makers) {
  const systems = []
  for (const make of makers) systems.push(make(systems.at(-1)))
  return systems
}

async function createScene(kind, capacity) {
  let first
  let found
  let updates
  const on = { spawn: true, destroy: true }
  const spawnMoving = (system) => system.createEntity(Position, Velocity, STEP)
  const spawnFirst = changing((system) => on.spawn && (first = spawnMoving(system).hold()))
  const spawnAnother = changing((system) => void spawnMoving(system))
  const takePosition = changing(() => first.remove(Position))
  const destroyFirst = changing(() => on.destroy && first.delete())
  const watch = visiting((moving) => (found = moving))
  const move = visiting((moving) => {
    found = moving
    updates += moving.length
    for (const entity of moving) {
      const p = entity.write(Position)
      const v = entity.read(Velocity)
      p.x += v.x
      p.y += v.y
    }
  })
  const kinds = {
    'add-remove': [spawnFirst, spawnAnother, move, takePosition, move, destroyFirst],
    destroy: [spawnFirst, watch, destroyFirst],
    velocity: [spawnAnother, move],
  }
  // Removed entities are kept for two frames.
  const maxEntities = capacity + 16
  const defs = [Position, Velocity, inOrder(kinds[kind])]
  const world = await World.create({ defs, maxEntities, maxLimboComponents: maxEntities * 4 })
  async function iterate() {
    updates = 0
    await world.execute()
    return updates
  }
  async function frameWith(which) {
    Object.assign(on, { spawn: false, destroy: false }, which)
    await world.execute()
    Object.assign(on, { spawn: true, destroy: true })
    return found.length
  }
  async function single() {
    const count = await frameWith({ spawn: true })
    const { x, y } = first.read(Velocity)
    await frameWith({ destroy: true })
    return [count, x + y, await frameWith({})]
  }
  function sums() {
    const positions = Array.from(found, (entity) => ({ ...entity.read(Position) }))
    return ['x', 'y'].map((axis) => positions.reduce((sum, position) => sum + position[axis], 0))
  }
  return { iterate, count: () => found.length, sums, single, dispose: () => world.terminate() }
}

export const ddWays = ddmillsFrameWays('a system for each step', createScene)
