// A scene graph: every node has a matrix beside its parent's, and gets the one in the world, parents before children; and the
// same after one node was given another parent. Quarter turns and whole steps: nothing is rounded, in f32 or in f64.

/** A number from 0 to below 1 that looks as if by chance. */
const chance = (i) => (Math.imul(i + 1, 2654435761) >>> 0) / 2 ** 32

/** The parent of a node; -1 for the root. It comes before the node, so that plain arrays are in a fitting order. */
const parentOf = (i) => (i === 0 ? -1 : Math.floor(chance(i) * i))

/** Which node has another parent after run r, and which one. It stays one that comes before the node. */
function changeOf(r, size) {
  const node = 1 + Math.floor(chance(r * 7 + 3) * (size - 1))
  return { node, parent: Math.floor(chance(r * 13 + 5) * node) }
}

/** The 16 numbers of a node's own matrix, column by column. */
function localOf(i) {
  const [c, s] = [[1, 0, -1, 0][i % 4], [0, 1, 0, -1][i % 4]]
  return [c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, i % 7, i % 5, i % 3, 1]
}

/** Writes the matrix in the world of node i, whose parent is done. A negative parent stands for none. */
function place(world, local, i, parent) {
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
function locals(size, numbers = new Float32Array(size * 16)) {
  for (let i = 0; i < size; i++) numbers.set(localOf(i), i * 16)
  return numbers
}

/** Where all nodes are in the world, from their matrices. */
const placesIn = (world, size) =>
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

/** By hand: two typed arrays of matrices and one of parents, in an order that is given for nothing. */
function raw(size) {
  const [world, local] = [new Float32Array(size * 16), locals(size)]
  const parents = Int32Array.from({ length: size }, (_, i) => parentOf(i))
  return {
    place() {
      for (let i = 0; i < size; i++) place(world, local, i, parents[i])
    },
    link: (i, parent) => (parents[i] = parent),
    places: () => placesIn(world, size),
  }
}

async function strata(size) {
  const { cascade, component, createKernel, createWorld, f32, relation, vec } =
    await import('../../dist/index.js')
  const { placeRows } = await import('../../build/bench/tree.kernel.js')
  const Local = component('Local', { m: vec(f32, 16) })
  const Global = component('Global', { m: vec(f32, 16) })
  const ChildOf = relation('ChildOf', { exclusive: true, onTargetDestroy: 'destroy' })
  const world = createWorld()
  const nodes = []
  for (let i = 0; i < size; i++) {
    const local = Local({ m: localOf(i) })
    nodes.push(i === 0 ? world.spawn(local, Global) : world.spawn(local, Global, ChildOf(nodes[parentOf(i)])))
  }
  const levels = world.query(Local, Global, cascade(ChildOf))
  const step = createKernel(world, placeRows, {
    world: [Global, 'm'],
    local: [Local, 'm'],
    parent: [ChildOf, Global, 'm'],
  })
  return {
    place: () => levels.run(step),
    link: (i, parent) => world.add(nodes[i], ChildOf(nodes[parent])),
    places: () => nodes.flatMap((node) => [...world.get(node, Global).m.subarray(12, 15)]),
  }
}

/** The same instructions over arrays: what the order, and the way to each row, take beside them. */
async function strataArrays(size) {
  const { createKernel, createWorld, f32, i32, resource, vec } = await import('../../dist/index.js')
  const { placeArrays } = await import('../../build/bench/tree.kernel.js')
  const Arrays = resource('Arrays', {
    world: vec(f32, size * 16),
    local: vec(f32, size * 16),
    parents: vec(i32, size),
  })
  const world = createWorld()
  locals(size, world.resource(Arrays).local)
  for (let i = 0; i < size; i++) world.resource(Arrays).parents[i] = parentOf(i)
  const step = createKernel(world, placeArrays, {
    world: [Arrays, 'world'],
    local: [Arrays, 'local'],
    parents: [Arrays, 'parents'],
  })
  const scalars = { count: size }
  return {
    place: () => step.run(scalars),
    link: (i, parent) => (world.resource(Arrays).parents[i] = parent),
    places: () => placesIn(world.resource(Arrays).world, size),
  }
}

const placing = (createTree) => async (size) => {
  const nodes = await createTree(size)
  return { run: () => nodes.place(), result: () => nodes.places() }
}

const changing = (createTree) => async (size) => {
  const nodes = await createTree(size)
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

/** Where all nodes are after so many changes. */
const tree = (name, title, changes, work) => ({
  ...{ name, title, sizes: [10_000, 100_000], reference: (size) => reference(size, changes) },
  ways: {
    raw: { 'arrays in order': work(raw) },
    strata: { 'kernel, cascade(ChildOf)': work(strata), 'kernel over arrays in order': work(strataArrays) },
  },
})

export default [
  tree('tree', 'Scene graph: the matrices of all nodes, from their own and their parents’', 0, placing),
  tree(
    'tree-changed',
    'Scene graph: one node gets another parent, then the matrices of all nodes',
    1,
    changing,
  ),
]
