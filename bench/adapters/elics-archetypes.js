// Owns EliCS 3.4 in the cases with many combinations of components: systems that walk a query's set and write into
// `Component.data` by `entity.index`, checks off. Queries belong to systems, so that there is no way of asking a new one
// each time. It must never let a capacity be found too small: EliCS does not grow.
import { Types, World, createComponent, createSystem } from 'elics'
import { fragmentedWays, tagsOf } from '../cases/fragmentation.js'
import { DT, startX, velocityX, velocityY, velocityZ } from '../cases/loop.js'
import { ARCHETYPES, RARE, START, TAGS } from '../cases/queries.js'

const dt = DT
const number = { type: Types.Float32, default: 0 }
// Names are global to the library.
const Position = createComponent('FragmentedPosition', { x: number, y: number, z: number })
const Velocity = createComponent('FragmentedVelocity', { x: number, y: number, z: number })
const Rare = createComponent('Rare', { value: { type: Types.Int32, default: 0 } })
const marks = Array.from({ length: TAGS }, (_, bit) => createComponent(`Mark${bit}`, {}))

function createWorld(entityCapacity, components) {
  const world = new World({ entityCapacity, checksOn: false })
  for (const component of components) world.registerComponent(component)
  return world
}

class Move extends createSystem({ moving: { required: [Position, Velocity] } }) {
  update() {
    const { x: px, y: py, z: pz } = Position.data
    const { x: vx, y: vy, z: vz } = Velocity.data
    for (const { index } of this.queries.moving.entities) {
      px[index] += vx[index] * dt
      py[index] += vy[index] * dt
      pz[index] += vz[index] * dt
    }
  }
}

function fragmented(size, tags, numberOf) {
  const used = marks.slice(0, tags)
  const world = createWorld(size, [Position, Velocity, ...used]).registerSystem(Move)
  const entities = Array.from({ length: size }, (_, i) => {
    const entity = world
      .createEntity()
      .addComponent(Position, { x: startX(i) })
      .addComponent(Velocity, { x: velocityX(i), y: velocityY(i), z: velocityZ(i) })
    for (const mark of tagsOf(numberOf(i), used)) entity.addComponent(mark)
    return entity
  })
  const { x, y, z } = Position.data
  return {
    run: () => world.update(0, 0),
    result: () => entities.flatMap(({ index }) => [x[index], y[index], z[index]]),
  }
}

class Increase extends createSystem({ rare: { required: [Position, Rare] } }) {
  update() {
    const { value } = Rare.data
    for (const { index } of this.queries.rare.entities) value[index] += 1
  }
}

function rareQuery() {
  const world = createWorld(ARCHETYPES, [Position, Rare, ...marks]).registerSystem(Increase)
  for (let number = 0; number < ARCHETYPES; number++) {
    const entity = world.createEntity().addComponent(Position)
    for (const mark of tagsOf(number, marks)) entity.addComponent(mark)
    if (number === RARE) entity.addComponent(Rare, { value: START })
  }
  const { rare } = world.getSystem(Increase).queries
  return {
    run: () => world.update(0, 0),
    result: () => Array.from(rare.entities, (entity) => entity.getValue(Rare, 'value')),
  }
}

export const archetypeWays = {
  ...fragmentedWays({ 'systems, data arrays': fragmented }),
  'query-rare': { 'systems, data arrays': rareQuery },
}
