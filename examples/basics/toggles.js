// Shows a component that is switched off and on: its values stay, and queries pass over it.

import { component, createWorld, enableMany, f32, not, present, spawnMany, toggle } from 'strata-ecs'

const Engine = component('Engine', { power: f32 }, { toggle })

const world = createWorld()
const ships = spawnMany(world, 4, [Engine({ power: 100 })])
const running = world.query(Engine)

// No row moves for it, so it is the right thing for what changes often: cooldowns, sleep, what is out of sight.
world.disable(ships[0], Engine)
world.disable(ships[1], Engine)
console.log(running.count, world.has(ships[0], Engine), world.isEnabled(ships[0], Engine)) // 2 true false

// What is switched off counts as missing. `present` asks whether it is there at all.
console.log(world.query(not(Engine)).count, world.query(present(Engine)).count) // 2 4

// Values can be read and written all the time.
world.set(ships[0], Engine, { power: 50 })
running.each((ship, engine) => {
  engine.power += 1
})
console.log(Array.from(ships, (ship) => world.get(ship, Engine).power).join()) // 50,100,101,101

// All at once: a query with `present` reaches what is off.
console.log(enableMany(world.query(present(Engine)), Engine), running.count) // 4 4
