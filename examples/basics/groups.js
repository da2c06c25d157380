// Shows components that come and go often: pools, one order for several of them, and rows in the order of a field.

import {
  addMany,
  component,
  createWorld,
  f32,
  createGroup,
  sortRows,
  sortedEntities,
  sparse,
  spawnMany,
  u16,
} from 'strata-ecs'

// A sparse component lies in a pool of its own: adding it moves no other component of the entity.
const Body = component('Body', { x: f32 }, { storage: sparse })
const Speed = component('Speed', { x: f32 }, { storage: sparse })
const Depth = component('Depth', { z: u16 }, { storage: sparse })

const world = createWorld()
// In a group the rows of both pools lie side by side: a loop reads columns, as in an archetype.
const moving = createGroup(world, Body, Speed)

const stones = spawnMany(world, 1000, [Body])
addMany(world, stones.subarray(0, 10), Speed({ x: 2 }))
for (const chunk of moving) {
  const { x } = chunk.write(Body)
  const speed = chunk.read(Speed)
  for (let i = chunk.start; i < chunk.end; i++) x[i] += speed.x[i]
}
console.log(moving.count, world.get(stones[0], Body), world.get(stones[10], Body)) // 10 { x: 2 } { x: 0 }

// A pool can be sorted, and then a loop visits it in that order: here from the back to the front.
const layers = [3, 1, 2].map((z) => world.spawn(Depth({ z })))
sortRows(world, Depth, 'z', { order: 'descending' })
const order = []
world.query(Depth).each((entity, depth) => order.push(depth.z))
console.log(order.join(), world.query(Depth).first() === layers[0]) // 3,2,1 true

// Where only a list is wanted, no row needs to move.
const nearest = sortedEntities(world.query(Depth), Depth, 'z', { limit: 2 })
console.log(Array.from(nearest, (entity) => world.get(entity, Depth).z).join()) // 1,2
