// Owns the yardstick of the cases of time travel: six typed arrays copied into six others. It must never copy what a
// program without an ECS would not have: handles, orders, ticks.
import { DT, startX, velocityX, velocityY, velocityZ } from '../cases/loop.js'
import { FRAMES } from '../cases/time-travel.js'

const dt = DT

function moveAll(columns, count) {
  const [px, py, pz, vx, vy, vz] = columns
  for (let i = 0; i < count; i++) {
    px[i] += vx[i] * dt
    py[i] += vy[i] * dt
    pz[i] += vz[i] * dt
  }
}

function create(size) {
  const columns = Array.from({ length: 6 }, () => new Float32Array(size))
  const [px, py, pz, vx, vy, vz] = columns
  for (let i = 0; i < size; i++) {
    px[i] = startX(i)
    vx[i] = velocityX(i)
    vy[i] = velocityY(i)
    vz[i] = velocityZ(i)
  }
  const kept = columns.map((column) => column.slice())
  const copy = (to, from) => {
    for (let k = 0; k < 6; k++) to[k].set(from[k])
  }
  const frame = () => moveAll(columns, size)
  const start = columns.map((column) => column.slice())
  const result = () => Array.from({ length: size }, (_, i) => [px[i], py[i], pz[i]]).flat()
  /** What `check` leaves behind is read, and taken back: a result may be asked for again. */
  const resultOf = (check) => () => {
    check()
    const values = result()
    copy(columns, start)
    copy(kept, start)
    return values
  }
  return { columns, kept, copy, frame, result, resultOf }
}

function save(size) {
  const { columns, kept, copy, frame, resultOf } = create(size)
  return {
    run: () => copy(kept, columns),
    result: resultOf(() => {
      frame()
      copy(kept, columns)
      frame()
      copy(columns, kept)
    }),
  }
}

function restore(size) {
  const { columns, kept, copy, frame, resultOf } = create(size)
  return {
    run: () => copy(columns, kept),
    result: resultOf(() => {
      frame()
      copy(columns, kept)
      frame()
    }),
  }
}

function rewind(size) {
  const { columns, kept, copy, frame, result } = create(size)
  const now = columns.map((column) => column.slice())
  function run() {
    copy(columns, kept)
    for (let i = 0; i < FRAMES; i++) frame()
    copy(now, columns)
  }
  return { run, result }
}

export const timeWays = { save: { arrays: save }, restore: { arrays: restore }, rewind: { arrays: rewind } }
