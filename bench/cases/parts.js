// Owns the table of parts: every entity has a Transform { x y z: f32 }, odd ones a Shader { vs fs: i32 }, those not
// divisible by 3 a Physics { mass friction bounce force: f32 }; some are destroyed; then shader.vs++ and physics.force +=
// 1 over those that have both. It must never be run over a store that a run before has used.
//
// The published rule destroys those not divisible by 6. What is left has neither Shader nor Physics, so that the update
// finds nobody: `parts` does this to the letter. `parts-pairs` destroys those divisible by 6 instead, which leaves a third
// of all with both; `parts-update` is the update alone over these.

export const hasShader = (i) => i % 2 !== 0
export const hasPhysics = (i) => i % 3 !== 0
const isNotSixth = (i) => i % 6 !== 0
const isSixth = (i) => i % 6 === 0

// Halves, that an engine does not take floats for whole numbers; f32 holds all of them exactly.
export const xOf = (i) => i + 0.5
export const yOf = (i) => i + 1.5
export const zOf = (i) => i + 2.5
export const vsOf = (i) => i
export const fsOf = (i) => -1 - i
export const MASS = 1.5
export const FRICTION = 0.25
export const BOUNCE = 0.75
export const forceOf = (i) => i + 0.5

/** Below this, f32 has every half. */
const EXACT_HALVES = 2 ** 23

/** The number of entities that are left; then all fields of each, in order of creation, 0 where it has no such part. */
function stateAfter(size, isDoomed, updates) {
  if (size + updates >= EXACT_HALVES) {
    throw new RangeError(`${updates} updates leave the range in which f32 is exact; shorten --milliseconds.`)
  }
  const values = [0]
  for (let i = 0; i < size; i++) {
    if (isDoomed(i)) continue
    const done = hasShader(i) && hasPhysics(i) ? updates : 0
    values[0]++
    values.push(xOf(i), yOf(i), zOf(i))
    values.push(...(hasShader(i) ? [vsOf(i) + done, fsOf(i)] : [0, 0]))
    values.push(...(hasPhysics(i) ? [MASS, FRICTION, BOUNCE, forceOf(i) + done] : [0, 0, 0, 0]))
  }
  return values
}

const sizes = [1_000, 10_000, 100_000]

/** Updates before the destruction, and after it. */
const AS_PUBLISHED = [0, 1]
const PROGRAM = [1, 1]
const SECOND = [30, 30]
const sum = ([before, after]) => before + after
const OBJECTS = { name: 'objects', library: 'baselines', way: 'game objects' }

export const partsCases = [
  {
    name: 'parts-program',
    title: 'Parts, a whole program, cold: make the world, create, update, destroy every sixth, update',
    sizes,
    once: true,
    beside: [OBJECTS],
    reference: (size) => stateAfter(size, isSixth, sum(PROGRAM)),
  },
  {
    name: 'parts-second',
    title: 'Parts, a second of a game: create, 30 updates, destroy every sixth, 30 updates',
    sizes,
    beside: [OBJECTS],
    reference: (size) => stateAfter(size, isSixth, sum(SECOND)),
  },
  {
    name: 'parts',
    title: 'Parts, as published: create, add, destroy all but every sixth, update (finds nobody)',
    sizes,
    reference: (size) => stateAfter(size, isNotSixth, 1),
  },
  {
    name: 'parts-pairs',
    title: 'Parts: create, add, destroy every sixth, update a third',
    sizes,
    reference: (size) => stateAfter(size, isSixth, 1),
  },
  {
    name: 'parts-update',
    title: 'Parts: the update alone, shader.vs++ and physics.force += 1 over a third of the entities',
    sizes,
    runsPerSample: (size) => Math.max(1, Math.floor(64_000 / size)),
    reference: (size, runs) => stateAfter(size, isSixth, runs),
  },
]

function create(store, handles) {
  if (store.spawnAll) return store.spawnAll(handles)
  for (let i = 0; i < handles.length; i++) handles[i] = store.spawn(i)
}

function destroyThose(store, handles, isDoomed) {
  if (store.destroyThose) return store.destroyThose(handles, isDoomed)
  for (let i = 0; i < handles.length; i++) if (isDoomed(i)) store.destroy(handles[i])
}

function live(store, handles, isDoomed, [updatesBefore, updatesAfter]) {
  create(store, handles)
  for (let frame = 0; frame < updatesBefore; frame++) store.update()
  destroyThose(store, handles, isDoomed)
  for (let frame = 0; frame < updatesAfter; frame++) store.update()
}

function resultOf(store, handles, isDoomed) {
  const values = [store.count]
  for (let i = 0; i < handles.length; i++) if (!isDoomed(i)) values.push(...store.valuesOf(handles[i]))
  return values
}

/** Each run has a new store, made before the clock starts. */
function whole(Store, isDoomed, updates) {
  return (size) => {
    const handles = new Array(size).fill(undefined)
    let store
    return {
      before() {
        store?.dispose?.()
        store = new Store()
      },
      run: () => live(store, handles, isDoomed, updates),
      result: () => resultOf(store, handles, isDoomed),
    }
  }
}

/** The only run makes the store, too. */
function program(Store) {
  return (size) => {
    const handles = new Array(size).fill(undefined)
    let store
    return {
      run() {
        store = new Store()
        live(store, handles, isSixth, PROGRAM)
      },
      result: () => resultOf(store, handles, isSixth),
    }
  }
}

function updateAlone(Store) {
  return (size) => {
    const store = new Store()
    const handles = new Array(size).fill(undefined)
    live(store, handles, isSixth, [0, 0])
    return { run: () => store.update(), result: () => resultOf(store, handles, isSixth) }
  }
}

/**
 * The ways of all these cases over stores: classes with `spawn(i)`, which gives a handle, `destroy(handle)`, `update()`,
 * `count`, `valuesOf(handle)` and, where there is something to let go, `dispose()`. A store that makes or
 * destroys them all at once has `spawnAll(handles)` and `destroyThose(handles, isDoomed)` instead of the first two.
 *
 * @param {Record<string, new () => object>} stores those that make entities in different ways
 * @param {Record<string, new () => object>} updating those that update them in different ways
 */
export function partsWays(stores, updating = stores) {
  const waysOf = (some, work) =>
    Object.fromEntries(Object.entries(some).map(([name, Store]) => [name, work(Store)]))
  return {
    'parts-program': waysOf(stores, program),
    'parts-second': waysOf(stores, (Store) => whole(Store, isSixth, SECOND)),
    parts: waysOf(stores, (Store) => whole(Store, isNotSixth, AS_PUBLISHED)),
    'parts-pairs': waysOf(stores, (Store) => whole(Store, isSixth, AS_PUBLISHED)),
    'parts-update': waysOf(updating, updateAlone),
  }
}
