// Owns how a place on the ground becomes an entity: cells are made once, in rows, and never destroyed.
// It must never keep what a cell holds, only handles: those can be read again from the world at any time.

import { Cell, Scent } from './components.js'
import { below, scatter } from './random.js'
import { LAND, SOURCE_RADIUS } from './settings.js'

/** The eight headings, clockwise from the east. */
export const DX = Int8Array.of(1, 1, 0, -1, -1, -1, 0, 1)
export const DY = Int8Array.of(0, 1, 1, 1, 0, -1, -1, -1)

/** The heading that leads from one place towards another; 0 where they are the same. */
export function headingTo(dx, dy) {
  return HEADINGS[(Math.sign(dy) + 1) * 3 + Math.sign(dx) + 1]
}

const HEADINGS = Uint8Array.of(5, 6, 7, 4, 0, 0, 3, 2, 1)

/** The handles of all cells, row by row: the entity at (x, y) is `cells[y * side + x]`. */
export function cellsOf(world) {
  return world.query(Cell, Scent).entities()
}

/**
 * Where the values of one field of all cells lie in the heap-wide arrays, `chunk.heap.f32` and its like: the value of
 * (x, y) is `heap[places[y * side + x]]`. Good for as long as no cell comes or goes, for rows do not move by themselves
 * and chunks never do. It is made for reading: what is written this way marks nothing changed.
 */
export function placesOf(world, component, field) {
  const cells = world.query(Cell, Scent)
  const places = new Uint32Array(cells.count)
  let next = 0
  for (const chunk of cells) {
    const first = chunk.index(component, field)
    for (let i = chunk.start; i < chunk.end; i++) places[next++] = first + i
  }
  return places
}

/**
 * A place where no plant stands, in the land around a nest: ants would never find one that stands on another.
 *
 * @param {{ x: number, y: number }} neighbour any place in that land
 * @param {number} bits 32 random ones
 */
export function freePlace(world, cells, side, neighbour, bits) {
  const ground = world.accessor(Cell)
  const left = neighbour.x - (neighbour.x % LAND)
  const top = neighbour.y - (neighbour.y % LAND)
  for (;;) {
    const x = left + below(bits, LAND)
    bits = scatter(bits)
    const y = top + below(bits, LAND)
    bits = scatter(bits)
    if (!world.isAlive(ground.of(cells[y * side + x]).source)) return { x, y }
  }
}

/** Lets a plant cover the cells around its place; a plant that stood there first keeps them. */
export function cover(world, cells, side, source, { x, y }) {
  const ground = world.accessor(Cell)
  for (let cy = Math.max(0, y - SOURCE_RADIUS); cy <= Math.min(side - 1, y + SOURCE_RADIUS); cy++) {
    for (let cx = Math.max(0, x - SOURCE_RADIUS); cx <= Math.min(side - 1, x + SOURCE_RADIUS); cx++) {
      const cell = ground.of(cells[cy * side + cx])
      if (!world.isAlive(cell.source)) cell.source = source
    }
  }
}
