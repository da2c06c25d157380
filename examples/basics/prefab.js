// Shows models that are kept out of every query, and copies of them with values of their own.

import { component, createWorld, f32, relation, cloneMany, sumOf, tag, u16 } from 'strata-ecs'

const Prefab = tag('Prefab', { excludeFromQueries: true })
const CopyOf = relation('CopyOf', { exclusive: true })
const Position = component('Position', { x: f32, y: f32 })
const Health = component('Health', { hp: u16 })
const Flying = tag('Flying')

const world = createWorld()
const wasp = world.spawn(Prefab, Position, Health({ hp: 3 }), Flying)
const bear = world.spawn(Prefab, Position, Health({ hp: 90 }))

/** Copies of a model, alive in the game, that remember what they are copies of. They leave the tag behind. */
function spawn(model, count, ...values) {
  return cloneMany(world, model, count, CopyOf(model), ...values)
}

spawn(wasp, 20, Position({ x: 5 }))
const [old] = spawn(bear, 2, Health({ hp: 40 }))
console.log(world.query(Health).count, world.query(Health, Flying).count) // 22 20
console.log(world.get(old, Health), world.get(bear, Health)) // { hp: 40 } { hp: 90 }

// A query that names the tag sees the models.
console.log(world.query(Health, Prefab).count) // 2

// What was learnt about wasps goes to all of them.
world.set(wasp, Health, { hp: 4 })
for (const copy of world.sources(wasp, CopyOf)) world.set(copy, Health, { hp: 4 })
console.log(sumOf(world.query(CopyOf(wasp), Health), Health, 'hp')) // 80
