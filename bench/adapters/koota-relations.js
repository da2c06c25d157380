// Owns koota 0.6 in the cases of relations: an exclusive relation, and a query for what points at a parent, as its README
// shows them. It must never reach past what the README documents.
import { createWorld, relation, trait } from 'koota'
import { parentsOf, relationWays, valueOf } from '../cases/relations.js'

const Value = trait({ v: 0 })

function createFamily(size) {
  const ChildOf = relation({ exclusive: true })
  const world = createWorld()
  const parents = Array.from({ length: parentsOf(size) }, () => world.spawn())
  const children = Array.from({ length: size }, (_, i) => world.spawn(Value({ v: valueOf(i) })))
  const numbers = new Map(parents.map((parent, p) => [parent, p]))
  return {
    link: (i, p) => children[i].add(ChildOf(parents[p])),
    parentOf: (i) => numbers.get(children[i].targetFor(ChildOf)),
    countOf: (p) => world.query(ChildOf(parents[p])).length,
    sumOf(p) {
      let sum = 0
      for (const child of world.query(ChildOf(parents[p]))) sum += child.get(Value).v
      return sum
    },
  }
}

export const familyWays = relationWays(createFamily)
