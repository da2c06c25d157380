// Owns the strata-ecs side of the cases that look into a large world, through `strata-ecs/inspect` as it is built. It must never
// keep what it has read: each look is a new one.
import { component, createWorld, f32, u16 } from '../../dist/index.js'
import { inspect } from '../../dist/inspect.js'
import { ARCHETYPES, ROWS, kindOf, offsetOf, speedOf, xOf } from '../cases/inspect.js'

const Position = component('Position', { x: f32, y: f32 })
const Velocity = component('Velocity', { x: f32, y: f32 })
const Health = component('Health', { hp: u16 })
const Ammunition = component('Ammunition', { rounds: u16 })
const KINDS = [
  [Position, Velocity],
  [Position, Velocity, Health],
  [Position, Velocity, Health, Ammunition],
]

function createView(size) {
  const world = createWorld()
  let i = 0
  for (let kind = 0; kind < ARCHETYPES; kind++) {
    let count = 0
    while (i + count < size && kindOf(i + count, size) === kind) count++
    world.spawnMany(count, KINDS[kind], (chunk) => {
      const { x } = chunk.write(Position)
      const { x: speed } = chunk.write(Velocity)
      for (let row = chunk.start; row < chunk.end; row++, i++) {
        x[row] = xOf(i)
        speed[row] = speedOf(i)
      }
    })
  }
  return inspect(world)
}

function page(size) {
  const view = createView(size)
  const found = view.find('Position & Velocity')
  let turn = 0
  function look(from) {
    const values = []
    for (const { entity } of found.rows(offsetOf(from, size), ROWS)) {
      for (const { component: name, values: fields } of view.entity(entity))
        if (name === 'Position' || name === 'Velocity') values.push(fields.x)
    }
    return values
  }
  return { run: () => look(turn++), result: () => look(0) }
}

function archetypes(size) {
  const view = createView(size)
  const look = () => view.archetypes().filter(({ entities }) => entities > 0)
  return { run: look, result: () => look().map(({ entities }) => entities) }
}

export const inspectWays = {
  'inspect-page': { 'find, rows, entity': page },
  'inspect-archetypes': { 'archetypes()': archetypes },
}
