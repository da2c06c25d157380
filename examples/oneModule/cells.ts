// Shows the life of cells, all of it inside wasm: born, feeding, dividing, dead. It never calls JavaScript.

import { Bundle, Component, NULL_ENTITY, Query, World, randomFloat } from 'strata-ecs/assembly'

export * from 'strata-ecs/assembly/module'

/** What a division costs each of the two, and what a cell takes in a day where it is alone. */
const SHARE: f32 = 0.5
const FOOD: f32 = 0.3
const UPKEEP: f32 = 0.1
const RIPE: f32 = 2
const OLD: u32 = 60

// Set by start(). Cell is { x: f32, energy: f32, age: u32 }; a field is named by its place.
let Cell: Component = 0
let cell: Bundle = Bundle.none
let cells: Query = Query.none
const X = 0
const ENERGY = 1
const AGE = 2

/** Call it first, and again after world.reset(). False when memory ends. */
export function start(component: Component): bool {
  Cell = component
  cell = Bundle.of(Cell)
  cells = Query.with(Cell).open()
  return !cell.isNull && !cells.isNull
}

/** Sows cells in a dish of length 1: how many there was room for. */
export function sow(count: u32): u32 {
  for (let i: u32 = 0; i < count; i++) {
    const entity = World.spawn(cell)
    if (entity == NULL_ENTITY) return i
    World.set<f32>(entity, Cell, X, randomFloat(1, i))
    World.set<f32>(entity, Cell, ENERGY, 1)
  }
  return count
}

/** One day: how many cells there are at its end. */
export function day(): u32 {
  // The more there are, the less each of them finds.
  const food = FOOD * (1 - <f32>cells.count / 20000)
  cells.begin()
  while (cells.next()) {
    const rows = cells.rows
    const x = cells.read<f32>(Cell, X)
    const energy = cells.write<f32>(Cell, ENERGY)
    const age = cells.write<u32>(Cell, AGE)
    const entities = cells.entities
    for (let i = rows.start; i < rows.end; i++) {
      energy[i] += food * randomFloat(World.tick, entities[i]) - UPKEEP
      age[i] += 1
      if (energy[i] < 0 || age[i] > OLD) World.destroy(entities[i])
      else if (energy[i] > RIPE) {
        energy[i] *= SHARE
        const child = World.spawn(cell)
        World.set<f32>(child, Cell, X, x[i])
        World.set<f32>(child, Cell, ENERGY, energy[i])
      }
    }
  }
  World.advance()
  return cells.count
}
