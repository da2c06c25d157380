// Owns piecs 0.4 in the cases with many archetypes: prefabricated ones and registered systems, values in arrays by entity
// id, as piecs stores ids only. It must never leave the values out. A query is part of a system, and none can be taken
// away again: there is no way of asking a new one each time.
import { World, createEntitySystem } from 'piecs/dist/index.mjs'
import { fragmentedWays, tagsOf } from '../cases/fragmentation.js'
import { DT, startX, velocityX, velocityY, velocityZ } from '../cases/loop.js'

// An imported binding is read anew in every step; a constant of this module is not.
const dt = DT

const createMarks = (world, count) => Array.from({ length: count }, () => world.createComponentId())

/** Made once for each archetype: the library looks for it among all others. */
function prefabricator(world, components, marks) {
  const known = new Map()
  return (number) => {
    if (!known.has(number)) known.set(number, world.prefabricate([...components, ...tagsOf(number, marks)]))
    return known.get(number)
  }
}

function fragmented(size, tags, numberOf) {
  const world = new World()
  const [Position, Velocity] = createMarks(world, 2)
  const archetypeOf = prefabricator(world, [Position, Velocity], createMarks(world, tags))
  const [px, py, pz, vx, vy, vz] = Array.from({ length: 6 }, () => new Float32Array(size))
  const move = createEntitySystem(
    (entities) => {
      for (let i = 0, l = entities.length; i < l; i++) {
        const id = entities[i]
        px[id] += vx[id] * dt
        py[id] += vy[id] * dt
        pz[id] += vz[id] * dt
      }
    },
    (query) => query.every(Position, Velocity),
  )
  world.registerSystem(move).initialize()
  const ids = Array.from({ length: size }, (_, i) => {
    const id = world.createEntity(archetypeOf(numberOf(i)))
    px[id] = startX(i)
    vx[id] = velocityX(i)
    vy[id] = velocityY(i)
    vz[id] = velocityZ(i)
    return id
  })
  return { run: () => world.update(), result: () => ids.flatMap((id) => [px[id], py[id], pz[id]]) }
}

export const archetypeWays = fragmentedWays({ system: fragmented })
