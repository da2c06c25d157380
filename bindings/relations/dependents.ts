// Owns what the destruction of targets does to the entities that point at them: 'remove', 'destroy' or 'keep'. Everything that
// dies is found first, level by level and without recursion; then all of it is reported, then it dies in one call of the core. It
// must never trust that a list of handles is unchanged once listeners have run.

import { perform } from '../changes/applyChange'
import { changeAll } from '../changes/applyBulk'
import { ADD, REMOVE } from '../changes/commandLog'
import { destroyRows } from '../changes/entityRows'
import { pooledRows } from '../changes/rowChanges'
import type { Definition } from '../components/definition'
import type { ChangeCalls } from '../state/changeHooks'
import type { Ending } from '../state/relationHooks'
import { INDEX_MASK } from '../memory/entity'
import { type LinkStore, byDeclaration } from './linkStore'
import type { Relations } from './relations'
import { PartialUnlink } from './linkList'

/** Destroys entities and all that depends on them. Returns how many were named. */
export function destroyWithDependents(
  relations: Relations,
  entities: ArrayLike<number>,
  query: Ending | undefined,
): number {
  const { state } = relations
  const dying = dependentsOf(relations, entities)
  relations.kept.dying(dying.list)
  const orphans = orphansOf(relations, dying)
  if (dying.list.length === entities.length && orphans.length === 0) {
    ;(state.changes as ChangeCalls).end(state, entities, query)
    return entities.length
  }
  const bundles = orphans.map(({ definition }) => {
    const bundle = state.bundles.with(definition, 'destroy')
    bundle.addressIn(state)
    return bundle
  })
  // What listeners change waits until all is done: the lists stay true.
  const { locks, loops } = state
  const { count } = loops
  state.lock()
  try {
    orphans.forEach(({ definition, all, some }, k) => {
      const bundle = bundles[k] as (typeof bundles)[number]
      if (all.length > 0) {
        changeAll(state, REMOVE, Uint32Array.from(all), bundle, undefined, pooledRows)
      }
      for (const [source, targets] of some)
        perform(state, ADD, source, bundle, undefined, [new PartialUnlink(definition, targets) as never])
    })
    const inOneCall = () => {
      if (query?.inOneCall === undefined) destroyRows(state, entities)
      else query.inOneCall()
      destroyRows(state, dying.list.slice(entities.length))
    }
    ;(state.changes as ChangeCalls).end(state, dying.list, { list: () => dying.list, inOneCall })
  } catch (error) {
    state.relock(locks, count)
    throw error
  } finally {
    state.unlock()
  }
  return entities.length
}

/** Those that die. */
interface Dying {
  readonly list: readonly number[]
  /** One bit for each index. */
  readonly marks: Uint32Array
}

function isMarked(marks: Uint32Array, entity: number): boolean {
  const index = entity & INDEX_MASK
  return (((marks[index >> 5] as number) >>> (index & 31)) & 1) !== 0
}

/** The entities, and all that is destroyed with them, those above before those below. */
export function dependentsOf(relations: Relations, entities: ArrayLike<number>): Dying {
  const marks = new Uint32Array((relations.state.heap.entityCapacity >> 5) + 1)
  const list: number[] = []
  const mark = (entity: number) => {
    if (isMarked(marks, entity)) return
    const index = entity & INDEX_MASK
    marks[index >> 5] = (marks[index >> 5] as number) | (1 << (index & 31))
    list.push(entity)
  }
  for (let i = 0; i < entities.length; i++) mark(entities[i] as number)
  const sources: number[] = []
  for (let i = 0; i < list.length; i++) {
    for (const links of relations.targeting(list[i] as number)) {
      if (links.kind.onTargetDestroy !== 'destroy') continue
      links.collect(list[i] as number, sources)
      for (const source of sources) mark(source)
      sources.length = 0
    }
  }
  return { list, marks }
}

/** The entities that stay and lose links of one relation. */
interface Orphans {
  readonly definition: Definition
  /** Those that lose their last one. */
  readonly all: readonly number[]
  /** Those that keep others, and the targets that they lose. */
  readonly some: ReadonlyMap<number, readonly number[]>
}

/** What each relation loses, in the order in which they were declared. */
function orphansOf(relations: Relations, dying: Dying): readonly Orphans[] {
  const targets = new Map<LinkStore, number[]>()
  for (const entity of dying.list) {
    for (const links of relations.targeting(entity)) {
      if (links.kind.onTargetDestroy !== 'remove') continue
      const known = targets.get(links)
      if (known === undefined) targets.set(links, [entity])
      else known.push(entity)
    }
  }
  return byDeclaration([...targets.keys()])
    .map((links) => orphansBy(links, targets.get(links) as number[], dying))
    .filter(({ all, some }) => all.length + some.size > 0)
}

function orphansBy(links: LinkStore, lost: readonly number[], { marks }: Dying): Orphans {
  const { definition } = links.registration
  const all: number[] = []
  const some = new Map<number, number[]>()
  const isExclusive = links.kind.segments === undefined
  const sources: number[] = []
  for (const entity of lost) {
    links.collect(entity, sources)
    for (const source of sources) {
      if (isMarked(marks, source)) continue
      const known = some.get(source)
      if (isExclusive) all.push(source)
      else if (known === undefined) some.set(source, [entity])
      else known.push(entity)
    }
    sources.length = 0
  }
  for (const [source, targets] of some) {
    if (targets.length < links.targetCount(source)) continue
    all.push(source)
    some.delete(source)
  }
  return { definition, all, some }
}
