// Owns the three cases of ddmills/js-ecs-benchmarks, which say how many updates there must have been. Each run begins
// with an empty world, made before the clock starts. Adapters must never find the moving entities but by a query.
export const STEP_X = 1
export const STEP_Y = 2

const addRemove = {
  name: 'dd-add-remove',
  title:
    'Add/Remove (ddmills): make two that move, move all, take Position from one, move all, destroy that one',
  unit: 'iteration',
  units: 'iterations, 25,010,000 updates in all',
  sizes: [5_000],
  /** How many updates there were; how many move at the end; the sums of all x and of all y that are left. */
  reference(iterations) {
    const updates = iterations * (iterations + 2)
    // Each that stays was moved twice in every iteration from its own; each that went, once before it lost its Position.
    const kept = updates - iterations
    return [updates, iterations, kept * STEP_X, kept * STEP_Y]
  },
}

const destroy = {
  name: 'dd-destroy',
  title: 'Destroy (ddmills): make one, add two components, destroy it',
  unit: 'iteration',
  units: 'iterations',
  sizes: [100_000],
  /** How many there are and the sum of what one more holds before it is destroyed; how many are left after that. */
  reference: () => [1, STEP_X + STEP_Y, 0],
}

const velocity = {
  name: 'dd-velocity',
  title: 'Velocity (ddmills): make one that moves, move all',
  unit: 'iteration',
  units: 'iterations, 2,001,000 updates in all',
  sizes: [2_000],
  /** How many updates there were; how many move at the end; the sums of all x and of all y. */
  reference(iterations) {
    const updates = (iterations * (iterations + 1)) / 2
    return [updates, iterations, updates * STEP_X, updates * STEP_Y]
  },
}

export const ddmillsCases = [addRemove, destroy, velocity]

function runAddRemove(scene, iterations) {
  let updates = 0
  for (let k = 0; k < iterations; k++) {
    const first = scene.spawnMoving()
    scene.spawnMoving()
    updates += scene.move()
    scene.removePosition(first)
    updates += scene.move()
    scene.destroy(first)
  }
  return updates
}

function runDestroy(scene, iterations) {
  for (let k = 0; k < iterations; k++) scene.destroy(scene.spawnMoving())
}

function runVelocity(scene, iterations) {
  let updates = 0
  for (let k = 0; k < iterations; k++) {
    scene.spawnMoving()
    updates += scene.move()
  }
  return updates
}

function growing(Scene, runAll) {
  return (iterations) => {
    let scene
    let updates
    return {
      before() {
        scene?.dispose?.()
        scene = new Scene(iterations * 2)
      },
      run: () => void (updates = runAll(scene, iterations)),
      result: () => [updates, scene.count, ...scene.sums()],
    }
  }
}

function emptying(Scene) {
  return (iterations) => {
    const scene = new Scene(1)
    return {
      run: () => runDestroy(scene, iterations),
      result() {
        const last = scene.spawnMoving()
        const values = [scene.count, scene.stepOf(last)]
        scene.destroy(last)
        return [...values, scene.count]
      },
    }
  }
}

/**
 * The ways of the three cases over scenes: classes made for a number of entities, with `spawnMoving()`, which makes an
 * entity, adds a Position of 0, 0 and a Velocity of STEP_X, STEP_Y and gives the entity; `removePosition(entity)`;
 * `destroy(entity)`; `move()`, which gives the number of updates; `count` of what moves; `sums()` of x and of y;
 * `stepOf(entity)`, the sum of its velocity; and, where there is something to let go, `dispose()`.
 *
 * @param {Record<string, new (capacity: number) => object>} scenes
 */
export function ddmillsWays(scenes) {
  const waysOf = (work) =>
    Object.fromEntries(Object.entries(scenes).map(([name, Scene]) => [name, work(Scene)]))
  return {
    'dd-add-remove': waysOf((Scene) => growing(Scene, runAddRemove)),
    'dd-destroy': waysOf(emptying),
    'dd-velocity': waysOf((Scene) => growing(Scene, runVelocity)),
  }
}

function growingByFrames(create, kind) {
  return (iterations) => {
    let scene
    let updates
    return {
      async before() {
        await scene?.dispose()
        scene = await create(kind, iterations * 2)
      },
      async run() {
        updates = 0
        for (let k = 0; k < iterations; k++) updates += await scene.iterate()
      },
      result: async () => [updates, await scene.count(), ...(await scene.sums())],
    }
  }
}

function emptyingByFrames(create) {
  return async (iterations) => {
    const scene = await create('destroy', 1)
    return {
      async run() {
        for (let k = 0; k < iterations; k++) await scene.iterate()
      },
      result: () => scene.single(),
    }
  }
}

/**
 * The same for a library whose systems run asynchronously: an iteration is one or several of its frames.
 *
 * @param {string} way
 * @param {(kind: 'add-remove' | 'destroy' | 'velocity', capacity: number) => Promise<object>} create makes a scene with
 *   `iterate()`, which gives the number of updates; `count()` of what moves; `sums()` of x and of y; `dispose()`; and
 *   `single()`: makes one more, gives how many there are and its step, destroys it, gives how many are left
 */
export const ddmillsFrameWays = (way, create) => ({
  'dd-add-remove': { [way]: growingByFrames(create, 'add-remove') },
  'dd-destroy': { [way]: emptyingByFrames(create) },
  'dd-velocity': { [way]: growingByFrames(create, 'velocity') },
})
