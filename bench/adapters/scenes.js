// Owns the course of the structural cases: given the verbs of a library, what is run, and what the result is, in the
// order of the reference. It must never stand between a library and the timer: `run` calls the verbs and nothing else.
// Verbs may be asynchronous. One that does both halves, as systems of one frame do, stands for them in `run`.

/** @param verbs spawnAll, destroyAll, count, read(k): x, y, z, vx, vy, vz of the k-th spawned, soil(): 7 everywhere */
export function spawnScene(size, { spawnAll, destroyAll, count, read, soil }) {
  return {
    before: () => after(count(), (left) => left > 0 && destroyAll()),
    run: spawnAll,
    async result() {
      const values = [await count()]
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
  function refuseAnyMissing(found) {
    if (found !== size) throw new Error('not all were spawned')
  }
  return {
    before: () => after(after(spawnAll(), count), refuseAnyMissing),
    run: destroyAll,
    async result() {
      const handlesAlive = Array.from({ length: size }, (_, k) => alive(k)).filter(Boolean).length
      return [await count(), handlesAlive]
    },
  }
}

/** @param verbs spawnAll, destroyAll, count, read(k), alive(k), soil(): all as above */
export function spawnKillScene(size, { spawnAll, destroyAll, count, read, alive, soil }) {
  return {
    run() {
      spawnAll()
      destroyAll()
    },
    result() {
      spawnAll()
      const values = [count()]
      for (let k = 0; k < size; k++) {
        const [x, y, z, vx, vy, vz] = read(k)
        values.push(x, y + z, vx + vy + vz)
      }
      soil()
      destroyAll()
      const living = Array.from({ length: size }, (_, k) => alive(k)).filter(Boolean).length
      return [...values, count(), living]
    },
  }
}

/** @param verbs add, remove, both; count, velocity(k): [vx, vy, vz], soil(): 7 in every velocity, x(k) */
export function addRemoveScene(size, { add, remove, both, count, velocity, soil, x }) {
  return {
    run: both ?? inTurn(add, remove),
    async result() {
      await add()
      const values = [await count(), 0]
      for (let k = 0; k < size; k++) for (const value of velocity(k)) values[1] += value
      await soil()
      await remove()
      values.push(await count())
      for (let k = 0; k < size; k++) values.push(x(k))
      return values
    },
  }
}

/** @param verbs spawnEach, destroyEach, both; valuesOfA, valuesOfB: of all that a query finds, in any order */
export function entityCycleScene({ spawnEach, destroyEach, both, valuesOfA, valuesOfB }) {
  return {
    run: both ?? inTurn(spawnEach, destroyEach),
    async result() {
      await spawnEach()
      const values = sorted(await valuesOfB())
      await destroyEach()
      return [...values, (await valuesOfB()).length, (await valuesOfA()).length]
    },
  }
}

/** @param verbs addEach, removeEach, both; valuesOfA, valuesOfB as above, soil(): 7 in every B */
export function noctAddRemoveScene({ addEach, removeEach, both, valuesOfA, valuesOfB, soil }) {
  return {
    run: both ?? inTurn(addEach, removeEach),
    async result() {
      await addEach()
      const b = await valuesOfB()
      await soil()
      await removeEach()
      const sum = b.reduce((total, value) => total + value, 0)
      return [b.length, sum, (await valuesOfB()).length, ...sorted(await valuesOfA())]
    },
  }
}

/** @param verbs addToAll, removeFromAll, tagged: how many have it, values: of all, in order of creation */
export function tagScene({ addToAll, removeFromAll, tagged, values }) {
  return {
    before: () => after(tagged(), (count) => count > 0 && removeFromAll()),
    run: addToAll,
    async result() {
      const found = [await tagged()]
      await removeFromAll()
      return [...found, await tagged(), ...values()]
    },
  }
}

const inTurn = (first, second) => () => {
  first()
  second()
}

/** Calls at once unless there is something to wait for: what is not asynchronous stays so. */
const after = (value, next) => (value instanceof Promise ? value.then(next) : next(value))

const sorted = (values) => values.sort((a, b) => a - b)
