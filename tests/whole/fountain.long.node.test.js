// Shows that kernels and JavaScript that rounds as they do come to the same world, to the last bit and over both cores: a fountain of
// drops that bounce, age and start again, and sparks that appear and vanish, with sines, chance, reductions and filters.

import { expect, it } from 'vitest'
import {
  component,
  createKernel,
  createSchedule,
  createWorld,
  destroyMany,
  f32,
  spawnMany,
  tag,
} from '../../bindings/index'
import { cos, random, randomFloat, sin } from '../../packages/compile/src/functions/functions'
import { kernelsOf } from '../support/kernels'

// No multiple of four: the last drops of a chunk do not fill the lanes.
const DROPS = 20_011
const FRAMES = 150
// Changes whenever the model does. It must be the same for every core, machine and Node version.
const RECORDED = '9d1e1062'

const { abs, floor, fround, sqrt } = Math
const TURN = 2 * Math.PI

const Position = component('Position', { x: f32, y: f32 })
const Velocity = component('Velocity', { x: f32, y: f32 })
const Life = component('Life', { left: f32 })
/** When its life is over a drop begins a new one at the nozzle; a spark, which glows, is destroyed. */
const Drop = tag('Drop')
const Glow = component('Glow', { heat: f32 })

// Metres and seconds. All are values that f32 holds exactly: kernels get them as they are here.
const dt = fround(1 / 60)
const wall = 8
const height = 0.5
const gravity = fround(9.81)
/** What part of its speed a particle loses on each metre, and what part is left after a bounce. */
const drag = fround(0.035)
const bounce = fround(0.45)
const [slowest, fastest, shortest, longest] = [10, 14.5, 2, 5]
/** Jets that the nozzle has, radians from one to the next, radians that a jet is wide. */
const [jets, gap, spread] = [7, fround(0.24), fround(0.09)]
/** What part of its heat a spark keeps from one frame to the next. */
const cooling = fround(0.965)

const KERNELS = `
import { cos, random, randomFloat, sin } from 'strata-ecs/kernel'

/** A frame of free flight through air, and bouncing off the walls and the floor. */
export function move(
  rows: Lanes,
  px: Column<f32>,
  py: Column<f32>,
  vx: Column<f32>,
  vy: Column<f32>,
  dt: f32,
  gravity: f32,
  drag: f32,
  wall: f32,
  bounce: f32,
): void {
  for (let i = rows.start; i < rows.end; i++) {
    let u = vx[i]
    let v = vy[i]
    const kept: f32 = 1 - drag * sqrt(u * u + v * v) * dt
    u *= kept
    v = v * kept - gravity * dt
    let x = px[i] + u * dt
    let y = py[i] + v * dt
    if (abs(x) > wall) {
      const side = x > 0 ? wall : -wall
      x = side - (x - side) * bounce
      u *= -bounce
    }
    // Many drops lie on the floor: choosing costs less than asking whether one of four does, as an if would.
    const low = y < 0
    y = low ? y * -bounce : y
    u = low ? u * bounce : u
    v = low ? v * -bounce : v
    px[i] = x
    py[i] = y
    vx[i] = u
    vy[i] = v
  }
}

/** Drops grow older by a frame; the dead come out of the nozzle again. Returns how many did. */
export function age(
  rows: Lanes,
  entities: Entities,
  left: Column<f32>,
  px: Column<f32>,
  py: Column<f32>,
  vx: Column<f32>,
  vy: Column<f32>,
  dt: f32,
  seed: u32,
  frame: u32,
  height: f32,
  aim: f32,
  jets: f32,
  gap: f32,
  spread: f32,
  slowest: f32,
  fastest: f32,
  shortest: f32,
  longest: f32,
): Count {
  let reborn: u32 = 0
  for (let i = rows.start; i < rows.end; i++) {
    left[i] -= dt
    if (left[i] <= 0) {
      const key = random(seed, entities[i])
      const counter = frame * 4
      const jet = floor(randomFloat(key, counter) * jets) - (jets - 1) * 0.5
      const angle = aim + jet * gap + (randomFloat(key, counter + 1) - 0.5) * spread
      const speed = slowest + randomFloat(key, counter + 2) * (fastest - slowest)
      const life = shortest + randomFloat(key, counter + 3) * (longest - shortest)
      // It died within the frame and has been on its way since.
      const since = -left[i]
      vx[i] = sin(angle) * speed
      vy[i] = cos(angle) * speed
      px[i] = vx[i] * since
      py[i] = height + vy[i] * since
      left[i] = life - since
      reborn++
    }
  }
  return reborn
}

/** Sparks lose heat and grow older. */
export function cool(rows: Lanes, heat: Column<f32>, left: Column<f32>, cooling: f32, dt: f32): void {
  for (let i = rows.start; i < rows.end; i++) {
    heat[i] *= cooling
    left[i] -= dt
  }
}

/** The heat of all. Numbers of f32 added up in f64 are added exactly, so their order does not matter. */
export function light(rows: Rows, heat: ReadonlyColumn<f32>): Sum<f64> {
  let sum: f64 = 0
  for (let i = rows.start; i < rows.end; i++) sum += heat[i]
  return sum
}

/** How high the highest is. */
export function highest(rows: Lanes, py: ReadonlyColumn<f32>): Max<f32> {
  let top: f32 = 0
  for (let i = rows.start; i < rows.end; i++) top = max(top, py[i])
  return top
}
`

// The inner loops in JavaScript, with every operation rounded to f32.
function move(particles) {
  for (const chunk of particles) {
    const { x: px, y: py } = chunk.write(Position)
    const { x: vx, y: vy } = chunk.write(Velocity)
    const { start, end } = chunk
    for (let i = start; i < end; i++) {
      let u = vx[i]
      let v = vy[i]
      const speed = fround(sqrt(fround(fround(u * u) + fround(v * v))))
      const kept = fround(1 - fround(fround(drag * speed) * dt))
      u = fround(u * kept)
      v = fround(fround(v * kept) - fround(gravity * dt))
      let x = fround(px[i] + fround(u * dt))
      let y = fround(py[i] + fround(v * dt))
      if (abs(x) > wall) {
        const side = x > 0 ? wall : -wall
        x = fround(side - fround(fround(x - side) * bounce))
        u = fround(u * -bounce)
      }
      if (y < 0) {
        y = fround(y * -bounce)
        u = fround(u * bounce)
        v = fround(v * -bounce)
      }
      px[i] = x
      py[i] = y
      vx[i] = u
      vy[i] = v
    }
  }
}

// Few are reborn in a frame, so rounding each operation costs nothing here, and all have the same lives everywhere.
function age(drops, { seed, frame, aim }) {
  let reborn = 0
  for (const chunk of drops) {
    const { x: px, y: py } = chunk.write(Position)
    const { x: vx, y: vy } = chunk.write(Velocity)
    const { left } = chunk.write(Life)
    const { entities, start, end } = chunk
    for (let i = start; i < end; i++) {
      left[i] -= dt
      if (left[i] > 0) continue
      const key = random(seed, entities[i])
      const counter = frame * 4
      const jet = floor(fround(randomFloat(key, counter) * jets)) - (jets - 1) * 0.5
      const bend = fround(fround(randomFloat(key, counter + 1) - 0.5) * spread)
      const angle = fround(fround(aim + fround(jet * gap)) + bend)
      const speed = fround(slowest + fround(randomFloat(key, counter + 2) * (fastest - slowest)))
      const lifetime = fround(randomFloat(key, counter + 3) * (longest - shortest))
      const life = fround(shortest + lifetime)
      // It died within the frame and has been on its way since.
      const since = -left[i]
      vx[i] = sin(angle) * speed
      vy[i] = cos(angle) * speed
      px[i] = vx[i] * since
      py[i] = height + fround(vy[i] * since)
      left[i] = life - since
      reborn++
    }
  }
  return reborn
}

function cool(sparks) {
  for (const chunk of sparks) {
    const { heat } = chunk.write(Glow)
    const { left } = chunk.write(Life)
    const { start, end } = chunk
    for (let i = start; i < end; i++) {
      heat[i] *= cooling
      left[i] -= dt
    }
  }
}

function light(sparks) {
  let sum = 0
  for (const chunk of sparks) {
    const { heat } = chunk.read(Glow)
    const { start, end } = chunk
    for (let i = start; i < end; i++) sum += heat[i]
  }
  return sum
}

function highest(particles) {
  let top = 0
  for (const chunk of particles) {
    const { y } = chunk.read(Position)
    const { start, end } = chunk
    for (let i = start; i < end; i++) if (y[i] > top) top = y[i]
  }
  return top
}

const loops = { move, age, cool, light, highest }

let once
/** The same as kernels. */
async function createKernels(world) {
  const compiled = await (once ??= kernelsOf(KERNELS))
  const place = { px: [Position, 'x'], py: [Position, 'y'], vx: [Velocity, 'x'], vy: [Velocity, 'y'] }
  const [heat, left] = [[Glow, 'heat'], [Life, 'left']] // prettier-ignore
  const moving = createKernel(world, compiled.move, place)
  const aging = createKernel(world, compiled.age, { ...place, left })
  const fading = createKernel(world, compiled.cool, { heat, left })
  const lighting = createKernel(world, compiled.light, { heat })
  const rising = createKernel(world, compiled.highest, { py: [Position, 'y'] })
  const nozzle = { dt, height, jets, gap, spread, slowest, fastest, shortest, longest }
  return {
    move: (particles) => particles.run(moving, { dt, gravity, drag, wall, bounce }),
    age: (drops, moment) => drops.run(aging, { ...nozzle, ...moment }),
    cool: (sparks) => sparks.run(fading, { cooling, dt }),
    light: (sparks) => sparks.run(lighting),
    highest: (particles) => particles.run(rising),
  }
}

/** Lives through the frames; returns what happened in each, and the checksum of that and of all particles. */
async function live(kind, { seed = 7, count = DROPS, frames = FRAMES } = {}) {
  const world = createWorld()
  const rain = random(seed, 0)
  let drawn = 0
  // Their lives end one after the other, so that the fountain begins evenly.
  spawnMany(world, count, [Position, Velocity, Life, Drop], (chunk) => {
    const { x, y } = chunk.write(Position)
    const { left } = chunk.write(Life)
    for (let i = chunk.start; i < chunk.end; i++) {
      x[i] = (randomFloat(rain, drawn++) * 2 - 1) * wall
      y[i] = randomFloat(rain, drawn++) * 9
      left[i] = randomFloat(rain, drawn++) * longest
    }
  })
  const inner = kind === 'kernels' ? await createKernels(world) : loops
  const particles = world.query(Position, Velocity)
  const drops = world.query(Position, Velocity, Life, Drop)
  const sparks = world.query(Glow, Life)
  const [burnt, bright] = [sparks.where(Life, 'left', '<=', 0), sparks.where(Glow, 'heat', '>=', 0.125)]
  const all = []
  let now
  const schedule = createSchedule(world)
    .add(() => inner.move(particles), { name: 'motion' })
    .add(
      () => {
        const aim = fround(fround(0.3) * sin(fround((TURN * (now.frame % 150)) / 150)))
        now.reborn = inner.age(drops, { seed, frame: now.frame, aim })
      },
      { name: 'fountain' },
    )
    .add(
      () => {
        inner.cool(sparks)
        now.burnt = destroyMany(burnt)
      },
      { name: 'embers' },
    )
    .add(() => void (now.frame % 9 === 0 && (now.lit = burst(world, random(seed, now.frame), count))), {
      name: 'bursts',
    })
    .add(
      () => {
        now.sparks = sparks.count
        now.light = inner.light(bright)
        now.highest = inner.highest(particles)
      },
      { name: 'census' },
    )
  for (let frame = 1; frame <= frames; frame++) {
    now = { frame, reborn: 0, lit: 0, burnt: 0, sparks: 0, light: 0, highest: 0 }
    all.push(now)
    schedule.run(dt)
  }
  return { world, drops, figures: all, sum: checksum(world, all) }
}

/** A rocket bursts: its sparks are new entities, made in one call. Returns how many. */
function burst(world, key, drops) {
  const count = Math.ceil(drops / 250)
  const x = (randomFloat(key, 0) * 1.6 - 0.8) * wall
  const y = 3.5 + randomFloat(key, 1) * 4
  let drawn = 2
  spawnMany(world, count, [Position, Velocity, Life, Glow], (chunk) => {
    const [position, velocity] = [chunk.write(Position), chunk.write(Velocity)]
    const [{ left }, { heat }] = [chunk.write(Life), chunk.write(Glow)]
    for (let i = chunk.start; i < chunk.end; i++) {
      const angle = fround(TURN * randomFloat(key, drawn++))
      const speed = 0.5 + 7 * sqrt(randomFloat(key, drawn++))
      position.x[i] = x
      position.y[i] = y
      velocity.x[i] = cos(angle) * speed
      velocity.y[i] = sin(angle) * speed
      left[i] = 0.8 + randomFloat(key, drawn++) * 1.2
      heat[i] = 1
    }
  })
  return count
}

/** FNV-1a over words of 32 bits: figures, handles and values, column by column over all chunks. */
function checksum(world, figures) {
  let hash = 0x811c9dc5
  const add = (values) => {
    for (const word of new Uint32Array(values.buffer, values.byteOffset, values.byteLength / 4))
      hash = Math.imul(hash ^ word, 0x01000193)
  }
  for (const frame of figures) add(Float64Array.from(Object.values(frame)))
  for (const component of [Position, Velocity, Life, Glow]) {
    const query = world.query(component)
    add(query.entities())
    for (const field of Object.keys(component.schema))
      for (const chunk of query) add(chunk.read(component)[field].subarray(chunk.start, chunk.end))
  }
  return (hash >>> 0).toString(16).padStart(8, '0')
}

it('kernels give the recorded checksum, with enough drops reborn and sparks burnt to mean something', async () => {
  const { world, drops, figures, sum } = await live('kernels')
  expect(sum).toBe(RECORDED)
  const total = (figure) => figures.reduce((sum, frame) => sum + frame[figure], 0)
  expect(total('reborn')).toBeGreaterThan(DROPS / 3)
  expect(total('burnt')).toBeGreaterThan(DROPS / 50)
  expect(figures.at(-1).sparks).toBe(total('lit') - total('burnt'))
  expect([drops.count, world.stats().entities]).toEqual([DROPS, DROPS + figures.at(-1).sparks])
  drops.each((_, { x, y }, __, { left }) => expect(abs(x) <= wall && y >= 0 && left > 0).toBe(true))
})

it('JavaScript that rounds as WebAssembly does gives the same checksum, and another seed another', async () => {
  expect((await live('loops')).sum).toBe(RECORDED)
  expect((await live('kernels', { seed: 8 })).sum).not.toBe(RECORDED)
})

it.each([1, 2, 3, 4, 5, 7, 63])('both are equal to the last bit with %i drops', async (count) => {
  const options = { count, frames: 400 }
  expect((await live('kernels', options)).sum).toBe((await live('loops', options)).sum)
})
