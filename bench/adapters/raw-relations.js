// Owns the yardstick of the cases of relations: a Map from child to parent and a Set of children for each parent, as a program
// without an ECS would have them. It must never know more than such a program would.
import { parentsOf, relationWays, valueOf } from '../cases/relations.js'

function createFamily(size) {
  const parentOf = new Map()
  const childrenOf = Array.from({ length: parentsOf(size) }, () => new Set())
  const values = new Float32Array(size)
  for (let i = 0; i < size; i++) values[i] = valueOf(i)
  return {
    link(i, p) {
      const before = parentOf.get(i)
      if (before === p) return
      if (before !== undefined) childrenOf[before].delete(i)
      childrenOf[p].add(i)
      parentOf.set(i, p)
    },
    parentOf: (i) => parentOf.get(i),
    countOf: (p) => childrenOf[p].size,
    sumOf(p) {
      let sum = 0
      for (const i of childrenOf[p]) sum += values[i]
      return sum
    },
  }
}

export const familyWays = relationWays(createFamily)
