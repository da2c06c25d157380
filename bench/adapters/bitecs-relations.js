// Owns bitECS 0.4 in the cases of relations: an exclusive relation, and a query for what points at a parent, as its docs show
// them. It must never reach past what the docs say.
import {
  addComponent,
  addEntity,
  createRelation,
  createWorld,
  getRelationTargets,
  makeExclusive,
  query,
} from 'bitecs'
import { parentsOf, relationWays, valueOf } from '../cases/relations.js'

function createFamily(size) {
  const world = createWorld()
  const ChildOf = createRelation(makeExclusive)
  const Value = { v: new Float32Array(size + parentsOf(size) + 1) }
  const parents = Array.from({ length: parentsOf(size) }, () => addEntity(world))
  const children = Array.from({ length: size }, (_, i) => {
    const child = addEntity(world)
    addComponent(world, child, Value)
    Value.v[child] = valueOf(i)
    return child
  })
  const numbers = new Map(parents.map((parent, p) => [parent, p]))
  return {
    link: (i, p) => addComponent(world, children[i], ChildOf(parents[p])),
    parentOf: (i) => numbers.get(getRelationTargets(world, children[i], ChildOf)[0]),
    countOf: (p) => query(world, [ChildOf(parents[p])]).length,
    sumOf(p) {
      let sum = 0
      for (const child of query(world, [ChildOf(parents[p])])) sum += Value.v[child]
      return sum
    },
  }
}

export const familyWays = relationWays(createFamily)
