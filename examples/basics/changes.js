// Shows how to find out what changed since one looked last, without asking every entity.

import { added, changed, component, createAccessor, createWorld, f32, u16 } from 'strata-ecs'

// With `trackChanges: 'row'` a query finds the very rows that changed; without it, the chunks in which they lie.
const Position = component('Position', { x: f32 }, { trackChanges: 'row' })
const Health = component('Health', { hp: u16 }, { trackChanges: 'row' })

const world = createWorld()
const [ann, bob, eve] = ['Ann', 'Bob', 'Eve'].map(() => world.spawn(Position, Health({ hp: 10 })))

// Each of these queries has a memory of its own: keep it, and look once a frame.
const moved = world.query(changed(Position))
const isNew = world.query(added(Health))
const hurt = world.query(changed(Health, { added: false }), Position)

// The first look finds everything.
console.log(moved.count, isNew.count, hurt.count) // 3 3 0
for (const query of [moved, isNew, hurt]) query.each(() => {})

world.set(ann, Position, { x: 1 })
createAccessor(world, Health).of(bob).hp -= 3
const dan = world.spawn(Position, Health({ hp: 7 }))

const names = new Map([
  [ann, 'Ann'],
  [bob, 'Bob'],
  [eve, 'Eve'],
  [dan, 'Dan'],
])
const list = (query) => Array.from(query.entities(), (entity) => names.get(entity)).join(' and ')

// `count` only looks ahead; a loop, or `entities()`, uses up what it finds.
console.log(moved.count, list(moved)) // 2 Ann and Dan
console.log(list(isNew)) // Dan
console.log(list(hurt)) // Bob
console.log(moved.count, isNew.count, hurt.count) // 0 0 0

// What a loop writes itself, it does not find again.
world.set(eve, Health, { hp: 1 })
hurt.each((entity, health) => {
  health.hp = 10
})
console.log(world.get(eve, Health), hurt.count) // { hp: 10 } 0
