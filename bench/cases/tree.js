// Owns the cases of a scene graph: every node has a matrix beside its parent, and gets the one in the world, parents before
// children; and the same after one node was given another parent. It must never round: matrices are quarter turns and whole
// steps, so that all ways come to the same values, in f32 and in f64.

const SIZES = [10_000, 100_000]

/** A number from 0 to below 1 that looks as if by chance. */
const chance = (i) => (Math.imul(i + 1, 2654435761) >>> 0) / 2 ** 32

/** The parent of a node; -1 for the root. It comes before the node, so that plain arrays are in a fitting order. */
export const parentOf = (i) => (i === 0 ? -1 : Math.floor(chance(i) * i))

/** Which node has another parent after run r, and which one. It stays one that comes before the node. */
export function changeOf(r, size) {
  const node = 1 + Math.floor(chance(r * 7 + 3) * (size - 1))
  return { node, parent: Math.floor(chance(r * 13 + 5) * node) }
}

const QUARTERS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
]

/** The 16 numbers of a node's own matrix, column by column. */
export function localOf(i) {
  const [c, s] = QUARTERS[i % 4]
  return [c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, i % 7, i % 5, i % 3, 1]
}

/** Writes the matrix in the world of node i, whose parent is done. A negative parent stands for none. */
export function place(world, local, i, parent) {
  const at = i * 16
  if (parent < 0) {
    for (let k = 0; k < 16; k++) world[at + k] = local[at + k]
    return
  }
  const p = parent * 16
  for (let column = at; column < at + 16; column += 4) {
    const x = local[column]
    const y = local[column + 1]
    const z = local[column + 2]
    const w = local[column + 3]
    world[column] = world[p] * x + world[p + 4] * y + world[p + 8] * z + world[p + 12] * w
    world[column + 1] = world[p + 1] * x + world[p + 5] * y + world[p + 9] * z + world[p + 13] * w
    world[column + 2] = world[p + 2] * x + world[p + 6] * y + world[p + 10] * z + world[p + 14] * w
    world[column + 3] = world[p + 3] * x + world[p + 7] * y + world[p + 11] * z + world[p + 15] * w
  }
}

/** All own matrices, one after the other. */
export function locals(size, numbers = new Float32Array(size * 16)) {
  for (let i = 0; i < size; i++) numbers.set(localOf(i), i * 16)
  return numbers
}

/** Where all nodes are in the world, from their matrices. */
export const placesIn = (world, size) =>
  Array.from({ length: size * 3 }, (_, k) => world[Math.floor(k / 3) * 16 + 12 + (k % 3)])

function reference(size, changes) {
  const parents = Array.from({ length: size }, (_, i) => parentOf(i))
  for (let r = 1; r <= changes; r++) {
    const { node, parent } = changeOf(r, size)
    parents[node] = parent
  }
  const [world, local] = [new Float64Array(size * 16), locals(size, new Float64Array(size * 16))]
  for (let i = 0; i < size; i++) place(world, local, i, parents[i])
  return placesIn(world, size)
}

/** Where all nodes are. */
export const tree = {
  name: 'tree',
  title: 'Scene graph: the matrices of all nodes in the world, from their own and their parents’',
  sizes: SIZES,
  reference: (size) => reference(size, 0),
}

/** Where all nodes are after one run. */
export const treeChanged = {
  name: 'tree-changed',
  title: 'Scene graph: one node gets another parent, then the matrices of all nodes in the world',
  sizes: SIZES,
  reference: (size) => reference(size, 1),
}

export const treeCases = [tree, treeChanged]

/**
 * The ways of a library, from what it does.
 *
 * @param createTree by the name of the way: `(size) => ({ place(), link(i, parent), places() })` with all nodes linked
 */
export function treeWays(createTree) {
  const ways = (run) =>
    Object.fromEntries(Object.entries(createTree).map(([name, create]) => [name, run(create)]))
  const placing = (create) => (size) => {
    const nodes = create(size)
    return { run: () => nodes.place(), result: () => nodes.places() }
  }
  const changing = (create) => (size) => {
    const nodes = create(size)
    let runs = 0
    const run = () => {
      const { node, parent } = changeOf(++runs, size)
      nodes.link(node, parent)
      nodes.place()
    }
    return {
      run,
      result() {
        // Whatever was run before, one run from the beginning.
        for (let i = 1; i < size; i++) nodes.link(i, parentOf(i))
        runs = 0
        run()
        return nodes.places()
      },
    }
  }
  return { [tree.name]: ways(placing), [treeChanged.name]: ways(changing) }
}
