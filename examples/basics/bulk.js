// Shows changes of many entities in one call: by a count, by a list of handles, and by a query.

import {
  addMany,
  component,
  createWorld,
  destroyMany,
  f32,
  removeMany,
  spawnMany,
  tag,
  u16,
} from 'strata-ecs'

const Position = component('Position', { x: f32 })
const Health = component('Health', { hp: u16 })
const Burning = tag('Burning')
const Ash = tag('Ash')

const world = createWorld()

// The callback fills columns, chunk by chunk; no object is made for an entity.
let placed = 0
const trees = spawnMany(world, 10_000, [Position, Health({ hp: 30 })], (chunk) => {
  const { x } = chunk.write(Position)
  for (let i = chunk.start; i < chunk.end; i++) x[i] = placed++
})
console.log(trees.length, world.get(trees[9_999], Position)) // 10000 { x: 9999 }

// A list of handles may be an array or a typed array. Handles of the dead in it are passed over.
world.destroy(trees[0])
console.log(addMany(world, trees.subarray(0, 100), Burning)) // 99

// A query changes everything that it matches. Here rows are not even touched: whole archetypes change.
const burning = world.query(Health, Burning)
for (let day = 1; burning.count > 0; day++) {
  for (const chunk of burning) {
    const { hp } = chunk.write(Health)
    for (let i = chunk.start; i < chunk.end; i++) hp[i] -= 10
  }
  // What burnt down: a condition narrows a query, and the result is a query, too.
  const down = burning.where(Health, 'hp', '==', 0).entities().slice()
  addMany(world, down, Ash)
  removeMany(world, down, Burning, Health)
  console.log(`day ${day}: ${burning.count} burn, ${world.query(Ash).count} are ash`)
}
// output: day 1: 99 burn, 0 are ash
// output: day 2: 99 burn, 0 are ash
// output: day 3: 0 burn, 99 are ash

console.log(destroyMany(world.query(Ash)), world.query(Position).count) // 99 9900
