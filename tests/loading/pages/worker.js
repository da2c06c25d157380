// A world inside a module worker. It names the package by its path, since import maps do not apply here.

import { component, createWorld, f32, spawnMany } from '/node_modules/strata-ecs/dist/index.js'

const Position = component('Position', { x: f32 })
const world = createWorld()
spawnMany(world, 1_000, [Position({ x: 0.5 })])
let sum = 0
world.query(Position).each((_, position) => (sum += position.x))
globalThis.postMessage({ sum })
