// Owns the seven systems of the mixed frame over arrays by entity id, for those that keep values outside: each takes the
// ids that it is for. It must never ask which entities those are: that is what an adapter does.
import {
  DT,
  FrameBuffer,
  START_VELOCITY,
  STEP,
  attackOf,
  characterOf,
  defenceOf,
  healthAfter,
  hurt,
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

/** An array for each number of the seven components, with room for ids below `capacity`. */
export class FrameColumns {
  frame = new FrameBuffer()

  constructor(capacity) {
    const [floats, whole, bytes] = [Float32Array, Int32Array, Uint8Array].map(
      (Kind) => () => new Kind(capacity),
    )
    this.position = { x: floats(), y: floats() }
    this.velocity = { x: floats(), y: floats() }
    this.data = { seed: whole(), thingy: whole(), dingy: new Float64Array(capacity), mingy: bytes() }
    this.player = { type: bytes() }
    this.health = { hp: whole(), maximum: whole(), status: bytes() }
    this.damage = { attack: whole(), defence: whole() }
    this.sprite = { character: bytes() }
  }

  /** The values of entity i, whether it has them or not. */
  start(id, i) {
    this.position.x[id] = startX(i)
    this.position.y[id] = startY(i)
    this.velocity.x[id] = this.velocity.y[id] = START_VELOCITY
    this.data.seed[id] = seedOf(i)
    this.data.thingy[id] = startThingy(i)
    this.player.type[id] = typeOf(i)
    this.health.maximum[id] = maximumOf(i)
    this.damage.attack[id] = attackOf(i)
    this.damage.defence[id] = defenceOf(i)
  }

  row(id, i) {
    const { position, velocity, data, health, sprite } = this
    return rowOf(i, {
      x: position.x[id],
      y: position.y[id],
      vx: velocity.x[id],
      vy: velocity.y[id],
      thingy: data.thingy[id],
      dingy: data.dingy[id],
      mingy: data.mingy[id],
      hp: health.hp[id],
      status: health.status[id],
      character: sprite.character[id],
    })
  }
}

export function move(ids, { position: { x, y }, velocity: { x: vx, y: vy } }) {
  for (let k = 0, l = ids.length; k < l; k++) {
    const id = ids[k]
    x[id] += vx[id] * dt
    y[id] += vy[id] * dt
  }
}

export function count(ids, { data: { thingy, dingy, mingy } }) {
  for (let k = 0, l = ids.length; k < l; k++) {
    const id = ids[k]
    thingy[id]++
    dingy[id] += step
    mingy[id] ^= 1
  }
}

export function turn(ids, { position: { x, y }, velocity: { x: vx, y: vy }, data: { seed, thingy } }) {
  for (let k = 0, l = ids.length; k < l; k++) {
    const id = ids[k]
    if (thingy[id] % 10 !== 0) continue
    const first = nextSeed(seed[id])
    const second = nextSeed(first)
    const wide = x[id] > y[id]
    vx[id] = speedOf(first, wide ? 5 : 10)
    vy[id] = speedOf(second, wide ? 10 : 5)
    seed[id] = second
  }
}

export function heal(ids, { health: { hp, maximum, status } }) {
  for (let k = 0, l = ids.length; k < l; k++) {
    const id = ids[k]
    const healthy = healthAfter(hp[id], maximum[id], status[id])
    status[id] = statusAfter(hp[id], status[id])
    hp[id] = healthy
  }
}

export function fight(ids, { health: { hp }, damage: { attack, defence } }) {
  for (let k = 0, l = ids.length; k < l; k++) {
    const id = ids[k]
    hp[id] = hurt(hp[id], attack[id], defence[id])
  }
}

export function dress(ids, { player: { type }, health: { status }, sprite: { character } }) {
  for (let k = 0, l = ids.length; k < l; k++) {
    const id = ids[k]
    character[id] = characterOf(type[id], status[id])
  }
}

export function draw(ids, { position: { x, y }, sprite: { character }, frame }) {
  for (let k = 0, l = ids.length; k < l; k++) {
    const id = ids[k]
    frame.draw(x[id], y[id], character[id])
  }
}

/** The systems in order, each with the names of the components that it asks for. */
export const SYSTEMS = [
  [move, ['position', 'velocity']],
  [count, ['data']],
  [turn, ['position', 'velocity', 'data']],
  [heal, ['health']],
  [fight, ['health', 'damage']],
  [dress, ['player', 'health', 'sprite']],
  [draw, ['position', 'sprite']],
]
