// Owns the cases of single calls, in the forms that people write: an entity with values, a component with values, three
// fields read or written, a question whether an entity has something. Rivals differ in their verbs alone: the loops around
// them stand here. Values are no whole numbers: V8 would not take them for floats.
import { PIECS_ADD_REMOVE } from './add-remove.js'
import { shuffledOrder } from './get.js'

const sizes = [1_000, 100_000]
const severalRuns = (size) => Math.max(1, Math.floor(64_000 / size))

/** Position x, y, z and Velocity x, y, z of entity i. */
const valuesOf = (i) => [i + 0.5, 0.25 - i, i * 0.5 + 0.25, 1.5, i + 0.25, -0.75]
const NOTHING = [0, 0, 0]

/** What three fields are set to, in the k-th place of the order; rounds are counted from 1. */
const placeIn = (k, round) => [k + round + 0.5, round * 0.25 - k, 0.5 - k - round]
/** Below this an f32 has every quarter. */
const EXACT_QUARTERS = 2 ** 22

/** Three of four have a Velocity. */
export const hasVelocity = (i) => i % 4 !== 1
/** One of eight: the bits say which of three tags an entity has. */
export const archetypeOf = (i) => i % 8

const sumOfPlaces = (size) => {
  let sum = 0
  for (let i = 0; i < size; i++) {
    const [x, y, z] = valuesOf(i)
    sum += x + y + z
  }
  return sum
}

const allValues = (size, has) => {
  const values = [size]
  for (let i = 0; i < size; i++) values.push(...has(valuesOf(i)))
  return values
}

const spawnBare = {
  name: 'spawn-bare',
  title: 'Spawn: two components of 3 x f32 as their defaults have them, handle kept',
  sizes,
  /** How many have both, and six zeros for each. */
  reference: (size) => allValues(size, () => [...NOTHING, ...NOTHING]),
}

const spawnValues = {
  name: 'spawn-values',
  title: 'Spawn with values: two components of 3 x f32, six values, handle kept',
  sizes,
  beside: [{ name: 'bare spawn', work: spawnBare }],
  /** How many have both, and the six values of each. */
  reference: (size) => allValues(size, (values) => values),
}

const spawnDestroy = {
  name: 'spawn-destroy',
  title: 'Spawn + destroy: two components of 3 x f32 as their defaults have them, by kept handle',
  sizes,
  beside: [{ name: 'piecs', library: 'piecs' }],
  /** After the spawns as above; then how many are left. */
  reference: (size) => [...allValues(size, () => [...NOTHING, ...NOTHING]), 0],
}

const addBare = {
  name: 'add-bare',
  title: 'Add: a component of 3 x f32 as its defaults have it, to entities with another',
  sizes,
  /** How many have both, and the six values of each. */
  reference: (size) => allValues(size, (values) => [...values.slice(0, 3), ...NOTHING]),
}

const addValues = {
  name: 'add-values',
  title: 'Add with values: a component of 3 x f32, three values, to entities with another',
  sizes,
  beside: [{ name: 'bare add', work: addBare }],
  reference: (size) => allValues(size, (values) => values),
}

const reading = {
  runsPerSample: severalRuns,
  beside: [PIECS_ADD_REMOVE],
  /** The sum that every run returns. */
  reference: (size) => [sumOfPlaces(size)],
}

const getThree = {
  ...reading,
  name: 'get-three',
  title: 'Get: three fields of a component by handle, shuffled order',
  sizes,
}

const getThreeMet = {
  ...reading,
  name: 'get-three-met',
  title: 'Get: three fields by handle, shuffled order, where twenty other shapes have been met',
  sizes: [1_000],
}

const writing = {
  runsPerSample: severalRuns,
  beside: [PIECS_ADD_REMOVE],
  /** Measuring ends before values would be rounded. */
  mostRuns: (size) => EXACT_QUARTERS - size - 1,
  /** The three fields of every entity, in order of creation. */
  reference(size, runs) {
    if (size + runs >= EXACT_QUARTERS) {
      throw new RangeError(`${runs} runs leave the range in which f32 is exact; shorten --milliseconds.`)
    }
    const places = new Array(size)
    shuffledOrder(size).forEach((i, k) => (places[i] = placeIn(k, runs)))
    return places.flat()
  },
}

const setThree = {
  ...writing,
  name: 'set-three',
  title: 'Set: three fields of a component by handle, shuffled order',
  sizes,
}

const setThreeMet = {
  ...writing,
  name: 'set-three-met',
  title: 'Set: three fields by handle, shuffled order, where twenty other shapes have been met',
  sizes: [1_000],
}

/** The time step of a run. Each run undoes the one before, so values stay exact. */
const stepOf = (round) => (round % 2 === 1 ? 0.5 : -0.5)

const moveByHandle = {
  name: 'move-by-handle',
  title: 'Move by handle: position += velocity * dt, three fields of two components each, shuffled order',
  sizes,
  runsPerSample: severalRuns,
  beside: [PIECS_ADD_REMOVE],
  /** The six values of every entity, in order of creation: as far as the last run moved them. */
  reference: (size, runs) =>
    Array.from({ length: size }, (_, i) => {
      const [x, y, z, vx, vy, vz] = valuesOf(i)
      const step = runs % 2 === 1 ? stepOf(1) : 0
      return [x + vx * step, y + vy * step, z + vz * step, vx, vy, vz]
    }).flat(),
}

const getMixed = {
  ...reading,
  name: 'get-mixed',
  title: 'Get: one field by handle, shuffled order, over eight archetypes told apart by tags',
  sizes,
  reference: (size) => [(size * size) / 2],
}

const has = {
  name: 'has',
  title: 'Has: whether an entity has a component, shuffled order; three of four have it',
  sizes,
  runsPerSample: severalRuns,
  beside: [PIECS_ADD_REMOVE],
  /** How many have it. */
  reference: (size) => [size - Math.floor((size + 2) / 4)],
}

export const callCases = [
  spawnBare,
  spawnValues,
  spawnDestroy,
  addBare,
  addValues,
  getThree,
  getThreeMet,
  setThree,
  setThreeMet,
  getMixed,
  moveByHandle,
  has,
]

/** The names of the fields of the k-th other shape: one to eight. */
const otherFields = (k) => Array.from({ length: 1 + (k % 8) }, (_, f) => `${'abcdefgh'[f]}${k}`)
const OTHER_SHAPES = 20

const valuesIn = ({ read }, handles) => Array.from(handles, (handle) => read(handle)).flat()

/** Ids go into an array of numbers where they are numbers. */
const listOf = ({ list = (size) => new Array(size).fill(undefined) }, size) => list(size)

const spawning = (values) => (createStage) => (size) => {
  const stage = createStage(size)
  const { spawn, spawnWith, kill } = stage
  const handles = listOf(stage, size)
  let living = false
  function killAll() {
    for (let i = 0; i < size; i++) kill(handles[i])
    living = false
  }
  function spawnAll() {
    for (let i = 0; i < size; i++) handles[i] = spawn()
    living = true
  }
  function spawnAllWith() {
    for (let i = 0; i < size; i++) {
      handles[i] = spawnWith(i + 0.5, 0.25 - i, i * 0.5 + 0.25, 1.5, i + 0.25, -0.75)
    }
    living = true
  }
  return {
    before: () => living && killAll(),
    run: values ? spawnAllWith : spawnAll,
    result() {
      const found = [stage.count(), ...valuesIn(stage, handles)]
      for (const handle of handles) stage.soil(handle)
      return found
    },
  }
}

const spawningAndDestroying = (createStage) => (size) => {
  const stage = createStage(size)
  const { spawn, kill } = stage
  const handles = listOf(stage, size)
  function spawnAll() {
    for (let i = 0; i < size; i++) handles[i] = spawn()
  }
  function killAll() {
    for (let i = 0; i < size; i++) kill(handles[i])
  }
  return {
    run() {
      spawnAll()
      killAll()
    },
    result() {
      spawnAll()
      const found = [stage.count(), ...valuesIn(stage, handles)]
      for (const handle of handles) stage.soil(handle)
      killAll()
      return [...found, stage.count()]
    },
  }
}

/** Entities with a Position; what is done with it is said later. */
function createStill(createStage, size) {
  const stage = createStage(size)
  const handles = listOf(stage, size)
  const shuffled = listOf(stage, size)
  for (let i = 0; i < size; i++) handles[i] = stage.spawnStill(...valuesOf(i).slice(0, 3))
  shuffledOrder(size).forEach((i, k) => (shuffled[k] = handles[i]))
  return { stage, handles, shuffled }
}

const adding = (values) => (createStage) => (size) => {
  const { stage, handles } = createStill(createStage, size)
  const { add, addWith, remove } = stage
  let added = false
  function addAll() {
    for (let i = 0; i < size; i++) add(handles[i])
    added = true
  }
  function addAllWith() {
    for (let i = 0; i < size; i++) addWith(handles[i], 1.5, i + 0.25, -0.75)
    added = true
  }
  return {
    before() {
      if (!added) return
      for (let i = 0; i < size; i++) remove(handles[i])
      added = false
    },
    run: values ? addAllWith : addAll,
    result() {
      const found = [stage.count(), ...valuesIn(stage, handles)]
      for (const handle of handles) stage.soilVelocity(handle)
      return found
    },
  }
}

const getting = (met) => (createStage) => (size) => {
  const { stage, shuffled } = createStill(createStage, size)
  const { sum } = stage
  if (met) meetOthers(stage)
  function run() {
    let total = 0
    for (let k = 0; k < size; k++) total += sum(shuffled[k])
    return total
  }
  return { run, result: () => [run()] }
}

const setting = (met) => (createStage) => (size) => {
  const { stage, handles, shuffled } = createStill(createStage, size)
  const { put } = stage
  if (met) meetOthers(stage)
  let round = 0
  return {
    run() {
      round++
      for (let k = 0; k < size; k++) put(shuffled[k], k + round + 0.5, round * 0.25 - k, 0.5 - k - round)
    },
    result: () => Array.from(handles, (handle) => stage.place(handle)).flat(),
  }
}

function meetOthers({ meet }) {
  for (let k = 0; k < OTHER_SHAPES; k++) meet(otherFields(k), k)
}

const gettingMixed = (createStage) => (size) => {
  const { stage, handles, shuffled } = createStill(createStage, size)
  const { first } = stage
  handles.forEach((handle, i) => {
    for (let bit = 0; bit < 3; bit++) if (archetypeOf(i) & (1 << bit)) stage.mark(handle, bit)
  })
  function run() {
    let total = 0
    for (let k = 0; k < size; k++) total += first(shuffled[k])
    return total
  }
  return { run, result: () => [run()] }
}

const moving = (createStage) => (size) => {
  const { stage, handles, shuffled } = createStill(createStage, size)
  handles.forEach((handle, i) => stage.addWith(handle, ...valuesOf(i).slice(3)))
  const { advance } = stage
  let round = 0
  return {
    run() {
      const step = stepOf(++round)
      for (let k = 0; k < size; k++) advance(shuffled[k], step)
    },
    result: () => valuesIn(stage, handles),
  }
}

const asking = (createStage) => (size) => {
  const { stage, handles, shuffled } = createStill(createStage, size)
  const { has } = stage
  handles.forEach((handle, i) => hasVelocity(i) && stage.add(handle))
  function run() {
    let count = 0
    for (let k = 0; k < size; k++) if (has(shuffled[k])) count++
    return count
  }
  return { run, result: () => [run()] }
}

const WORKS = [
  [spawnBare, spawning(false)],
  [spawnValues, spawning(true)],
  [spawnDestroy, spawningAndDestroying],
  [addBare, adding(false)],
  [addValues, adding(true)],
  [getThree, getting(false)],
  [getThreeMet, getting(true)],
  [setThree, setting(false)],
  [setThreeMet, setting(true)],
  [getMixed, gettingMixed],
  [moveByHandle, moving],
  [has, asking],
]

/**
 * The ways of these cases over stages: for each name of a way a function of the number of entities that gives the verbs of
 * a library:
 *
 * - `spawn()`, `spawnWith(x, y, z, vx, vy, vz)` and `spawnStill(x, y, z)`, which has a Position alone; `kill(entity)`
 * - `add(entity)`, `addWith(entity, x, y, z)` and `remove(entity)` of a Velocity, `has(entity)`
 * - `sum(entity)` of the three fields of Position, `first(entity)`, `put(entity, x, y, z)`
 * - `advance(entity, dt)`, which adds Velocity times dt to Position
 * - `mark(entity, bit)`, which adds the tag of that number
 * - `meet(names, k)`, which reads and writes another component with fields of these names some hundred times
 * - for the checks `count()` of those that have both, `read(entity)`, all six values, `place(entity)`, those of Position,
 *   `soil(entity)`, which writes 7 into all six, and `soilVelocity(entity)`
 * - `list(size)` where entities are numbers
 *
 * @param {Record<string, (size: number) => object>} stages
 * @param {Record<string, string[]>} lacking for a way the names of the cases whose verbs it has not
 */
export function callWays(stages, lacking = {}) {
  const waysOf = (name, work) =>
    Object.entries(stages)
      .filter(([way]) => !lacking[way]?.includes(name))
      .map(([way, createStage]) => [way, work(createStage)])
  return Object.fromEntries(WORKS.map(([{ name }, work]) => [name, Object.fromEntries(waysOf(name, work))]))
}
