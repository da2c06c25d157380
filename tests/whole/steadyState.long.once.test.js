// Shows that what runs in every frame stays compiled: once it is warm, V8 discards none of its code, as it would for a loop whose
// objects or numbers change their shape. And that moving entities by accessors leaves no garbage: V8 boxes a number where it
// calls a property instead of inlining it.

import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'

const LIBRARY = new URL('../../dist/index.js', import.meta.url).href

/** What a frame does, given a world of 1,000 entities in eight archetypes. Values are fractions, as most are. */
const FRAMES = {
  each: 'moving.each(moveOne)',
  'a loop over chunks': `
    for (const chunk of moving) {
      const { x, y } = chunk.write(Position)
      const { x: vx, y: vy } = chunk.read(Velocity)
      for (let i = chunk.start; i < chunk.end; i++) {
        x[i] += vx[i] * 0.5
        y[i] += vy[i] * 0.5
      }
    }`,
  'reading and writing by accessor': `
    for (let i = 0; i < 200; i++) positions.of(handles[i]).x += velocities.of(handles[i]).x`,
  'get and set': `
    for (let i = 0; i < 200; i++) {
      const { x, y } = world.get(handles[i], Position)
      world.set(handles[i], Position, { x: y + 0.25, y: x + 0.5 })
      world.set(handles[i], Velocity, { x: 0.75 })
    }`,
  'has, add and remove': `
    for (let i = 0; i < 200; i++) {
      if (world.has(handles[i], Frozen)) world.remove(handles[i], Frozen)
      else world.add(handles[i], Frozen)
    }`,
  'spawn with values and destroy': `
    for (let i = 0; i < 100; i++) spawned[i] = world.spawn(Position({ x: i + 0.5, y: 1.5 }), Velocity({ x: 0.5 }))
    for (let i = 0; i < 100; i++) world.destroy(spawned[i])`,
  'changes in a loop': `
    let number = 0
    moving.each((entity) => {
      if (number++ % 2 === 0) world.add(entity, Frozen)
      else world.remove(entity, Frozen)
    })`,
}

/** Frames until V8 has compiled for good what a frame does, and frames that are looked at. */
const WARM_UP = 3_000
const FRAMES_LOOKED_AT = 1_000

const programOf = (frame, more = '') => `
  import { writeSync } from 'node:fs'
  import { component, createAccessor, createWorld, f32, tag } from ${JSON.stringify(LIBRARY)}
  const Position = component('Position', { x: f32, y: f32 })
  const Velocity = component('Velocity', { x: f32, y: f32 })
  const Push = component('Push', { x: f32, y: f32 })
  const Frozen = tag('Frozen')
  const marks = [tag('A'), tag('B'), tag('C')]
  const world = createWorld()
  const handles = Array.from({ length: 1_000 }, (_, i) =>
    world.spawn(Position({ x: i + 0.5, y: 0.25 }), Velocity({ x: 1.5, y: i / 3 }), Push({ x: 0.5, y: i / 7 }), ...marks.filter((_, bit) => (i >> bit) & 1)))
  const spawned = new Uint32Array(100)
  const moving = world.query(Position, Velocity)
  const positions = createAccessor(world, Position)
  const velocities = createAccessor(world, Velocity)
  const pushes = createAccessor(world, Push)
  const moveOne = (entity, position, velocity) => {
    position.x += velocity.x * 0.5
    position.y += velocity.y * 0.5
  }
  function frame() {${frame}}
  for (let i = 0; i < ${WARM_UP}; i++) frame()
  writeSync(1, '\\nwarm\\n')
  for (let i = 0; i < ${FRAMES_LOOKED_AT}; i++) frame()
  ${more}
`

/** The lines with a word that V8 prints after the warm-up. Compiling in the one thread makes each run like the others. */
function saidOf(program, flag, word) {
  const flags = [flag, '--predictable', '--input-type=module', '--eval', program]
  const said = execFileSync(process.execPath, flags, { encoding: 'utf8', maxBuffer: 2 ** 27 })
  return said
    .slice(said.indexOf('\nwarm\n'))
    .split('\n')
    .filter((line) => line.includes(word))
}

const takenBack = (program) => saidOf(program, '--trace-deopt', 'bailout')
/** Collections that allocation forced. V8 also collects when it is idle. */
const collections = (program) => saidOf(program, '--trace-gc', 'allocation failure')

/** If one of the writes boxed its number, that would come to 16 MB: 1,000 entities in 1,000 frames, 16 bytes each. */
const MOVED_BY_ACCESSORS = `
  for (let i = 0; i < 1_000; i++) {
    const handle = handles[i]
    const position = positions.of(handle)
    const velocity = velocities.of(handle)
    const push = pushes.of(handle)
    velocity.x += push.x * 0.25
    velocity.y += push.y * 0.25
    position.x += velocity.x * 0.5
    position.y += velocity.y * 0.5
  }`

describe('V8 keeps the optimised code of', () => {
  it.each(Object.entries(FRAMES))('%s', (_, frame) => {
    expect(takenBack(programOf(frame))).toEqual([])
  })

  it('a frame with all of them', () => {
    const all = Object.values(FRAMES).map((frame) => `{${frame}}`)
    expect(takenBack(programOf(all.join('\n')))).toEqual([])
  })

  it('no frame that meets another shape, which this would notice', () => {
    const surprise =
      "globalThis.sum = (o) => o.x; let n = 0; for (let i = 0; i < 1e5; i++) n += sum({ x: i }); sum({ y: 1, x: 'text' }); n += sum({ a: 1, x: 0.5 })"
    expect(takenBack(programOf(FRAMES.each, surprise))).not.toEqual([])
  })
})

describe('Garbage', () => {
  it('a function that moves entities by three accessors leaves none', () => {
    expect(collections(programOf(MOVED_BY_ACCESSORS))).toEqual([])
  })

  it('world.get leaves some, so this proof would notice it', () => {
    expect(collections(programOf(FRAMES['get and set']))).not.toEqual([])
  })
})
