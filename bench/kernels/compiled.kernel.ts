// The kernels of the cases `compiled-…`: the same bodies by hand. DT is a power of two: its products are exact, so f32 gives the bits
// of JavaScript, whether a body rounds them or not. What has other products is computed as f64, which is not done in lanes.

import { Column, Lanes, ReadonlyColumn, ReadonlyVec16Column, Rows, Vec4Column } from 'strata-ecs/kernel'

const DT: f32 = 1.0 / 64
const WALL: f32 = 90

export function move(
  rows: Lanes,
  ax: Column<f32>,
  ay: Column<f32>,
  bx: ReadonlyColumn<f32>,
  by: ReadonlyColumn<f32>,
): void {
  for (let i = rows.start; i < rows.end; i++) {
    ax[i] += bx[i] * DT
    ay[i] += by[i] * DT
  }
}

export function swap(rows: Lanes, ax: Column<f32>, ay: Column<f32>, bx: Column<f32>, by: Column<f32>): void {
  for (let i = rows.start; i < rows.end; i++) {
    const x = ax[i]
    const y = ay[i]
    ax[i] = bx[i]
    ay[i] = by[i]
    bx[i] = x
    by[i] = y
  }
}

export function bounce(
  rows: Lanes,
  ax: Column<f32>,
  ay: Column<f32>,
  bx: Column<f32>,
  by: Column<f32>,
): void {
  for (let i = rows.start; i < rows.end; i++) {
    ax[i] += bx[i] * DT
    ay[i] += by[i] * DT
    if (ax[i] < -WALL || ax[i] > WALL) bx[i] = -bx[i]
    if (ay[i] < -WALL || ay[i] > WALL) by[i] = -by[i]
  }
}

export function attract(
  rows: Rows,
  ax: ReadonlyColumn<f32>,
  ay: ReadonlyColumn<f32>,
  bx: Column<f32>,
  by: Column<f32>,
): void {
  for (let i = rows.start; i < rows.end; i++) {
    const x: f64 = ax[i]
    const y: f64 = ay[i]
    const square = x * x + y * y + 1
    const pull = <f64>DT / (square * Math.sqrt(square))
    bx[i] = <f32>(<f64>bx[i] - x * pull)
    by[i] = <f32>(<f64>by[i] - y * pull)
  }
}

export function shuffle(rows: Lanes, ax: Column<f32>): void {
  for (let i = rows.start; i < rows.end; i++) {
    let seed = <i32>ax[i]
    seed ^= seed << 13
    seed ^= seed >>> 17
    seed ^= seed << 5
    ax[i] = <f32>(seed >> 8)
  }
}

export function turn(rows: Rows, am: ReadonlyVec16Column<f32>, bv: Vec4Column<f32>): void {
  for (let i = rows.start; i < rows.end; i++) {
    const matrix = changetype<usize>(am[i])
    const vector = changetype<usize>(bv[i])
    let sum = f32x4.mul(v128.load(matrix), v128.load32_splat(vector))
    sum = f32x4.add(sum, f32x4.mul(v128.load(matrix, 16), v128.load32_splat(vector, 4)))
    sum = f32x4.add(sum, f32x4.mul(v128.load(matrix, 32), v128.load32_splat(vector, 8)))
    sum = f32x4.add(sum, f32x4.mul(v128.load(matrix, 48), v128.load32_splat(vector, 12)))
    v128.store(vector, sum)
  }
}
