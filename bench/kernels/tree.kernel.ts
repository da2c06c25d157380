// The kernels of the case `tree`: the product of two matrices of 4 x 4, over the rows of a cascade, and over arrays in order.

import {
  Column,
  ParentColumn,
  ReadonlyColumn,
  ReadonlyResource,
  ReadonlyVec16Column,
  Resource,
  Rows,
  Vec16Column,
} from 'strata-ecs/kernel'

export function placeRows(
  rows: Rows,
  world: Vec16Column<f32>,
  local: ReadonlyVec16Column<f32>,
  parent: ParentColumn<f32>,
): void {
  for (let i = rows.start; i < rows.end; i++) {
    const to = changetype<usize>(world[i])
    const own = changetype<usize>(local[i])
    if (parent.has(i)) multiply(to, changetype<usize>(parent[i]), own)
    else memory.copy(to, own, 64)
  }
}

export function placeArrays(
  world: Resource<f32>,
  local: ReadonlyResource<f32>,
  parents: ReadonlyResource<i32>,
  count: i32,
): void {
  for (let i = 0; i < count; i++) {
    const to = changetype<usize>(world) + ((<usize>i) << 6)
    const own = changetype<usize>(local) + ((<usize>i) << 6)
    const parent = parents[i]
    if (parent >= 0) multiply(to, changetype<usize>(world) + ((<usize>parent) << 6), own)
    else memory.copy(to, own, 64)
  }
}

function multiply(to: usize, above: usize, own: usize): void {
  const x = v128.load(above)
  const y = v128.load(above, 16)
  const z = v128.load(above, 32)
  const w = v128.load(above, 48)
  for (let column: usize = 0; column < 64; column += 16) {
    const at = own + column
    let sum = f32x4.mul(x, v128.load32_splat(at))
    sum = f32x4.add(sum, f32x4.mul(y, v128.load32_splat(at, 4)))
    sum = f32x4.add(sum, f32x4.mul(z, v128.load32_splat(at, 8)))
    sum = f32x4.add(sum, f32x4.mul(w, v128.load32_splat(at, 12)))
    v128.store(to + column, sum)
  }
}

/** The same with points for matrices: where each is, from where its parent is. */
export function placePoints(
  rows: Rows,
  x: Column<f32>,
  y: Column<f32>,
  dx: ReadonlyColumn<f32>,
  dy: ReadonlyColumn<f32>,
  px: ParentColumn<f32>,
  py: ParentColumn<f32>,
): void {
  for (let i = rows.start; i < rows.end; i++) {
    let fromX: f32 = 0
    let fromY: f32 = 0
    if (px.has(i)) {
      fromX = px[i][0]
      fromY = py[i][0]
    }
    x[i] = fromX + dx[i]
    y[i] = fromY + dy[i]
  }
}
