// Owns the strata-ecs side of the mixed frame, by chunk loop, `each` and kernels. Written with the public names only, from
// the built package; it must never reach into the engine.
import { count, dress, fight, heal, move, turn } from '../../build/bench/frame.kernel.js'
import { bool, component, createWorld, f32, f64, i32, u8 } from '../../dist/index.js'
import {
  DT,
  FrameBuffer,
  START_VELOCITY,
  STEP,
  attackOf,
  characterOf,
  defenceOf,
  hasData,
  hasPosition,
  hasVelocity,
  healthAfter,
  hurt,
  isCharacter,
  maximumOf,
  nextSeed,
  rowOf,
  seedOf,
  speedOf,
  startThingy,
  startX,
  startY,
  statusAfter,
  typeOf,
} from '../cases/frame.js'

// An imported binding is read anew in every step; a constant of this module is not.
const dt = DT
const step = STEP

const Position = component('Position', { x: f32, y: f32 })
const Velocity = component('Velocity', { x: f32, y: f32 })
const Data = component('Data', { seed: i32, thingy: i32, dingy: f64, mingy: bool })
const Player = component('Player', { type: u8 })
const Health = component('Health', { hp: i32, maximum: i32, status: u8 })
const Damage = component('Damage', { attack: i32, defence: i32 })
const Sprite = component('Sprite', { character: u8 })

function partsOf(i) {
  const parts = []
  if (hasPosition(i)) parts.push(Position({ x: startX(i), y: startY(i) }))
  if (hasVelocity(i)) parts.push(Velocity({ x: START_VELOCITY, y: START_VELOCITY }))
  if (hasData(i)) parts.push(Data({ seed: seedOf(i), thingy: startThingy(i) }))
  if (!isCharacter(i)) return parts
  return [
    ...parts,
    Player({ type: typeOf(i) }),
    Health({ maximum: maximumOf(i) }),
    Damage({ attack: attackOf(i), defence: defenceOf(i) }),
    Sprite,
  ]
}

function valuesOf(world, handle, i) {
  const velocity = world.get(handle, Velocity)
  return rowOf(i, {
    ...world.get(handle, Position),
    vx: velocity?.x,
    vy: velocity?.y,
    ...world.get(handle, Data),
    ...world.get(handle, Health),
    ...world.get(handle, Sprite),
  })
}

const mixedFrame = (systemsOf) => (size) => {
  const world = createWorld()
  const frame = new FrameBuffer()
  const queries = {
    moving: world.query(Position, Velocity),
    counting: world.query(Data),
    turning: world.query(Position, Velocity, Data),
    healing: world.query(Health),
    fighting: world.query(Health, Damage),
    dressing: world.query(Player, Health, Sprite),
    drawing: world.query(Position, Sprite),
  }
  const handles = Array.from({ length: size }, (_, i) => world.spawn(...partsOf(i)))
  const systems = systemsOf(queries, frame, world)
  return {
    run() {
      frame.clear()
      for (let k = 0; k < systems.length; k++) systems[k]()
    },
    result: () => [...handles.flatMap((handle, i) => valuesOf(world, handle, i)), ...frame.cells],
  }
}

/** Where the loop over chunks is, `rows` does what there is to do in one of them. */
const overChunks = (query, rows) => () => {
  for (const chunk of query) rows(chunk, chunk.start, chunk.end)
}

function moveRows(chunk, start, end) {
  const { x, y } = chunk.write(Position)
  const { x: vx, y: vy } = chunk.read(Velocity)
  for (let i = start; i < end; i++) {
    x[i] += vx[i] * dt
    y[i] += vy[i] * dt
  }
}

function countRows(chunk, start, end) {
  const { thingy, dingy, mingy } = chunk.write(Data)
  for (let i = start; i < end; i++) {
    thingy[i]++
    dingy[i] += step
    mingy[i] ^= 1
  }
}

function turnRows(chunk, start, end) {
  const { x, y } = chunk.read(Position)
  const { x: vx, y: vy } = chunk.write(Velocity)
  const { seed, thingy } = chunk.write(Data)
  for (let i = start; i < end; i++) {
    if (thingy[i] % 10 !== 0) continue
    const first = nextSeed(seed[i])
    const second = nextSeed(first)
    const wide = x[i] > y[i]
    vx[i] = speedOf(first, wide ? 5 : 10)
    vy[i] = speedOf(second, wide ? 10 : 5)
    seed[i] = second
  }
}

function healRows(chunk, start, end) {
  const { hp, maximum, status } = chunk.write(Health)
  for (let i = start; i < end; i++) {
    const healthy = healthAfter(hp[i], maximum[i], status[i])
    status[i] = statusAfter(hp[i], status[i])
    hp[i] = healthy
  }
}

function fightRows(chunk, start, end) {
  const { hp } = chunk.write(Health)
  const { attack, defence } = chunk.read(Damage)
  for (let i = start; i < end; i++) hp[i] = hurt(hp[i], attack[i], defence[i])
}

function dressRows(chunk, start, end) {
  const { type } = chunk.read(Player)
  const { status } = chunk.read(Health)
  const { character } = chunk.write(Sprite)
  for (let i = start; i < end; i++) character[i] = characterOf(type[i], status[i])
}

const drawerInto = (frame) => (chunk, start, end) => {
  const { x, y } = chunk.read(Position)
  const { character } = chunk.read(Sprite)
  for (let i = start; i < end; i++) frame.draw(x[i], y[i], character[i])
}

const byChunks = (queries, frame) => [
  overChunks(queries.moving, moveRows),
  overChunks(queries.counting, countRows),
  overChunks(queries.turning, turnRows),
  overChunks(queries.healing, healRows),
  overChunks(queries.fighting, fightRows),
  overChunks(queries.dressing, dressRows),
  overChunks(queries.drawing, drawerInto(frame)),
]

function moveOne(entity, p, v) {
  p.x += v.x * dt
  p.y += v.y * dt
}

function countOne(entity, data) {
  data.thingy++
  data.dingy += step
  data.mingy = !data.mingy
}

function turnOne(entity, p, v, data) {
  if (data.thingy % 10 !== 0) return
  const first = nextSeed(data.seed)
  const second = nextSeed(first)
  const wide = p.x > p.y
  v.x = speedOf(first, wide ? 5 : 10)
  v.y = speedOf(second, wide ? 10 : 5)
  data.seed = second
}

function healOne(entity, health) {
  const { hp, status } = health
  health.hp = healthAfter(hp, health.maximum, status)
  health.status = statusAfter(hp, status)
}

function fightOne(entity, health, damage) {
  health.hp = hurt(health.hp, damage.attack, damage.defence)
}

function dressOne(entity, player, health, sprite) {
  sprite.character = characterOf(player.type, health.status)
}

function byEach(queries, frame) {
  const drawOne = (entity, { x, y }, { character }) => frame.draw(x, y, character)
  return [
    () => queries.moving.each(moveOne),
    () => queries.counting.each(countOne),
    () => queries.turning.each(turnOne),
    () => queries.healing.each(healOne),
    () => queries.fighting.each(fightOne),
    () => queries.dressing.each(dressOne),
    () => queries.drawing.each(drawOne),
  ]
}

/** The picture lies outside of the world, so that a loop draws it. */
function byKernels(queries, frame, world) {
  const place = { px: [Position, 'x'], py: [Position, 'y'] }
  const speed = { vx: [Velocity, 'x'], vy: [Velocity, 'y'] }
  const data = (...names) => Object.fromEntries(names.map((name) => [name, [Data, name]]))
  const hp = [Health, 'hp']
  const status = [Health, 'status']
  const moved = world.kernel(move, { ...place, ...speed })
  const counted = world.kernel(count, data('thingy', 'dingy', 'mingy'))
  const turned = world.kernel(turn, { ...place, ...speed, ...data('seed', 'thingy') })
  const healed = world.kernel(heal, { hp, status, maximum: [Health, 'maximum'] })
  const fought = world.kernel(fight, { hp, attack: [Damage, 'attack'], defence: [Damage, 'defence'] })
  const dressed = world.kernel(dress, { status, type: [Player, 'type'], character: [Sprite, 'character'] })
  return [
    () => queries.moving.run(moved, { dt }),
    () => queries.counting.run(counted, { step }),
    () => queries.turning.run(turned),
    () => queries.healing.run(healed),
    () => queries.fighting.run(fought),
    () => queries.dressing.run(dressed),
    overChunks(queries.drawing, drawerInto(frame)),
  ]
}

export const frameWays = {
  'mixed-frame': {
    'chunk views': mixedFrame(byChunks),
    each: mixedFrame(byEach),
    'kernels, drawn by chunk views': mixedFrame(byKernels),
  },
}
