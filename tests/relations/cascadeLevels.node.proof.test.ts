// Shows with random scripts that levels that are updated equal those that would be rebuilt, and that kernels along them do what a
// walk over plain objects does.

import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import {
  type Entity,
  createKernel,
  NULL_ENTITY,
  type World,
  cascade,
  component,
  f32,
  relation,
  restoreWorld,
  snapshotWorld,
  sparse,
  spawnMany,
  tag,
  u32,
} from '../../bindings/index'
import { kernelsOf } from '../support/kernels'
import { proofLength } from '../support/proofs'
import { watchedWorld } from '../support/watched'

const { descend } = await kernelsOf(
  `
export function descend(rows: Rows, path: Column<u32>, own: ReadonlyColumn<u32>, parent: ParentColumn<u32>): Sum<u32> {
  let sum: u32 = 0
  for (let i = rows.start; i < rows.end; i++) {
    path[i] = parent.has(i) ? parent[i][0] * 31 + own[i] : own[i]
    sum = sum * 3 + path[i]
  }
  return sum
}`,
  'levels.kernel.ts',
)

const seed = Number((globalThis.process?.env ?? {})['STRATA_SEED'] ?? 20_260_102)
let performed = 0
let compared = 0
let mended = 0

const Path = component('Path', { n: u32 })
const PooledPath = component('PooledPath', { n: u32, own: u32 }, { storage: sparse })
const Own = component('Own', { n: u32 })
const Extra = component('Extra', { x: f32 })
const Frozen = tag('Frozen')
const POLICIES = ['destroy', 'remove', 'keep'] as const

/** What a script knows of one entity: whether it is in the query, whether it has the path, and its target. */
interface Node {
  own: number | undefined
  path: number | undefined
  target: Entity | undefined
}

class Forest {
  readonly world: World = watchedWorld()
  readonly nodes = new Map<Entity, Node>()
  readonly all: Entity[] = []
  readonly Links
  readonly query
  private readonly kernel

  constructor(
    readonly policy: (typeof POLICIES)[number],
    readonly pooled: boolean,
  ) {
    this.Links = relation('Links', { exclusive: true, onTargetDestroy: policy })
    const { world, Links } = this
    const [path, own] = pooled ? [PooledPath, [PooledPath, 'own']] : [Path, [Own, 'n']]
    this.kernel = createKernel(
      world,
      descend as never,
      { path: [path, 'n'], own, parent: [Links, path, 'n'] } as never,
    )
    this.query = this.fresh()
  }

  fresh() {
    const { world, Links } = this
    return this.pooled ? world.query(PooledPath, cascade(Links)) : world.query(Path, Own, cascade(Links))
  }

  alive(at: number): Entity | undefined {
    const living = [...this.nodes.keys()]
    return living[at % Math.max(1, living.length)]
  }

  spawn(own: number, kind: number, under: Entity | undefined): void {
    const { world, Links, pooled } = this
    // In the query, with the path alone where it is another component, or neither.
    const node: Node = {
      own: kind > 1 || (pooled && kind > 0) ? own : undefined,
      path: kind > 0 ? 0 : undefined,
      target: under,
    }
    const entity = world.spawn()
    if (kind > 0) world.add(entity, pooled ? PooledPath({ own }) : Path)
    if (kind > 1 && !pooled) world.add(entity, Own({ n: own }))
    if (under !== undefined) world.add(entity, Links(under))
    this.nodes.set(entity, node)
    this.all.push(entity)
  }

  isAbove(entity: Entity, other: Entity): boolean {
    for (let at: Entity | undefined = other; at !== undefined; at = this.nodes.get(at)?.target)
      if (at === entity) return true
    return false
  }

  link(entity: Entity, to: Entity): void {
    if (this.isAbove(entity, to)) return
    this.world.add(entity, this.Links(to))
    ;(this.nodes.get(entity) as Node).target = to
  }

  destroy(entity: Entity): void {
    this.world.destroy(entity)
    const gone = [entity]
    for (const dead of gone) {
      this.nodes.delete(dead)
      for (const [other, node] of this.nodes) {
        if (node.target !== dead) continue
        if (this.policy === 'destroy') gone.push(other)
        else if (this.policy === 'remove') node.target = undefined
      }
    }
  }

  depth(entity: Entity): number {
    let depth = -1
    for (let at: Entity | undefined = entity; at !== undefined && this.nodes.has(at); depth++)
      at = this.nodes.get(at)?.target
    return depth
  }

  /** Runs the kernel, and compares all values, the order and the sum with a walk over the nodes. */
  compare(): void {
    const { world, nodes, query, pooled } = this
    const order = Array.from(query.entities()) as Entity[]
    // A query that is made now makes its order now.
    const fresh = this.fresh()
    expect(order).toEqual(Array.from(fresh.entities()))
    const depths = order.map((entity) => this.depth(entity))
    expect(depths).toEqual([...depths].sort((a, b) => a - b))
    const sum = query.run(this.kernel as never)
    for (const entity of order) {
      const node = nodes.get(entity) as Node
      const above = node.target === undefined ? undefined : nodes.get(node.target)?.path
      node.path = ((above === undefined ? 0 : Math.imul(above, 31)) + (node.own as number)) >>> 0
    }
    const values = order.map((entity) => world.get(entity, pooled ? PooledPath : Path)?.n)
    expect(values).toEqual(order.map((entity) => nodes.get(entity)?.path))
    expect(order.length).toBe([...nodes.values()].filter(({ own }) => own !== undefined).length)
    // The same rows in the same runs.
    expect(query.run(this.kernel as never)).toBe(sum)
    expect(fresh.run(this.kernel as never)).toBe(sum)
    compared++
  }
}

type Step = readonly [action: number, a: number, b: number, c: number]

function perform(forest: Forest, [action, a, b, c]: Step): void {
  const { world, nodes, pooled } = forest
  const [one, other] = [forest.alive(a), forest.alive(b)]
  performed++
  if (action < 4 || one === undefined) return forest.spawn(b + 1, c % 4, a % 5 === 0 ? undefined : one)
  const node = nodes.get(one) as Node
  if (action < 8) {
    if (other === undefined) return
    mended++
    return forest.link(one, other)
  }
  switch (action) {
    case 8:
      world.remove(one, forest.Links)
      node.target = undefined
      return
    case 9:
      return forest.destroy(one)
    case 10:
      return void (world.has(one, Frozen) ? world.remove(one, Frozen) : world.add(one, Frozen, Extra))
    case 11:
      if (pooled || node.path === undefined) return
      world.remove(one, Path, Own)
      node.path = node.own = undefined
      return
    case 12:
      if (pooled || node.path !== undefined) return
      world.add(one, Path)
      node.path = 0
      return
    case 13: {
      const before = snapshotWorld(world)
      const target = world.target(one, forest.Links)
      world.remove(one, forest.Links)
      forest.query.run(forest['kernel'] as never)
      restoreWorld(world, before)
      expect(world.target(one, forest.Links)).toBe(target ?? NULL_ENTITY)
      return
    }
    default:
      if (other === undefined || forest.isAbove(one, other)) return
      return world.batch(() => forest.link(one, other))
  }
}

const steps = fc.array(fc.tuple(fc.nat(14), fc.nat(1000), fc.nat(1000), fc.nat(3)) as fc.Arbitrary<Step>, {
  minLength: 20,
  maxLength: 120,
})

describe('levels', () => {
  it.each(POLICIES.flatMap((policy) => [false, true].map((pooled) => [policy, pooled] as const)))(
    'equal those of a plain walk, with the policy %s, after any changes (pooled: %s)',
    (policy, pooled) => {
      fc.assert(
        fc.property(steps, fc.integer({ min: 1, max: 9 }), (script, every) => {
          const forest = new Forest(policy, pooled)
          script.forEach((step, i) => {
            perform(forest, step)
            if (i % every === 0) forest.compare()
          })
          forest.compare()
          forest.world.dispose()
        }),
        { numRuns: proofLength(60), seed },
      )
    },
    120_000,
  )

  it('are updated in a large forest to what they would be if rebuilt', () => {
    const forest = new Forest('remove', false)
    const { world, Links, all } = forest
    for (let i = 0; i < 6000; i++)
      forest.spawn(i, 2, i < 3 ? undefined : (all[Math.floor((i * 7919) % i)] as Entity))
    forest.compare()
    for (let i = 0; i < 60; i++) {
      const [one, other] = [all[(i * 977 + 5) % 6000], all[(i * 1409 + 11) % 6000]] as [Entity, Entity]
      if (i % 7 === 0) {
        world.remove(one, Links)
        ;(forest.nodes.get(one) as Node).target = undefined
      } else forest.link(one, other)
      if (i % 3 === 0) forest.compare()
    }
    forest.compare()
  }, 60_000)

  it('include an entity spawned after them between two of their entities', () => {
    const world = watchedWorld()
    const Between = relation('Between', { exclusive: true })
    const Shown = component('Shown', { n: u32 })
    const [low, high] = [world.spawn(Shown), world.spawn(Shown)]
    const lowest = world.spawn(Shown, Between(low))
    // So many that an order is mended when a few of them move.
    const others = [...spawnMany(world, 100, [Shown])]
    const query = world.query(Shown, cascade(Between))
    expect([...query.entities()]).toEqual([low, high, ...others, lowest])
    // More entities than there was room for when the levels were made; none of them is in the query.
    const between = spawnMany(world, 50_000, []).at(-1) as Entity
    world.add(between, Between(high))
    world.add(low, Between(between))
    expect([...query.entities()]).toEqual([high, ...others, low, lowest])
  })

  afterAll(() => {
    expect(performed).toBeGreaterThan(proofLength(60) * 6 * 20)
    expect(compared).toBeGreaterThan(proofLength(60) * 6)
    expect(mended).toBeGreaterThan(proofLength(60))
  })
})
