// Owns the strata-ecs side of the cases of relations: written with the public names only, from the built package; it must
// never reach into the engine.
import { component, createWorld, f32, relation } from '../../dist/index.js'
import { parentsOf, relationWays, valueOf } from '../cases/relations.js'

const Value = component('Value', { v: f32 })
const ChildOf = relation('ChildOf', { exclusive: true, onTargetDestroy: 'destroy' })

function createFamily(size) {
  const world = createWorld()
  const parents = Array.from({ length: parentsOf(size) }, () => world.spawn())
  const children = Array.from({ length: size }, (_, i) => world.spawn(Value({ v: valueOf(i) })))
  const numbers = new Map(parents.map((parent, p) => [parent, p]))
  const value = world.accessor(Value)
  return {
    link: (i, p) => world.add(children[i], ChildOf(parents[p])),
    parentOf: (i) => numbers.get(world.target(children[i], ChildOf)),
    countOf: (p) => world.sourceCount(parents[p], ChildOf),
    sumOf(p) {
      let sum = 0
      for (const child of world.sources(parents[p], ChildOf)) sum += value.of(child).v
      return sum
    },
    sumByQuery(p) {
      let sum = 0
      for (const chunk of world.query(Value, ChildOf(parents[p]))) {
        const { v } = chunk.read(Value)
        for (let i = chunk.start; i < chunk.end; i++) sum += v[i]
      }
      return sum
    },
  }
}

export const familyWays = relationWays(createFamily, {
  'sources, accessor': (family, p) => family.sumOf(p),
  'query(Value, ChildOf(p))': (family, p) => family.sumByQuery(p),
})
