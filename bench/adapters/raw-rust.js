// Owns the yardstick of the cases of rust-gamedev/ecs_bench_suite: a typed array for each field, 16 numbers in a row for a
// matrix; for text, plain objects and JSON. It must never know more than a program without an ECS would.
import { invert } from '../cases/matrix.js'
import {
  IDENTITY,
  INVERSIONS,
  matrixOf,
  startX,
  startY,
  startZ,
  transformOf,
  turnedX,
  turnedY,
  turnedZ,
  vectorOf,
} from '../cases/rust.js'

const createTable = (size) => ({
  count: 0,
  transform: new Float32Array(size * 16),
  vectors: Array.from({ length: 9 }, () => new Float32Array(size)),
})

const valuesIn = ({ transform, vectors }, i) => [
  ...transform.subarray(i * 16, i * 16 + 16),
  ...vectors.map((column) => column[i]),
]

const rowsOf = (table) => Array.from({ length: table.count }, (_, i) => valuesIn(table, i)).flat()

function insertAll(table, transform, px, py, pz, rx, ry, rz, vx, vy, vz, count) {
  for (let i = 0; i < count; i++) {
    transform.set(IDENTITY, i * 16)
    px[i] = rx[i] = vx[i] = 1
    py[i] = pz[i] = ry[i] = rz[i] = vy[i] = vz[i] = 0
    table.count++
  }
}

function insert(size) {
  let table
  return {
    before() {
      table = createTable(size)
    },
    run: () => insertAll(table, table.transform, ...table.vectors, size),
    result: () => [table.count, ...rowsOf(table)],
  }
}

function computeAll(transform, px, py, pz, count) {
  for (let i = 0; i < count; i++) {
    const at = i * 16
    for (let turn = 0; turn < INVERSIONS; turn++) invert(transform, at)
    const [x, y, z] = [px[i], py[i], pz[i]]
    px[i] = turnedX(transform, at, x, y, z)
    py[i] = turnedY(transform, at, x, y, z)
    pz[i] = turnedZ(transform, at, x, y, z)
  }
}

function heavy(size) {
  const table = createTable(size)
  table.count = size
  const { transform, vectors } = table
  const [px, py, pz] = vectors
  for (let i = 0; i < size; i++) {
    transform.set(matrixOf(i), i * 16)
    px[i] = startX(i)
    py[i] = startY(i)
    pz[i] = startZ(i)
  }
  return {
    run: () => computeAll(transform, px, py, pz, size),
    result: () => Array.from({ length: size }, (_, i) => valuesIn(table, i).slice(0, 19)).flat(),
  }
}

/** A table to write down, and an empty one to read into. */
function serialised(write, read) {
  return (size) => {
    const source = createTable(size)
    source.count = size
    for (let i = 0; i < size; i++) {
      for (let k = 0; k < 16; k++) source.transform[i * 16 + k] = transformOf(i, k)
      source.vectors.forEach((column, k) => (column[i] = vectorOf(i, k)))
    }
    let target
    return {
      before() {
        target = createTable(size)
      },
      run: () => read(target, write(source)),
      result: () => rowsOf(target),
    }
  }
}

function copyArrays({ count, transform, vectors }) {
  const numbers = new Float32Array(count * 25)
  numbers.set(transform)
  vectors.forEach((column, k) => numbers.set(column, count * (16 + k)))
  return numbers
}

function pasteArrays(table, numbers) {
  const count = numbers.length / 25
  table.transform.set(numbers.subarray(0, count * 16))
  table.vectors.forEach((column, k) => column.set(numbers.subarray(count * (16 + k), count * (17 + k))))
  table.count = count
}

function writeText({ count, transform, vectors: [px, py, pz, rx, ry, rz, vx, vy, vz] }) {
  const list = []
  for (let i = 0; i < count; i++) {
    list.push({
      transform: Array.from(transform.subarray(i * 16, i * 16 + 16)),
      position: { x: px[i], y: py[i], z: pz[i] },
      rotation: { x: rx[i], y: ry[i], z: rz[i] },
      velocity: { x: vx[i], y: vy[i], z: vz[i] },
    })
  }
  return JSON.stringify(list)
}

function readText(table, text) {
  for (const { transform, position, rotation, velocity } of JSON.parse(text)) {
    const i = table.count++
    table.transform.set(transform, i * 16)
    for (const [k, { x, y, z }] of [position, rotation, velocity].entries()) {
      table.vectors[k * 3][i] = x
      table.vectors[k * 3 + 1][i] = y
      table.vectors[k * 3 + 2][i] = z
    }
  }
}

/** `swapping` is the work of simple_iter, which schedule repeats at another size. */
export const rustWays = (swapping) => ({
  simple_insert: { arrays: insert },
  heavy_compute: { 'arrays as parameters': heavy },
  schedule: swapping,
  serialize_binary: { 'arrays copied': serialised(copyArrays, pasteArrays) },
  serialize_text: { 'objects to JSON': serialised(writeText, readText) },
})
