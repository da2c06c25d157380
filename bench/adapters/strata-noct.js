// Owns the strata-ecs side of the cases of noctjs/ecs-benchmark, by every way the library offers: chunk loop, `each`,
// kernel; calls, deferred calls, changes in bulk. Written with the public names only; it must never reach into the engine.
import { increase, swap } from '../../build/bench/noct.kernel.js'
import { component, createWorld, f32 } from '../../dist/index.js'
import { startOf as startOfData, typeOf } from '../cases/noct-frag-iter.js'
import { startOf as startOfPacked } from '../cases/noct-packed-5.js'
import { LETTERS, lettersOf, startOf as startOfSimple } from '../cases/noct-simple-iter.js'

const [A, B, C, D, E] = LETTERS.map((letter) => component(letter, { value: f32 }))
const BY_LETTER = { A, B, C, D, E }
const Data = component('Data', { value: f32 })

/** Each way of the looping cases: what a system that adds 1 to a component is, and one that swaps two. */
const byChunks = {
  increaseOf: (query, Component) => () => {
    for (const chunk of query) {
      const { value } = chunk.write(Component)
      for (let i = chunk.start; i < chunk.end; i++) value[i] += 1
    }
  },
  swapOf: (query, First, Second) => () => {
    for (const chunk of query) {
      const { value: first } = chunk.write(First)
      const { value: second } = chunk.write(Second)
      for (let i = chunk.start; i < chunk.end; i++) {
        const value = first[i]
        first[i] = second[i]
        second[i] = value
      }
    }
  },
}

const byEach = {
  increaseOf(query) {
    const add = (entity, component) => {
      component.value += 1
    }
    return () => query.each(add)
  },
  swapOf(query) {
    const exchange = (entity, first, second) => {
      const value = first.value
      first.value = second.value
      second.value = value
    }
    return () => query.each(exchange)
  },
}

const byKernel = {
  increaseOf(query, Component, world) {
    const step = world.kernel(increase, { value: [Component, 'value'] })
    return () => query.run(step)
  },
  swapOf(query, First, Second, world) {
    const step = world.kernel(swap, { first: [First, 'value'], second: [Second, 'value'] })
    return () => query.run(step)
  },
}

function runAll(systems) {
  for (let k = 0; k < systems.length; k++) systems[k]()
}

const packed5 = (way) => (size) => {
  const world = createWorld()
  const components = [A, B, C, D, E]
  const systems = components.map((Component) => way.increaseOf(world.query(Component), Component, world))
  const handles = Array.from({ length: size }, (_, i) =>
    world.spawn(...components.map((Component, k) => Component({ value: startOfPacked(i, k) }))),
  )
  return {
    run: () => runAll(systems),
    result: () =>
      handles.flatMap((handle) => components.map((Component) => world.get(handle, Component).value)),
  }
}

const simpleIter = (way) => (size) => {
  const world = createWorld()
  const systems = [
    [A, B],
    [C, D],
    [C, E],
  ].map(([First, Second]) => way.swapOf(world.query(First, Second), First, Second, world))
  const handles = Array.from({ length: size }, (_, i) =>
    world.spawn(...lettersOf(i).map((letter) => BY_LETTER[letter]({ value: startOfSimple(i, letter) }))),
  )
  return {
    run: () => runAll(systems),
    result: () =>
      handles.flatMap((handle, i) =>
        lettersOf(i).map((letter) => world.get(handle, BY_LETTER[letter]).value),
      ),
  }
}

const fragIter = (way, types) => (size) => {
  const world = createWorld()
  const own = Array.from({ length: types }, (_, type) => component(`Own${type}`, { value: f32 }))
  const Last = own[types - 1]
  const systems = [Data, Last].map((Component) => way.increaseOf(world.query(Component), Component, world))
  const ownOf = (i) => own[typeOf(i, types)]
  const handles = Array.from({ length: size }, (_, i) =>
    world.spawn(Data({ value: startOfData(i) }), ownOf(i)({ value: typeOf(i, types) })),
  )
  return {
    run: () => runAll(systems),
    result: () =>
      handles.flatMap((handle, i) => [world.get(handle, Data).value, world.get(handle, ownOf(i)).value]),
  }
}

function createNoctStage(size) {
  const world = createWorld()
  const withA = world.query(A)
  const withB = world.query(B)
  for (let i = 0; i < size; i++) world.spawn(A({ value: i }))
  const sorted = (query, Component) =>
    Array.from(query.entities(), (handle) => world.get(handle, Component).value).sort((a, b) => a - b)
  return { world, withA, withB, a: world.accessor(A), b: world.accessor(B), sorted }
}

function entityCycleCase(size, spawnAll, destroyAll) {
  const stage = createNoctStage(size)
  return {
    run() {
      spawnAll(stage)
      destroyAll(stage)
    },
    result() {
      spawnAll(stage)
      const values = stage.sorted(stage.withB, B)
      destroyAll(stage)
      return [...values, stage.withB.count, stage.withA.count]
    },
  }
}

const entityCycleEach = (size) =>
  entityCycleCase(
    size,
    ({ world, withA, a, b }) => {
      const sources = withA.entities()
      for (let i = 0; i < sources.length; i++) b.of(world.spawn(B)).value = a.of(sources[i]).value
    },
    ({ world, withB }) => {
      const doomed = withB.entities()
      for (let i = 0; i < doomed.length; i++) world.destroy(doomed[i])
    },
  )

const entityCycleWithValue = (size) =>
  entityCycleCase(
    size,
    ({ world, withA, a }) => {
      const sources = withA.entities()
      for (let i = 0; i < sources.length; i++) world.spawn(B({ value: a.of(sources[i]).value }))
    },
    ({ world, withB }) => {
      const doomed = withB.entities()
      for (let i = 0; i < doomed.length; i++) world.destroy(doomed[i])
    },
  )

// As a program would write it when it does not know the rules: inside the loop, so every change is deferred.
const entityCycleDeferred = (size) =>
  entityCycleCase(
    size,
    ({ world, withA }) => {
      for (const chunk of withA) {
        const { value } = chunk.read(A)
        for (let i = chunk.start; i < chunk.end; i++) world.spawn(B({ value: value[i] }))
      }
    },
    ({ world, withB }) => {
      for (const chunk of withB) {
        for (let i = chunk.start; i < chunk.end; i++) world.destroy(chunk.entities[i])
      }
    },
  )

// Inside the loop over A spawnMany would wait, and the arrays of A may be replaced by it: the values cross over in
// an array of the program's own.
const entityCycleBulk = (size) => {
  const values = new Float32Array(size)
  return entityCycleCase(
    size,
    ({ world, withA }) => {
      let copied = 0
      for (const chunk of withA) {
        const { start, end } = chunk
        values.set(chunk.read(A).value.subarray(start, end), copied)
        copied += end - start
      }
      let next = 0
      world.spawnMany(copied, [B], (chunk) => {
        const count = chunk.end - chunk.start
        chunk.write(B).value.set(values.subarray(next, next + count), chunk.start)
        next += count
      })
    },
    ({ withB }) => withB.destroy(),
  )
}

function noctAddRemoveCase(size, add, remove) {
  const stage = createNoctStage(size)
  const { world, withB, sorted } = stage
  return {
    run() {
      add(stage)
      remove(stage)
    },
    result() {
      add(stage)
      const values = [withB.count, sorted(withB, B).reduce((sum, value) => sum + value, 0)]
      for (const handle of withB.entities()) world.set(handle, B, { value: 7 })
      remove(stage)
      return [...values, withB.count, ...sorted(stage.withA, A)]
    },
  }
}

const noctAddRemoveEach = (size) =>
  noctAddRemoveCase(
    size,
    ({ world, withA }) => {
      const targets = withA.entities()
      for (let i = 0; i < targets.length; i++) world.add(targets[i], B)
    },
    ({ world, withB }) => {
      const targets = withB.entities()
      for (let i = 0; i < targets.length; i++) world.remove(targets[i], B)
    },
  )

const noctAddRemoveDeferred = (size) =>
  noctAddRemoveCase(
    size,
    ({ world, withA }) => {
      for (const chunk of withA) {
        for (let i = chunk.start; i < chunk.end; i++) world.add(chunk.entities[i], B)
      }
    },
    ({ world, withB }) => {
      for (const chunk of withB) {
        for (let i = chunk.start; i < chunk.end; i++) world.remove(chunk.entities[i], B)
      }
    },
  )

const noctAddRemoveByQuery = (size) =>
  noctAddRemoveCase(
    size,
    ({ withA }) => withA.add(B),
    ({ withB }) => withB.remove(B),
  )

const LOOPS = { 'chunk views, columns as locals': byChunks, each: byEach, kernel: byKernel }
const waysOf = (work) => Object.fromEntries(Object.entries(LOOPS).map(([name, way]) => [name, work(way)]))

export const noctWays = {
  packed_5: waysOf(packed5),
  simple_iter: waysOf(simpleIter),
  frag_iter: waysOf((way) => fragIter(way, 26)),
  frag_iter_256: waysOf((way) => fragIter(way, 256)),
  entity_cycle: {
    'spawn(C), accessor': entityCycleEach,
    'spawn(C({...}))': entityCycleWithValue,
    'in the loop, deferred': entityCycleDeferred,
    'spawnMany, query.destroy': entityCycleBulk,
  },
  add_remove: {
    'per call': noctAddRemoveEach,
    'in the loop, deferred': noctAddRemoveDeferred,
    'query.add/remove': noctAddRemoveByQuery,
  },
}
