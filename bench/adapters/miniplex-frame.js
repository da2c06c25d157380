// Owns miniplex 2.0 in the mixed frame: entities are plain objects, queries are walked with `for...of`. It must never make
// an entity other than whole.
import { World } from 'miniplex'
import {
  DT,
  FrameBuffer,
  SPAWN,
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

const dt = DT
const step = STEP

function partsOf(i) {
  const entity = {}
  if (hasPosition(i)) entity.position = { x: startX(i), y: startY(i) }
  if (hasVelocity(i)) entity.velocity = { x: START_VELOCITY, y: START_VELOCITY }
  if (hasData(i)) entity.data = { seed: seedOf(i), thingy: startThingy(i), dingy: 0, mingy: false }
  if (isCharacter(i)) {
    entity.player = { type: typeOf(i) }
    entity.health = { hp: 0, maximum: maximumOf(i), status: SPAWN }
    entity.damage = { attack: attackOf(i), defence: defenceOf(i) }
    entity.sprite = { character: 0 }
  }
  return entity
}

function turn(position, velocity, data) {
  if (data.thingy % 10 !== 0) return
  const first = nextSeed(data.seed)
  data.seed = nextSeed(first)
  const wide = position.x > position.y
  velocity.x = speedOf(first, wide ? 5 : 10)
  velocity.y = speedOf(data.seed, wide ? 10 : 5)
}

function heal(health) {
  const healthy = healthAfter(health.hp, health.maximum, health.status)
  health.status = statusAfter(health.hp, health.status)
  health.hp = healthy
}

function mixedFrame(size) {
  const world = new World()
  const moving = world.with('position', 'velocity')
  const counting = world.with('data')
  const turning = world.with('position', 'velocity', 'data')
  const healing = world.with('health')
  const fighting = world.with('health', 'damage')
  const dressing = world.with('player', 'health', 'sprite')
  const drawing = world.with('position', 'sprite')
  const frame = new FrameBuffer()
  const entities = Array.from({ length: size }, (_, i) => world.add(partsOf(i)))
  function run() {
    frame.clear()
    for (const { position, velocity } of moving) {
      position.x += velocity.x * dt
      position.y += velocity.y * dt
    }
    for (const { data } of counting) {
      data.thingy++
      data.dingy += step
      data.mingy = !data.mingy
    }
    for (const { position, velocity, data } of turning) turn(position, velocity, data)
    for (const { health } of healing) heal(health)
    for (const { health, damage } of fighting) health.hp = hurt(health.hp, damage.attack, damage.defence)
    for (const { player, health, sprite } of dressing) {
      sprite.character = characterOf(player.type, health.status)
    }
    for (const { position, sprite } of drawing) frame.draw(position.x, position.y, sprite.character)
  }
  function valuesOf({ position, velocity, data, health, sprite }, i) {
    return rowOf(i, { ...position, vx: velocity?.x, vy: velocity?.y, ...data, ...health, ...sprite })
  }
  return { run, result: () => [...entities.flatMap(valuesOf), ...frame.cells] }
}

export const frameWays = { 'mixed-frame': { 'for...of': mixedFrame } }
