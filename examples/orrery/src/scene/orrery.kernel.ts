// The inner loops: where each body is beside its parent, in the world, and in the list that is drawn.

import {
  ParentColumn,
  ReadonlyColumn,
  ReadonlyVec16Column,
  Resource,
  Rows,
  Vec16Column,
  cos,
  exp,
  sin,
} from 'strata-ecs/kernel'

const TURN: f32 = 6.283185307179586
/** Seconds after which a body has drifted to its new circle. */
const DRIFT: f64 = 12

/** Each body on its circle, at a time in seconds. */
export function turn(
  rows: Rows,
  local: Vec16Column<f32>,
  phase: ReadonlyColumn<f64>,
  speed: ReadonlyColumn<f64>,
  tilt: ReadonlyColumn<f32>,
  radius: ReadonlyColumn<f32>,
  before: ReadonlyColumn<f32>,
  since: ReadonlyColumn<f64>,
  time: f64,
): void {
  for (let i = rows.start; i < rows.end; i++) {
    const turns = phase[i] + speed[i] * time
    const angle = f32(turns - Math.floor(turns)) * TURN
    const c = cos(angle)
    const s = sin(angle)
    const ct = cos(tilt[i])
    const st = sin(tilt[i])
    const age = time - since[i]
    let r = radius[i]
    if (age < DRIFT) r += (before[i] - r) * exp(f32(-age))
    const m = local[i]
    m[0] = c
    m[1] = st * s
    m[2] = -ct * s
    m[3] = 0
    m[4] = 0
    m[5] = ct
    m[6] = st
    m[7] = 0
    m[8] = s
    m[9] = -st * c
    m[10] = ct * c
    m[11] = 0
    m[12] = c * r
    m[13] = st * s * r
    m[14] = -ct * s * r
    m[15] = 1
  }
}

/** Each body in the world: its parent's matrix times its own. */
export function place(
  rows: Rows,
  world: Vec16Column<f32>,
  local: ReadonlyVec16Column<f32>,
  parent: ParentColumn<f32>,
): void {
  for (let i = rows.start; i < rows.end; i++) {
    const to = changetype<usize>(world[i])
    const own = changetype<usize>(local[i])
    if (!parent.has(i)) {
      memory.copy(to, own, 64)
      continue
    }
    const above = changetype<usize>(parent[i])
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
}

/** Where each body is, as the graphics card wants it. */
export function show(
  rows: Rows,
  world: ReadonlyVec16Column<f32>,
  slot: ReadonlyColumn<u32>,
  places: Resource<f32>,
): void {
  for (let i = rows.start; i < rows.end; i++)
    v128.store(
      changetype<usize>(places) + ((<usize>slot[i]) << 4),
      v128.load(changetype<usize>(world[i]), 48),
    )
}
