// Owns the frame of abeimler/ecs_benchmark: seven systems over entities of many kinds. Its strings are left out, which
// nobody but C++ keeps in place; its random numbers come from a seed of each entity; and of what is drawn in one place the
// greatest stays, so that no order of drawing is asked for. Every system must run over all that have what it needs.
export const DT = 1 / 16
export const STEP = 0.0001 * DT
export const WIDTH = 320
export const HEIGHT = 240

export const [NPC, MONSTER, HERO] = [0, 1, 2]
export const [SPAWN, DEAD, ALIVE] = [0, 1, 2]

const code = (character) => character.charCodeAt(0)
const [AT, K, H, GRAVE, UNDERSCORE] = ['@', 'k', 'h', '|', '_'].map(code)

/** Half of the entities are characters; of all, some have no Position, no Velocity or no Data: 16 combinations. */
export const hasPosition = (i) => i % 13 !== 6
export const hasVelocity = (i) => i % 7 !== 3
export const hasData = (i) => i % 11 !== 5
export const isCharacter = (i) => i % 2 === 0

export const startX = (i) => ((i * 7_919) % 420) - 50
export const startY = (i) => ((i * 4_729) % 340) - 50
export const START_VELOCITY = 1
export const seedOf = (i) => Math.imul(i + 1, 0x9e3779b1) | 1
/** In each frame another tenth of the entities turns. */
export const startThingy = (i) => i % 10

/** 4 % have no quarrel with anybody, 27 % are heroes. */
export function typeOf(i) {
  const share = (i * 37) % 100
  if (share < 4) return NPC
  return share < 31 ? HERO : MONSTER
}
export const maximumOf = (i) => [6 + (i % 7), 4 + (i % 9), 5 + (i % 11)][typeOf(i)]
export const defenceOf = (i) => [3 + (i % 6), 2 + (i % 7), 2 + (i % 5)][typeOf(i)]
export const attackOf = (i) => [0, 3 + (i % 7), 4 + (i % 7)][typeOf(i)]

export function nextSeed(seed) {
  seed ^= seed << 13
  seed ^= seed >>> 17
  return seed ^ (seed << 5)
}

/** A whole number from -span to span. */
export const speedOf = (seed, span) => ((seed >>> 8) % (2 * span + 1)) - span

export function statusAfter(hp, status) {
  if (hp <= 0 && status !== DEAD) return DEAD
  return status === DEAD && hp === 0 ? SPAWN : ALIVE
}

export function healthAfter(hp, maximum, status) {
  if (hp <= 0 && status !== DEAD) return 0
  if (status === DEAD && hp === 0) return maximum
  return hp >= maximum && status !== ALIVE ? maximum : hp
}

export function hurt(hp, attack, defence) {
  const damage = attack - defence
  return hp > 0 && damage > 0 ? Math.max(hp - damage, 0) : hp
}

export function characterOf(type, status) {
  if (status === DEAD) return GRAVE
  if (status === SPAWN) return UNDERSCORE
  if (type === HERO) return AT
  return type === MONSTER ? K : H
}

/** The picture, one byte for each place. */
export class FrameBuffer {
  cells = new Uint8Array(WIDTH * HEIGHT)

  clear() {
    this.cells.fill(0)
  }

  /** Nothing where it lies outside. */
  draw(x, y, character) {
    const column = x | 0
    const line = y | 0
    if (column < 0 || column >= WIDTH || line < 0 || line >= HEIGHT) return
    const at = line * WIDTH + column
    if (this.cells[at] < character) this.cells[at] = character
  }
}

/** Positions are steps of 1/16, which f32 has below this. */
const EXACT_FRAMES = 2 ** 20

function stateAfter(i, runs) {
  let [x, y, vx, vy] = [startX(i), startY(i), START_VELOCITY, START_VELOCITY]
  let [seed, thingy, dingy, mingy] = [seedOf(i), startThingy(i), 0, false]
  let [hp, status, character] = [0, SPAWN, 0]
  for (let frame = 0; frame < runs; frame++) {
    if (hasPosition(i) && hasVelocity(i)) {
      x += vx * DT
      y += vy * DT
    }
    if (hasData(i)) {
      thingy++
      dingy += STEP
      mingy = !mingy
    }
    if (hasPosition(i) && hasVelocity(i) && hasData(i) && thingy % 10 === 0) {
      const first = nextSeed(seed)
      seed = nextSeed(first)
      vx = speedOf(first, x > y ? 5 : 10)
      vy = speedOf(seed, x > y ? 10 : 5)
    }
    const healthy = healthAfter(hp, maximumOf(i), status)
    status = statusAfter(hp, status)
    hp = hurt(healthy, attackOf(i), defenceOf(i))
    character = characterOf(typeOf(i), status)
  }
  return { x, y, vx, vy, thingy, dingy, mingy, hp, status, character }
}

/** The values of an entity in the order of the reference, 0 for what it has not. */
export function rowOf(i, { x, y, vx, vy, thingy, dingy, mingy, hp, status, character }) {
  return [
    ...(hasPosition(i) ? [x, y] : [0, 0]),
    ...(hasVelocity(i) ? [vx, vy] : [0, 0]),
    ...(hasData(i) ? [thingy, dingy, Number(mingy)] : [0, 0, 0]),
    ...(isCharacter(i) ? [hp, status, character] : [0, 0, 0]),
  ]
}

export default {
  name: 'mixed-frame',
  title: 'Mixed frame (abeimler): seven systems: move, data, turn, health, damage, sprite, render',
  sizes: [1_000, 10_000, 100_000],
  runsPerSample: (size) => Math.max(1, Math.floor(16_000 / size)),
  /** The values of every entity, in order of creation, then the picture of the last frame. */
  reference(size, runs) {
    if (runs >= EXACT_FRAMES) throw new RangeError(`${runs} frames leave the range in which f32 is exact.`)
    const values = []
    const frame = new FrameBuffer()
    for (let i = 0; i < size; i++) {
      const state = stateAfter(i, runs)
      for (const value of rowOf(i, state)) values.push(value)
      if (hasPosition(i) && isCharacter(i)) frame.draw(state.x, state.y, state.character)
    }
    for (const cell of frame.cells) values.push(cell)
    return values
  },
}
