// Shows who is near: entities sorted into the cells of a grid, anew in each step, in two typed arrays and two passes.

import { getColumn, component, createWorld, f32, maxOf, minOf, spawnMany, sumOf, u16 } from 'strata-ecs'

const Position = component('Position', { x: f32, y: f32 })
const Neighbours = component('Neighbours', { count: u16 })

const SIZE = 100 // of the square in which everything lies
const RADIUS = 4 // who is at most so far away is near
const COLUMNS = Math.floor(SIZE / RADIUS)
const cellOf = (at) => Math.min(COLUMNS - 1, Math.max(0, Math.floor((at / SIZE) * COLUMNS)))

const world = createWorld()
const all = world.query(Position, Neighbours)

// A lattice of 50 by 50 points.
let placed = 0
spawnMany(world, 2500, [Position, Neighbours], (chunk) => {
  const { x, y } = chunk.write(Position)
  for (let i = chunk.start; i < chunk.end; i++, placed++) {
    x[i] = (placed % 50) * 2
    y[i] = Math.floor(placed / 50) * 2
  }
})

/** Sorts points by cell: `starts[cell]` is where its points begin in `order`. */
function sortIntoCells(xs, ys) {
  const starts = new Uint32Array(COLUMNS * COLUMNS + 1)
  const cells = Uint32Array.from(xs, (x, i) => cellOf(ys[i]) * COLUMNS + cellOf(x))
  for (const cell of cells) starts[cell + 1]++
  for (let cell = 0; cell < COLUMNS * COLUMNS; cell++) starts[cell + 1] += starts[cell]
  const next = starts.slice()
  const order = new Uint32Array(cells.length)
  cells.forEach((cell, i) => (order[next[cell]++] = i))
  return { starts, order }
}

function countNeighbours() {
  // Columns of all rows, in the order in which a loop visits them.
  const [xs, ys] = [getColumn(all, Position, 'x'), getColumn(all, Position, 'y')]
  const { starts, order } = sortIntoCells(xs, ys)
  let row = 0
  for (const chunk of all) {
    const { count } = chunk.write(Neighbours)
    for (let i = chunk.start; i < chunk.end; i++, row++) {
      let near = 0
      const [column, line] = [cellOf(xs[row]), cellOf(ys[row])]
      for (let y = Math.max(0, line - 1); y <= Math.min(COLUMNS - 1, line + 1); y++) {
        const from = starts[y * COLUMNS + Math.max(0, column - 1)]
        const to = starts[y * COLUMNS + Math.min(COLUMNS - 1, column + 1) + 1]
        for (let k = from; k < to; k++) {
          const other = order[k]
          const distance = (xs[other] - xs[row]) ** 2 + (ys[other] - ys[row]) ** 2
          if (other !== row && distance <= RADIUS ** 2) near++
        }
      }
      count[i] = near
    }
  }
}

countNeighbours()
// In the middle of the lattice there are 12 points within two steps of it, and at a corner 5.
console.log(maxOf(all, Neighbours, 'count'), minOf(all, Neighbours, 'count')) // 12 5
console.log(sumOf(all, Neighbours, 'count')) // 29004
