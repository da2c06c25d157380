// Owns the kernels of the mixed frame: six of its seven systems; what is drawn lies outside of the world. They must never
// do anything that the other ways of that case do not. Whole numbers that are divided, and f64, have no lanes.

import { Column, Lanes, ReadonlyColumn, Rows } from 'strata-ecs/kernel'

const DEAD: i32 = 1
const SPAWN: i32 = 0
const ALIVE: i32 = 2
const MONSTER: i32 = 1
const HERO: i32 = 2

export function move(
  rows: Lanes,
  px: Column<f32>,
  py: Column<f32>,
  vx: ReadonlyColumn<f32>,
  vy: ReadonlyColumn<f32>,
  dt: f32,
): void {
  for (let i = rows.start; i < rows.end; i++) {
    px[i] += vx[i] * dt
    py[i] += vy[i] * dt
  }
}

export function count(
  rows: Rows,
  thingy: Column<i32>,
  dingy: Column<f64>,
  mingy: Column<bool>,
  step: f64,
): void {
  for (let i = rows.start; i < rows.end; i++) {
    thingy[i] += 1
    dingy[i] += step
    mingy[i] = !mingy[i]
  }
}

function nextSeed(seed: i32): i32 {
  seed ^= seed << 13
  seed ^= seed >>> 17
  return seed ^ (seed << 5)
}

function speedOf(seed: i32, span: i32): f32 {
  return <f32>(((seed >>> 8) % (2 * span + 1)) - span)
}

export function turn(
  rows: Rows,
  px: ReadonlyColumn<f32>,
  py: ReadonlyColumn<f32>,
  vx: Column<f32>,
  vy: Column<f32>,
  seed: Column<i32>,
  thingy: ReadonlyColumn<i32>,
): void {
  for (let i = rows.start; i < rows.end; i++) {
    if (thingy[i] % 10 != 0) continue
    const first = nextSeed(seed[i])
    const second = nextSeed(first)
    const wide = px[i] > py[i]
    vx[i] = speedOf(first, wide ? 5 : 10)
    vy[i] = speedOf(second, wide ? 10 : 5)
    seed[i] = second
  }
}

export function heal(rows: Lanes, hp: Column<i32>, maximum: ReadonlyColumn<i32>, status: Column<u8>): void {
  for (let i = rows.start; i < rows.end; i++) {
    const had: i32 = hp[i]
    const was: i32 = status[i]
    const dies = had <= 0 && was != DEAD
    const returns = was == DEAD && had == 0
    const full = returns || (had >= maximum[i] && was != ALIVE)
    hp[i] = dies ? 0 : full ? maximum[i] : had
    status[i] = <u8>(dies ? DEAD : returns ? SPAWN : ALIVE)
  }
}

export function fight(
  rows: Lanes,
  hp: Column<i32>,
  attack: ReadonlyColumn<i32>,
  defence: ReadonlyColumn<i32>,
): void {
  for (let i = rows.start; i < rows.end; i++) {
    const damage = attack[i] - defence[i]
    if (hp[i] > 0 && damage > 0) hp[i] = max(hp[i] - damage, 0)
  }
}

export function dress(
  rows: Lanes,
  type: ReadonlyColumn<u8>,
  status: ReadonlyColumn<u8>,
  character: Column<u8>,
): void {
  for (let i = rows.start; i < rows.end; i++) {
    const now: i32 = status[i]
    const kind: i32 = type[i]
    const living: i32 = kind == HERO ? 0x40 : kind == MONSTER ? 0x6b : 0x68
    character[i] = <u8>(now == DEAD ? 0x7c : now == SPAWN ? 0x5f : living)
  }
}
