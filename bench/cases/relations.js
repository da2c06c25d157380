// Owns the cases of exclusive relations: n children, five to a parent. All get another parent, one by one; the children of
// every parent are visited; and what the links hold in memory. Adapters must never know the order in which parents are asked.
import { shuffledOrder } from './get.js'

const CHILDREN = 5
const SIZES = [5_000, 50_000]

export const parentsOf = (size) => size / CHILDREN
export const valueOf = (i) => i % 1000

/** Between which children are linked anew, so that neighbours in memory are none in the run. */
export const orderOf = (size) => shuffledOrder(size)

/** The parent of a child after so many runs of the first case. */
export const parentAfter = (i, runs, size) => (i + runs * 17) % parentsOf(size)

/** After one run: the number of each child's parent, and how many children each parent has. */
export const reparent = {
  name: 'relations-reparent',
  title: 'Relations: every child gets another parent, by call, five children to a parent',
  sizes: SIZES,
  reference(size) {
    const parents = Array.from({ length: size }, (_, i) => parentAfter(i, 1, size))
    return [...parents, ...new Array(parentsOf(size)).fill(CHILDREN)]
  },
}

/** The sum of the values of each parent's children. */
export const children = {
  name: 'relations-children',
  title: 'Relations: the values of the children of every parent, five to a parent',
  sizes: SIZES,
  reference(size) {
    const sums = new Array(parentsOf(size)).fill(0)
    for (let i = 0; i < size; i++) sums[parentAfter(i, 0, size)] += valueOf(i)
    return sums
  },
}

/** The same sums. */
export const memory = {
  name: 'relations-memory',
  title: 'Memory: n children with one value each, five to a parent, and their links both ways',
  sizes: SIZES,
  once: true,
  quantity: 'memory',
  reference: children.reference,
}

export const relationCases = [reparent, children, memory]

/**
 * The ways of a library, from what it does.
 *
 * @param createFamily `(size) => ({ link(i, parent), parentOf(i), countOf(parent), sumOf(parent) })`: makes the children
 *   with their values, and the parents, without a link
 */
export function relationWays(createFamily, walks) {
  const settled = (size) => {
    const family = createFamily(size)
    for (let i = 0; i < size; i++) family.link(i, parentAfter(i, 0, size))
    return family
  }
  const moving = (size) => {
    const family = settled(size)
    const order = orderOf(size)
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
  const visiting = (sumOf) => (size) => {
    const family = settled(size)
    const sums = new Array(parentsOf(size)).fill(0)
    return {
      run() {
        for (let p = 0; p < sums.length; p++) sums[p] = sumOf(family, p)
      },
      result: () => sums,
    }
  }
  const holding = (size) => {
    let family
    return {
      run() {
        family = settled(size)
      },
      result: () => Array.from({ length: parentsOf(size) }, (_, p) => family.sumOf(p)),
    }
  }
  const named = walks ?? { 'per parent': (family, p) => family.sumOf(p) }
  return {
    [reparent.name]: { 'per call': moving },
    [children.name]: Object.fromEntries(
      Object.entries(named).map(([name, sumOf]) => [name, visiting(sumOf)]),
    ),
    [memory.name]: { 'per call': holding },
  }
}
