// Shows that changed(…, { added: false }) finds exactly what had the component at the last look and changed since, and what
// changed and added find for tags and object components. The test keeps its own list of changes.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  added,
  addMany,
  any,
  changed,
  component,
  createCommands,
  forkWorld,
  loadWorld,
  object,
  onAdd,
  removeMany,
  restoreWorld,
  saveWorld,
  snapshotWorld,
  spawnMany,
  tag,
  toggle,
  u32,
  type ChangedOptions,
  type Entity,
  type ObjectComponent,
  type Query,
  type Tag,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { proofLength } from '../support/proofs'
import { ROW_COUNTS } from '../support/rowCounts'
import { STORAGES, STORED } from '../support/storages'
import { watchedWorld } from '../support/watched'
import { testWorld } from '../support/world'

const Mark = tag('Mark')
const sorted = (handles: Iterable<number>) => [...handles].sort((a, b) => a - b)

const steps = fc.array(
  fc.record({
    what: fc.constantFrom(
      'spawn',
      'set',
      'remove',
      'add',
      'destroy',
      'mark',
      'look',
      'restore',
      'leave' as const,
    ),
    at: fc.nat(60),
  }),
  { maxLength: 80 },
)

describe.each(STORAGES)('changed(C, { added: false }) of a %s component', (storage) => {
  const C = component('C', { n: u32 }, { storage: STORED[storage], trackChanges: 'row' })
  const Beside = component('Beside', { n: u32 })

  it('finds entities that changed since the last look, but not new ones, which added finds', () => {
    fc.assert(
      fc.property(steps, fc.boolean(), (script, beside) => {
        const world = testWorld({ memory: { initial: 2 ** 20 } })
        const more = beside ? [Beside] : []
        const kept = world.query(changed(C, { added: false }), ...more)
        const born = world.query(added(C), ...more)
        const all = world.query(changed(C), ...more)
        /** Since the last look: what is new, and what changed. */
        let fresh = new Set<Entity>()
        let written = new Set<Entity>()
        const having = new Set<Entity>()
        const lacking = new Set<Entity>()
        let early = { snapshot: snapshotWorld(world), having: new Set<Entity>(), lacking: new Set<Entity>() }
        const expectFinds = () => {
          const keeps = sorted([...written].filter((entity) => !fresh.has(entity)))
          for (const [query, wanted] of [
            [kept, keeps],
            [born, sorted(fresh)],
            [all, sorted([...keeps, ...fresh])],
          ] as const) {
            expect(query.count).toBe(wanted.length)
            expect(sorted(query.slice(0, 1000).entities())).toEqual(wanted)
          }
          return keeps
        }
        for (const { what, at } of script) {
          const list = [...having]
          const entity = list[at % Math.max(list.length, 1)]
          if (what === 'spawn') {
            const made = world.spawn(C({ n: at }), Beside)
            having.add(made)
            fresh.add(made)
          } else if (what === 'add' && lacking.size > 0) {
            const [got] = lacking
            world.add(got as Entity, C)
            lacking.delete(got as Entity)
            having.add(got as Entity)
            fresh.add(got as Entity)
          } else if (what === 'look') {
            const keeps = expectFinds()
            expect(sorted(kept.entities())).toEqual(keeps)
            born.entities()
            all.each(() => undefined)
            fresh = new Set()
            written = new Set()
            if (at % 3 === 0)
              early = { snapshot: snapshotWorld(world), having: new Set(having), lacking: new Set(lacking) }
          } else if (what === 'restore' && at % 4 === 0) {
            restoreWorld(world, early.snapshot)
            having.clear()
            for (const one of early.having) having.add(one)
            lacking.clear()
            for (const one of early.lacking) lacking.add(one)
            fresh = new Set()
            written = new Set()
          } else if (what === 'leave' && kept.count > 0) {
            // A loop that is left early is no look.
            for (const _ of kept) break
          } else if (entity !== undefined && what === 'set') {
            world.set(entity, C, { n: at })
            written.add(entity)
          } else if (entity !== undefined && what === 'mark') {
            if (!world.remove(entity, Mark)) world.add(entity, Mark)
          } else if (entity !== undefined && (what === 'remove' || what === 'destroy')) {
            for (const set of [having, fresh, written]) set.delete(entity)
            if (what === 'destroy') world.destroy(entity)
            else {
              world.remove(entity, C)
              lacking.add(entity)
            }
          }
          expectFinds()
        }
        checkInvariants(world)
        world.dispose()
      }),
      { numRuns: proofLength(150) },
    )
  })

  it.each(ROW_COUNTS)('distinguishes %i rows, in chunks, runs and bulk changes', (count) => {
    const world = watchedWorld()
    const handles = spawnMany(world, count, [C]) as unknown as Entity[]
    const query = world.query(changed(C, { added: false }))
    expect(query.count).toBe(0)
    expect(addMany(query, Mark)).toBe(0)
    const more = spawnMany(world, 3, [C]) as unknown as Entity[]
    const touched = [...handles].filter((_, i) => i % 5 === 0)
    for (const entity of [...touched, ...more]) world.set(entity, C, { n: 1 })
    const walked: number[] = []
    for (const chunk of query.slice(0, 1e6))
      for (let i = chunk.start; i < chunk.end; i++) walked.push(chunk.entities[i] as number)
    expect(sorted(walked)).toEqual(sorted(touched))
    expect(query.where(C, 'n', '==', 1).count).toBe(touched.length)
    expect(addMany(query, Mark)).toBe(touched.length)
    expect(query.count).toBe(0)
    expect(sorted(world.query(Mark).entities())).toEqual(sorted(touched))
  })
})

const tagSteps = fc.array(
  fc.record({
    what: fc.constantFrom(
      'spawn',
      'add',
      'remove',
      'set',
      'destroy',
      'move',
      'bulk',
      'look',
      'fork' as const,
    ),
    at: fc.nat(60),
  }),
  { maxLength: 80 },
)
const BESIDES = component('Besides', { n: u32 })

describe.each([
  ['tag', tag('Tracked', { trackChanges: 'row' })],
  ['tag with a switch', tag('Tracked', { trackChanges: 'row', toggle })],
  ['ordered tag', tag('Tracked', { trackChanges: 'row', order: 'insertion' })],
  ['object component', object<string>('Tracked', { trackChanges: 'row', revive: () => 'again' })],
] as const)('changed and added of a tracked %s', (kind, T) => {
  const isObject = kind === 'object component'
  const given = (value: number) => (isObject ? (T as ObjectComponent<string>)(`v${value}`) : (T as Tag))

  it('find exactly the entities that got it, or a new value', () => {
    fc.assert(
      fc.property(tagSteps, fc.boolean(), (script, listens) => {
        let world = testWorld({ memory: { initial: 2 ** 20 } })
        const read = () => ({
          added: world.query(added(T)),
          changed: world.query(changed(T)),
          kept: isObject ? world.query(changed(T, { added: false })) : undefined,
        })
        let readers = read()
        if (listens) onAdd(world, T, () => undefined)
        const having = new Map<Entity, boolean>()
        let fresh = new Set<Entity>()
        let written = new Set<Entity>()
        const expectFinds = () => {
          const all = sorted(new Set([...fresh, ...written]))
          expect(sorted(readers.added.slice(0, 1000).entities())).toEqual(sorted(fresh))
          expect(sorted(readers.changed.slice(0, 1000).entities())).toEqual(all)
          expect([readers.added.count, readers.changed.count]).toEqual([fresh.size, all.length])
          const kept = all.filter((entity) => !fresh.has(entity as Entity))
          if (readers.kept) expect(sorted(readers.kept.slice(0, 1000).entities())).toEqual(kept)
        }
        for (const { what, at } of script) {
          const entity = [...having.keys()][at % Math.max(having.size, 1)]
          if (what === 'spawn') {
            const has = at % 3 > 0
            const made = has ? world.spawn(given(at), ...(at % 2 ? [BESIDES] : [])) : world.spawn(BESIDES)
            having.set(made, has)
            if (has) fresh.add(made)
          } else if (what === 'look') {
            expectFinds()
            readers.added.entities()
            readers.changed.each(() => undefined)
            readers.kept?.entities()
            fresh = new Set()
            written = new Set()
          } else if (what === 'fork' && at % 8 === 0) {
            const twin = forkWorld(world)
            checkInvariants(world)
            world.dispose()
            world = twin
            // Queries belong to their world: those of the fork have seen nothing.
            readers = read()
            fresh = new Set([...having].filter(([, has]) => has).map(([one]) => one))
            written = new Set()
            if (isObject) continue
            expectFinds()
          } else if (entity === undefined) continue
          else if (what === 'add' || what === 'set') {
            if (what === 'set' && !isObject) continue
            if (what === 'set') world.set(entity, T as never, `s${at}` as never)
            else world.add(entity, given(at))
            if (having.get(entity) !== true) fresh.add(entity)
            else if (isObject) written.add(entity)
            having.set(entity, true)
          } else if (what === 'remove' || what === 'destroy') {
            if (what === 'destroy') world.destroy(entity)
            else world.remove(entity, T)
            if (what === 'destroy') having.delete(entity)
            else having.set(entity, false)
            fresh.delete(entity)
            written.delete(entity)
          } else if (what === 'move') {
            if (!world.remove(entity, BESIDES)) world.add(entity, BESIDES)
          } else if (what === 'bulk') {
            if (isObject) {
              removeMany(world.query(BESIDES, T), T)
              for (const [one, has] of having) {
                if (!has || !world.has(one, BESIDES)) continue
                having.set(one, false)
                fresh.delete(one)
                written.delete(one)
              }
            } else {
              addMany(world.query(BESIDES), T as Tag)
              for (const [one, has] of having) {
                if (has || !world.has(one, BESIDES)) continue
                having.set(one, true)
                fresh.add(one)
              }
            }
          }
          expectFinds()
        }
        checkInvariants(world)
        world.dispose()
      }),
      { numRuns: proofLength(120) },
    )
  })

  it('is read, listed, saved and returned like an untracked one', () => {
    const world = watchedWorld()
    const entity = world.spawn(given(1))
    expect(world.has(entity, T)).toBe(true)
    expect(world.componentsOf(entity)).toEqual([T])
    if (isObject) expect(world.get(entity, T as ObjectComponent<string>)).toBe('v1')
    const { world: loaded } = loadWorld(saveWorld(world), { components: [T] })
    expect(loaded.query(T as Tag).count).toBe(1)
    const before = snapshotWorld(world)
    const query = world.query(added(T))
    expect(query.entities()).toHaveLength(1)
    world.remove(entity, T)
    restoreWorld(world, before)
    expect(world.query(T as Tag).count).toBe(1)
  })
})

describe('values given to a tracked object component', () => {
  const Mesh = object<string>('Mesh', { trackChanges: 'row' })

  it('are found in loops, blocks and buffers', () => {
    const world = watchedWorld()
    const [a, b, c] = [world.spawn(Mesh('a')), world.spawn(Mesh('b')), world.spawn(Mesh('c'))]
    const query = world.query(changed(Mesh, { added: false }))
    query.entities()
    world.query(Mesh).each((entity) => {
      if (entity === a) world.set(entity, Mesh, 'A')
    })
    expect([...query.slice(0, 9).entities()]).toEqual([a])
    world.batch(() => world.add(b, Mesh('B')))
    expect(sorted(query.slice(0, 9).entities())).toEqual([a, b])
    const commands = createCommands(world)
    commands.add(c, Mesh('C'))
    commands.apply()
    expect(sorted(query.entities())).toEqual([a, b, c])
    expect(query.count).toBe(0)
  })
})

describe('the options of changed()', () => {
  const Rows = component('Rows', { n: u32 }, { trackChanges: 'row' })
  const Chunks = component('Chunks', { n: u32 })

  it('true and no options mean the same as changed()', () => {
    const world = watchedWorld()
    const entity = world.spawn(Chunks)
    for (const options of [{}, { added: true }, { added: undefined }] as ChangedOptions[]) {
      const query: Query = world.query(changed(Chunks, options)) as unknown as Query
      expect([...query.entities()]).toEqual([entity])
      expect(query.count).toBe(0)
    }
  })

  it('are refused where only chunks are tracked, and where they are not options', () => {
    expect(() => changed(Rows, Chunks, { added: false })).toThrow(
      expect.objectContaining({
        code: 'INVALID_QUERY',
        message:
          "changed(Chunks, { added: false }): the changes of Chunks are tracked by chunk, and a chunk cannot tell which of its rows are new. Declare it with { trackChanges: 'row' }.",
      }),
    )
    expect(() => changed(Rows, { added: 1 } as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION' }),
    )
    expect(() => changed(Rows, { new: true } as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION' }),
    )
    expect(() => changed({ added: false } as never)).toThrow(
      expect.objectContaining({ code: 'NOT_A_COMPONENT' }),
    )
    expect(() => any(changed(Rows, { added: false }) as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_QUERY' }),
    )
  })
})
