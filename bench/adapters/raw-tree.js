// Owns the yardstick of the cases of scene graphs: two typed arrays of matrices and one of parents, in an order that is given
// for nothing. It must never know more than a program without an ECS would.
import { locals, parentOf, place, placesIn, treeWays } from '../cases/tree.js'

function createTree(size) {
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

export const sceneWays = treeWays({ 'arrays in order': createTree })
