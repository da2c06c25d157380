// Owns what carries over of rust-gamedev/ecs_bench_suite and is not in the suite of noctjs already: simple_insert,
// heavy_compute, schedule, and writing a world down and reading it again. Values must be such that every library comes to
// the same ones, and that one which does nothing does not.
import { invert } from './matrix.js'
import simpleIter from './noct-simple-iter.js'

/** What simple_insert gives every entity; x of its three vectors is 1. */
export const IDENTITY = Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)

const insert = {
  name: 'simple_insert',
  title: 'simple_insert (rust): entities with a mat4 and three vec3, into an empty world',
  sizes: [10_000],
  /** How many there are; then the mat4 and the three vec3 of each. */
  reference(size) {
    const values = [size]
    for (let i = 0; i < size; i++) values.push(...IDENTITY, 1, 0, 0, 1, 0, 0, 1, 0, 0)
    return values
  },
}

/** One less than in the suite: after an even number, every matrix is what it was. */
export const INVERSIONS = 99

export const startX = (i) => 1 + (i % 3)
export const startY = (i) => i % 5
export const startZ = (i) => 2 - (i % 2)

/** A matrix of whole numbers with determinant 1, by columns. It is the product of two triangles, and a translation. */
export function matrixOf(i) {
  const [a, b, c, d] = [1 + (i % 2), 1 + (i % 3), 1 + (i % 2), 1]
  return [1, a, 0, 0, c, a * c + 1, b, 0, 0, d, b * d + 1, 0, i % 5, i % 7, 1, 1]
}

/** Turns a direction by the matrix in `m` from `at` on: the three results. */
export const turnedX = (m, at, x, y, z) => m[at] * x + m[at + 4] * y + m[at + 8] * z
export const turnedY = (m, at, x, y, z) => m[at + 1] * x + m[at + 5] * y + m[at + 9] * z
export const turnedZ = (m, at, x, y, z) => m[at + 2] * x + m[at + 6] * y + m[at + 10] * z

const heavy = {
  name: 'heavy_compute',
  title: `heavy_compute (rust): a mat4 inverted ${INVERSIONS} times, then a position turned by it`,
  sizes: [1_000],
  /** Matrix and position of every entity, in order of creation: every second run undoes the one before. */
  reference(size, runs) {
    const values = []
    for (let i = 0; i < size; i++) {
      const m = matrixOf(i)
      const start = [startX(i), startY(i), startZ(i)]
      if (runs % 2) invert(m, 0)
      values.push(
        ...m,
        ...(runs % 2 ? [turnedX, turnedY, turnedZ].map((turned) => turned(m, 0, ...start)) : start),
      )
    }
    return values
  },
}

const schedule = {
  ...simpleIter,
  name: 'schedule',
  title:
    'schedule (rust): three systems swap two components, over four archetypes of 10,000, run by a schedule',
  sizes: [40_000],
}

/** The k-th of the 16 values of the mat4, and of the 9 of the three vec3. f32 and JSON hold them exactly. */
export const transformOf = (i, k) => ((i * 16 + k) % 1_000) + 0.25
export const vectorOf = (i, k) => ((i * 9 + k) % 1_000) - 499.5

/** All values of an entity, the mat4 first. */
export const valuesOf = (i) =>
  Array.from({ length: 25 }, (_, k) => (k < 16 ? transformOf(i, k) : vectorOf(i, k - 16)))

const serialised = (name, form) => ({
  name,
  title: `${name} (rust): entities with a mat4 and three vec3 written ${form}, and read into an empty world`,
  sizes: [1_000],
  /** The mat4 and the three vec3 of each that was read, in the order of creation. */
  reference: (size) => Array.from({ length: size }, (_, i) => valuesOf(i)).flat(),
})

export const rustCases = [
  insert,
  heavy,
  schedule,
  serialised('serialize_binary', 'as bytes'),
  serialised('serialize_text', 'as text'),
]
