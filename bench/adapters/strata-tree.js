// Owns the strata-ecs side of the cases of scene graphs: written with the public names only, from the built package; it must
// never reach into the engine.
import { placeArrays, placeRows } from '../../build/bench/tree.kernel.js'
import { cascade, component, createWorld, f32, i32, relation, resource, vec } from '../../dist/index.js'
import { localOf, locals, parentOf, placesIn, treeWays } from '../cases/tree.js'

const Local = component('Local', { m: vec(f32, 16) })
const Global = component('Global', { m: vec(f32, 16) })
const ChildOf = relation('ChildOf', { exclusive: true, onTargetDestroy: 'destroy' })

function createTree(size) {
  const world = createWorld()
  const nodes = []
  for (let i = 0; i < size; i++) {
    const local = Local({ m: localOf(i) })
    nodes.push(i === 0 ? world.spawn(local, Global) : world.spawn(local, Global, ChildOf(nodes[parentOf(i)])))
  }
  const levels = world.query(Local, Global, cascade(ChildOf))
  const step = world.kernel(placeRows, {
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
function createArrays(size) {
  const Arrays = resource('Arrays', {
    world: vec(f32, size * 16),
    local: vec(f32, size * 16),
    parents: vec(i32, size),
  })
  const world = createWorld()
  locals(size, world.resource(Arrays).local)
  for (let i = 0; i < size; i++) world.resource(Arrays).parents[i] = parentOf(i)
  const step = world.kernel(placeArrays, {
    world: [Arrays, 'world'],
    local: [Arrays, 'local'],
    parents: [Arrays, 'parents'],
  })
  const scalars = { count: size }
  return {
    place: () => world.run(step, scalars),
    link: (i, parent) => (world.resource(Arrays).parents[i] = parent),
    places: () => placesIn(world.resource(Arrays).world, size),
  }
}

export const sceneWays = treeWays({
  'kernel, cascade(ChildOf)': createTree,
  'kernel over arrays in order': createArrays,
})
