// Exclusive relations: n children, five to a parent. All get another parent, one by one, in an order in which neighbours in
// memory are none; the values of the children of every parent are added up.
import { shuffledOrder } from './moving.js'

const CHILDREN = 5
const parentsOf = (size) => size / CHILDREN
const valueOf = (i) => i % 1000

/** The parent of a child after so many runs of the first case. */
const parentAfter = (i, runs, size) => (i + runs * 17) % parentsOf(size)

// A family makes the children with their values, and the parents, without a link.

/** By hand: a Map from child to parent and a Set of children for each parent, as a program without an ECS would have them. */
function raw(size) {
  const parentOf = new Map()
  const childrenOf = Array.from({ length: parentsOf(size) }, () => new Set())
  const values = Float32Array.from({ length: size }, (_, i) => valueOf(i))
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

async function strata(size) {
  const { component, createAccessor, createWorld, f32, relation } = await import('../../dist/index.js')
  const Value = component('Value', { v: f32 })
  const ChildOf = relation('ChildOf', { exclusive: true, onTargetDestroy: 'destroy' })
  const world = createWorld()
  const parents = Array.from({ length: parentsOf(size) }, () => world.spawn())
  const children = Array.from({ length: size }, (_, i) => world.spawn(Value({ v: valueOf(i) })))
  const numbers = new Map(parents.map((parent, p) => [parent, p]))
  const value = createAccessor(world, Value)
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

async function bitecs(size) {
  const library = await import('bitecs')
  const { addComponent, addEntity, createWorld, getRelationTargets, query } = library
  const world = createWorld()
  const ChildOf = library.createRelation(library.makeExclusive)
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

async function koota(size) {
  const { createWorld, relation, trait } = await import('koota')
  const Value = trait({ v: 0 })
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

async function settled(createFamily, size) {
  const family = await createFamily(size)
  for (let i = 0; i < size; i++) family.link(i, parentAfter(i, 0, size))
  return family
}

const reparenting = (createFamily) => async (size) => {
  const family = await settled(createFamily, size)
  const order = shuffledOrder(size)
  let runs = 0
  const run = () => {
    runs++
    for (const i of order) family.link(i, parentAfter(i, runs, size))
  }
  return {
    run,
    result() {
      // Whatever was run before, one run from the beginning.
      for (let i = 0; i < size; i++) family.link(i, parentAfter(i, 0, size))
      runs = 0
      run()
      return [
        ...Array.from({ length: size }, (_, i) => family.parentOf(i)),
        ...Array.from({ length: parentsOf(size) }, (_, p) => family.countOf(p)),
      ]
    },
  }
}

const visiting = (createFamily, sumOf = (family, p) => family.sumOf(p)) =>
  async function visit(size) {
    const family = await settled(createFamily, size)
    const sums = new Array(parentsOf(size)).fill(0)
    return {
      run() {
        for (let p = 0; p < sums.length; p++) sums[p] = sumOf(family, p)
      },
      result: () => sums,
    }
  }

const waysOf = (way, work) =>
  Object.fromEntries(
    Object.entries({ raw, strata, bitecs, koota }).map(([name, one]) => [name, { [way]: work(one) }]),
  )

const sizes = [5_000, 50_000]

export default [
  {
    ...{ name: 'relations-reparent', sizes, ways: waysOf('per call', reparenting) },
    title: 'Relations: every child gets another parent, by call, five children to a parent',
    /** After one run: the number of each child's parent, and how many children each parent has. */
    reference(size) {
      const parents = Array.from({ length: size }, (_, i) => parentAfter(i, 1, size))
      return [...parents, ...new Array(parentsOf(size)).fill(CHILDREN)]
    },
  },
  {
    ...{ name: 'relations-children', sizes },
    title: 'Relations: the values of the children of every parent, five to a parent',
    /** The sum of the values of each parent's children. */
    reference(size) {
      const sums = new Array(parentsOf(size)).fill(0)
      for (let i = 0; i < size; i++) sums[parentAfter(i, 0, size)] += valueOf(i)
      return sums
    },
    ways: {
      ...waysOf('per parent', visiting),
      strata: {
        'sources, accessor': visiting(strata),
        'query(Value, ChildOf(p))': visiting(strata, (family, p) => family.sumByQuery(p)),
      },
    },
  },
]
