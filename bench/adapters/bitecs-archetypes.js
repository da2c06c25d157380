// Owns bitECS 0.4 in the cases with many combinations of components: typed arrays and `query`, as its docs recommend for
// speed. It has no archetypes: a tag is an empty component. It must never leave the query out of a frame.
import { Not, addComponent, addComponents, addEntity, asBuffer, createWorld, query } from 'bitecs'
import { fragmentedWays, tagsOf } from '../cases/fragmentation.js'
import { DT, startX, velocityX, velocityY, velocityZ } from '../cases/loop.js'
import { ARCHETYPES, RARE, START, TAGS, choiceOf } from '../cases/queries.js'

// An imported binding is read anew in every step; a constant of this module is not.
const dt = DT

const createMarks = (count) => Array.from({ length: count }, () => ({}))

function fragmented(size, tags, numberOf) {
  const world = createWorld()
  const vector = () => ({
    x: new Float32Array(size + 1),
    y: new Float32Array(size + 1),
    z: new Float32Array(size + 1),
  })
  const [Position, Velocity] = [vector(), vector()]
  const marks = createMarks(tags)
  const { x: px, y: py, z: pz } = Position
  const { x: vx, y: vy, z: vz } = Velocity
  const ids = Array.from({ length: size }, (_, i) => {
    const id = addEntity(world)
    addComponents(world, id, Position, Velocity, ...tagsOf(numberOf(i), marks))
    px[id] = startX(i)
    vx[id] = velocityX(i)
    vy[id] = velocityY(i)
    vz[id] = velocityZ(i)
    return id
  })
  return {
    run() {
      const moving = query(world, [Position, Velocity], asBuffer)
      for (let i = 0; i < moving.length; i++) {
        const id = moving[i]
        px[id] += vx[id] * dt
        py[id] += vy[id] * dt
        pz[id] += vz[id] * dt
      }
    },
    result: () => ids.flatMap((id) => [px[id], py[id], pz[id]]),
  }
}

function createRare() {
  const world = createWorld()
  const Position = { x: new Float32Array(ARCHETYPES + 1) }
  const Rare = { value: new Int32Array(ARCHETYPES + 1) }
  const marks = createMarks(TAGS)
  for (let number = 0; number < ARCHETYPES; number++) {
    const id = addEntity(world)
    addComponents(world, id, Position, ...tagsOf(number, marks))
    if (number !== RARE) continue
    addComponent(world, id, Rare)
    Rare.value[id] = START
  }
  return { world, Position, Rare, marks }
}

function newQuery() {
  const { world, Position, Rare, marks } = createRare()
  let asked = 0
  let found = 0
  return {
    run() {
      const { present, absent } = choiceOf(++asked, marks)
      const terms = [Position, Rare, ...present, ...absent.map((mark) => Not(mark))]
      found += query(world, terms, asBuffer).length
    },
    result: () => [found],
  }
}

function rareQuery() {
  const { world, Position, Rare } = createRare()
  const { value } = Rare
  return {
    run() {
      const ids = query(world, [Position, Rare], asBuffer)
      for (let i = 0; i < ids.length; i++) value[ids[i]] += 1
    },
    result: () => Array.from(query(world, [Position, Rare]), (id) => value[id]),
  }
}

export const archetypeWays = {
  ...fragmentedWays({ 'query + SoA': fragmented }),
  'query-new': { query: newQuery },
  'query-rare': { query: rareQuery },
}
