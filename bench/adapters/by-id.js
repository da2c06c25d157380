// Owns the values of the cases of single calls for libraries whose entities are numbers and whose values lie in typed
// arrays of the program, by id. It must never touch the library itself.

const VECTOR = ['x', 'y', 'z']

/** @param capacity above every id */
export function createVectors(capacity) {
  const vector = () => Object.fromEntries(VECTOR.map((axis) => [axis, new Float32Array(capacity)]))
  return { position: vector(), velocity: vector() }
}

/**
 * The verbs that read and write by id, over vectors `{ x, y, z }` of arrays; for a library whose entities are objects,
 * `idOf` gives the place of one.
 */
export function verbsById({ position, velocity }, idOf = (id) => id) {
  const { x, y, z } = position
  const { x: vx, y: vy, z: vz } = velocity
  const valuesOf = (vector, id) => VECTOR.map((axis) => vector[axis][id])
  function write(vector, id, a, b, c) {
    vector.x[id] = a
    vector.y[id] = b
    vector.z[id] = c
  }
  return {
    write,
    sum(entity) {
      const id = idOf(entity)
      return x[id] + y[id] + z[id]
    },
    first: (entity) => x[idOf(entity)],
    put: (entity, a, b, c) => write(position, idOf(entity), a, b, c),
    advance(entity, dt) {
      const id = idOf(entity)
      x[id] += vx[id] * dt
      y[id] += vy[id] * dt
      z[id] += vz[id] * dt
    },
    place: (entity) => valuesOf(position, idOf(entity)),
    read: (entity) => [...valuesOf(position, idOf(entity)), ...valuesOf(velocity, idOf(entity))],
    soilVelocity: (entity) => write(velocity, idOf(entity), 7, 7, 7),
    soil(entity) {
      write(position, idOf(entity), 7, 7, 7)
      write(velocity, idOf(entity), 7, 7, 7)
    },
    // Arrays have no shapes to meet.
    meet() {},
  }
}
