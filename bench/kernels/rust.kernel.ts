// Owns the kernel of heavy_compute: bench/cases/matrix.js in f32. It must never do anything that the other ways of that
// case do not.

import { Column, Rows, Vec16Column } from 'strata-ecs/kernel'

export function compute(
  rows: Rows,
  px: Column<f32>,
  py: Column<f32>,
  pz: Column<f32>,
  matrix: Vec16Column<f32>,
  inversions: i32,
): void {
  for (let i = rows.start; i < rows.end; i++) {
    const m = matrix[i]
    for (let turn = 0; turn < inversions; turn++) {
      const a00 = m[0]
      const a01 = m[1]
      const a02 = m[2]
      const a03 = m[3]
      const a10 = m[4]
      const a11 = m[5]
      const a12 = m[6]
      const a13 = m[7]
      const a20 = m[8]
      const a21 = m[9]
      const a22 = m[10]
      const a23 = m[11]
      const a30 = m[12]
      const a31 = m[13]
      const a32 = m[14]
      const a33 = m[15]
      // The determinants of two by two, of the upper half and of the lower.
      const s0 = a00 * a11 - a10 * a01
      const s1 = a00 * a12 - a10 * a02
      const s2 = a00 * a13 - a10 * a03
      const s3 = a01 * a12 - a11 * a02
      const s4 = a01 * a13 - a11 * a03
      const s5 = a02 * a13 - a12 * a03
      const c5 = a22 * a33 - a32 * a23
      const c4 = a21 * a33 - a31 * a23
      const c3 = a21 * a32 - a31 * a22
      const c2 = a20 * a33 - a30 * a23
      const c1 = a20 * a32 - a30 * a22
      const c0 = a20 * a31 - a30 * a21
      const scale: f32 = 1 / (s0 * c5 - s1 * c4 + s2 * c3 + s3 * c2 - s4 * c1 + s5 * c0)
      m[0] = (a11 * c5 - a12 * c4 + a13 * c3) * scale
      m[1] = (a02 * c4 - a01 * c5 - a03 * c3) * scale
      m[2] = (a31 * s5 - a32 * s4 + a33 * s3) * scale
      m[3] = (a22 * s4 - a21 * s5 - a23 * s3) * scale
      m[4] = (a12 * c2 - a10 * c5 - a13 * c1) * scale
      m[5] = (a00 * c5 - a02 * c2 + a03 * c1) * scale
      m[6] = (a32 * s2 - a30 * s5 - a33 * s1) * scale
      m[7] = (a20 * s5 - a22 * s2 + a23 * s1) * scale
      m[8] = (a10 * c4 - a11 * c2 + a13 * c0) * scale
      m[9] = (a01 * c2 - a00 * c4 - a03 * c0) * scale
      m[10] = (a30 * s4 - a31 * s2 + a33 * s0) * scale
      m[11] = (a21 * s2 - a20 * s4 - a23 * s0) * scale
      m[12] = (a11 * c1 - a10 * c3 - a12 * c0) * scale
      m[13] = (a00 * c3 - a01 * c1 + a02 * c0) * scale
      m[14] = (a31 * s1 - a30 * s3 - a32 * s0) * scale
      m[15] = (a20 * s3 - a21 * s1 + a22 * s0) * scale
    }
    const x = px[i]
    const y = py[i]
    const z = pz[i]
    px[i] = m[0] * x + m[4] * y + m[8] * z
    py[i] = m[1] * x + m[5] * y + m[9] * z
    pz[i] = m[2] * x + m[6] * y + m[10] * z
  }
}
