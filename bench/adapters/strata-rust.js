// Owns the strata-ecs side of the cases of rust-gamedev/ecs_bench_suite. Written with the public names only, from the built
// package; it must never reach into the engine.
import { compute } from '../../build/bench/rust.kernel.js'
import { component, createSchedule, createWorld, f32, vec } from '../../dist/index.js'
import { invert } from '../cases/matrix.js'
import { LETTERS, lettersOf, startOf } from '../cases/noct-simple-iter.js'
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

const VECTOR = { x: f32, y: f32, z: f32 }
const Transform = component('Transform', { m: vec(f32, 16) })
const Position = component('Position', VECTOR)
const Rotation = component('Rotation', VECTOR)
const Velocity = component('Velocity', VECTOR)
const VECTORS = [Position, Rotation, Velocity]
const ALL = [Transform, ...VECTORS]

const valuesIn = (world, handle) => [
  ...world.get(handle, Transform).m,
  ...VECTORS.flatMap((Vector) => Object.values(world.get(handle, Vector))),
]

/** Every run begins with an empty world. */
function insert(spawnAll) {
  return (size) => {
    let world
    return {
      before() {
        world?.dispose()
        world = createWorld()
      },
      run: () => spawnAll(world, size),
      result() {
        const handles = world.query(...ALL).entities()
        return [handles.length, ...Array.from(handles).flatMap((handle) => valuesIn(world, handle))]
      },
    }
  }
}

function insertEach(world, size) {
  for (let i = 0; i < size; i++) {
    world.spawn(Transform({ m: IDENTITY }), Position({ x: 1 }), Rotation({ x: 1 }), Velocity({ x: 1 }))
  }
}

function insertMany(world, size) {
  world.spawnMany(size, [
    Transform({ m: IDENTITY }),
    Position({ x: 1 }),
    Rotation({ x: 1 }),
    Velocity({ x: 1 }),
  ])
}

const heavy = (stepOf) => (size) => {
  const world = createWorld()
  const handles = Array.from({ length: size }, (_, i) =>
    world.spawn(
      Transform({ m: matrixOf(i) }),
      Position({ x: startX(i), y: startY(i), z: startZ(i) }),
      Rotation({ x: 1 }),
      Velocity({ x: 1 }),
    ),
  )
  return {
    run: stepOf(world.query(Position, Transform), world),
    result: () => handles.flatMap((handle) => valuesIn(world, handle).slice(0, 19)),
  }
}

const computeInChunks = (query) => () => {
  for (const chunk of query) {
    const { m } = chunk.write(Transform)
    const { x: px, y: py, z: pz } = chunk.write(Position)
    for (let i = chunk.start; i < chunk.end; i++) {
      const at = i * 16
      for (let turn = 0; turn < INVERSIONS; turn++) invert(m, at)
      const [x, y, z] = [px[i], py[i], pz[i]]
      px[i] = turnedX(m, at, x, y, z)
      py[i] = turnedY(m, at, x, y, z)
      pz[i] = turnedZ(m, at, x, y, z)
    }
  }
}

function computeEach(query) {
  const computeOne = (entity, p, { m }) => {
    for (let turn = 0; turn < INVERSIONS; turn++) invert(m, 0)
    const { x, y, z } = p
    p.x = turnedX(m, 0, x, y, z)
    p.y = turnedY(m, 0, x, y, z)
    p.z = turnedZ(m, 0, x, y, z)
  }
  return () => query.each(computeOne)
}

function computeByKernel(query, world) {
  const step = world.kernel(compute, {
    px: [Position, 'x'],
    py: [Position, 'y'],
    pz: [Position, 'z'],
    matrix: [Transform, 'm'],
  })
  return () => query.run(step, { inversions: INVERSIONS })
}

const BY_LETTER = Object.fromEntries(LETTERS.map((letter) => [letter, component(letter, { value: f32 })]))

function swapInChunks(query, First, Second) {
  return () => {
    for (const chunk of query) {
      const { value: first } = chunk.write(First)
      const { value: second } = chunk.write(Second)
      for (let i = chunk.start; i < chunk.end; i++) {
        const value = first[i]
        first[i] = second[i]
        second[i] = value
      }
    }
  }
}

function swapEach(query) {
  const swapOne = (entity, first, second) => {
    const value = first.value
    first.value = second.value
    second.value = value
  }
  return () => query.each(swapOne)
}

const scheduled = (systemOf) => (size) => {
  const world = createWorld()
  const schedule = createSchedule(world)
  for (const pair of ['AB', 'CD', 'CE']) {
    const [First, Second] = [...pair].map((letter) => BY_LETTER[letter])
    const query = world.query(First, Second)
    schedule.add(systemOf(query, First, Second), { name: pair, queries: [query], writes: [First, Second] })
  }
  const handles = Array.from({ length: size }, (_, i) =>
    world.spawn(...lettersOf(i, size).map((letter) => BY_LETTER[letter]({ value: startOf(i, letter) }))),
  )
  return {
    run: () => schedule.run(1 / 60),
    result: () =>
      handles.flatMap((handle, i) =>
        lettersOf(i, size).map((letter) => world.get(handle, BY_LETTER[letter]).value),
      ),
  }
}

/** A world to write down, and one to read into that is empty at the start of every run. */
function serialised(write, read) {
  return (size) => {
    const source = createWorld()
    for (let i = 0; i < size; i++) {
      const vectors = VECTORS.map((Vector, k) => {
        const [x, y, z] = [0, 1, 2].map((field) => vectorOf(i, k * 3 + field))
        return Vector({ x, y, z })
      })
      source.spawn(Transform({ m: Array.from({ length: 16 }, (_, k) => transformOf(i, k)) }), ...vectors)
    }
    const all = source.query(...ALL)
    let target
    return {
      before() {
        target?.dispose()
        target = createWorld()
      },
      run: () => read(target, write(all)),
      result: () => Array.from(target.query(...ALL).entities()).flatMap((handle) => valuesIn(target, handle)),
    }
  }
}

/** The columns of a chunk, in the order of the file, each with how many numbers a row has in it. */
function columnsOf(chunk, access) {
  const vectors = VECTORS.flatMap((Vector) => Object.values(chunk[access](Vector)))
  return [[chunk[access](Transform).m, 16], ...vectors.map((column) => [column, 1])]
}

/** Column after column, of all chunks one after another. */
function copyColumns(all) {
  const { count } = all
  const numbers = new Float32Array(count * 25)
  let done = 0
  for (const chunk of all) {
    const { start, end } = chunk
    let base = 0
    for (const [column, width] of columnsOf(chunk, 'read')) {
      numbers.set(column.subarray(start * width, end * width), base + done * width)
      base += count * width
    }
    done += end - start
  }
  return numbers
}

function pasteColumns(world, numbers) {
  const count = numbers.length / 25
  let done = 0
  world.spawnMany(count, ALL, (chunk) => {
    const { start, end } = chunk
    let base = 0
    for (const [column, width] of columnsOf(chunk, 'write')) {
      const from = base + done * width
      column.set(numbers.subarray(from, from + (end - start) * width), start * width)
      base += count * width
    }
    done += end - start
  })
}

function writeText(all) {
  const list = []
  all.each((entity, { m }, p, r, v) => {
    const [position, rotation, velocity] = [p, r, v].map(({ x, y, z }) => ({ x, y, z }))
    list.push({ transform: Array.from(m), position, rotation, velocity })
  })
  return JSON.stringify(list)
}

function readText(world, text) {
  for (const { transform, position, rotation, velocity } of JSON.parse(text)) {
    world.spawn(Transform({ m: transform }), Position(position), Rotation(rotation), Velocity(velocity))
  }
}

export const rustWays = {
  simple_insert: { 'spawn(C({...}), ...)': insert(insertEach), spawnMany: insert(insertMany) },
  heavy_compute: {
    'chunk views': heavy(computeInChunks),
    each: heavy(computeEach),
    kernel: heavy(computeByKernel),
  },
  schedule: { 'schedule, chunk views': scheduled(swapInChunks), 'schedule, each': scheduled(swapEach) },
  serialize_binary: { 'columns copied, spawnMany': serialised(copyColumns, pasteColumns) },
  serialize_text: { 'each to JSON, spawn': serialised(writeText, readText) },
}
