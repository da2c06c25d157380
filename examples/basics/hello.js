// Shows a world, some entities with components, a query, and the two loops over it.

import { component, createWorld, f32, not, tag } from 'strata-ecs'

// Declarations hold no data: any number of worlds may use them.
const Position = component('Position', { x: f32, y: f32 })
const Velocity = component('Velocity', { x: f32, y: f32 })
const Frozen = tag('Frozen')

const world = createWorld()
const ship = world.spawn(Position({ x: 1 }), Velocity({ x: 2, y: 1 }))
const rock = world.spawn(Position({ x: 5, y: 5 }))
const comet = world.spawn(Position, Velocity({ x: 9 }), Frozen)

// A query is made once and used in each frame: it knows what matches, also what is spawned later.
const moving = world.query(Position, Velocity, not(Frozen))
console.log(moving.count, moving.first() === ship) // 1 true

// The friendly loop: an entity, and a cursor for each component.
moving.each((entity, position, velocity) => {
  position.x += velocity.x
  position.y += velocity.y
})
console.log(world.get(ship, Position)) // { x: 3, y: 1 }

// The fast loop: columns of a chunk, which are typed arrays over the memory of the world.
for (const chunk of moving) {
  const { x, y } = chunk.write(Position)
  const velocity = chunk.read(Velocity)
  for (let i = chunk.start; i < chunk.end; i++) {
    x[i] += velocity.x[i]
    y[i] += velocity.y[i]
  }
}
console.log(world.get(ship, Position)) // { x: 5, y: 2 }

// One entity at a time.
world.remove(comet, Frozen)
world.add(rock, Velocity({ y: -1 }))
world.set(ship, Velocity, { x: 0 })
console.log(moving.count, world.get(ship, Velocity)) // 3 { x: 0, y: 1 }

// A handle whose entity is gone stays gone, even when its place is used again.
world.destroy(rock)
const next = world.spawn(Position)
console.log(world.isAlive(rock), world.isAlive(next), world.get(rock, Position)) // false true undefined
