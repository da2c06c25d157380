// Owns the course of the structural cases: given the verbs of a library, what is run, and what the result is, in the
// order of the reference. It must never stand between a library and the timer: `run` calls the verbs and nothing else.

/** @param verbs spawnAll, destroyAll, count, read(k): x, y, z, vx, vy, vz of the k-th spawned, soil(): 7 everywhere */
export function spawnScene(size, { spawnAll, destroyAll, count, read, soil }) {
  return {
    before: () => count() > 0 && destroyAll(),
    run: spawnAll,
    result() {
      const values = [count()]
      for (let k = 0; k < size; k++) {
        const [x, y, z, vx, vy, vz] = read(k)
        values.push(x, y + z, vx + vy + vz)
      }
      soil()
      return values
    },
  }
}

/** @param verbs spawnAll, destroyAll, count, alive(k): whether the k-th handle still is */
export function destroyScene(size, { spawnAll, destroyAll, count, alive }) {
  return {
    before() {
      spawnAll()
      if (count() !== size) throw new Error('not all were spawned')
    },
    run: destroyAll,
    result: () => [count(), Array.from({ length: size }, (_, k) => alive(k)).filter(Boolean).length],
  }
}

/** @param verbs add, remove, count, velocity(k): [vx, vy, vz], soil(): 7 in every velocity, x(k) */
export function addRemoveScene(size, { add, remove, count, velocity, soil, x }) {
  return {
    run() {
      add()
      remove()
    },
    result() {
      add()
      const values = [count(), 0]
      for (let k = 0; k < size; k++) for (const value of velocity(k)) values[1] += value
      soil()
      remove()
      values.push(count())
      for (let k = 0; k < size; k++) values.push(x(k))
      return values
    },
  }
}

/** @param verbs spawnEach, destroyEach, valuesOfA, valuesOfB: of all that a query finds, in any order */
export function entityCycleScene({ spawnEach, destroyEach, valuesOfA, valuesOfB }) {
  return {
    run() {
      spawnEach()
      destroyEach()
    },
    result() {
      spawnEach()
      const values = sorted(valuesOfB())
      destroyEach()
      return [...values, valuesOfB().length, valuesOfA().length]
    },
  }
}

/** @param verbs addEach, removeEach, valuesOfA, valuesOfB as above, soil(): 7 in every B */
export function noctAddRemoveScene({ addEach, removeEach, valuesOfA, valuesOfB, soil }) {
  return {
    run() {
      addEach()
      removeEach()
    },
    result() {
      addEach()
      const b = valuesOfB()
      soil()
      removeEach()
      return [b.length, b.reduce((sum, value) => sum + value, 0), valuesOfB().length, ...sorted(valuesOfA())]
    },
  }
}

/** @param verbs addToAll, removeFromAll, tagged: how many have it, values: of all, in order of creation */
export function tagScene({ addToAll, removeFromAll, tagged, values }) {
  return {
    before: () => tagged() > 0 && removeFromAll(),
    run: addToAll,
    result() {
      const found = [tagged()]
      removeFromAll()
      return [...found, tagged(), ...values()]
    },
  }
}

const sorted = (values) => values.sort((a, b) => a - b)
