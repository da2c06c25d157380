// Lists every call that reads or changes a world, and what it does in each state of the world: read a line of CALLS to learn what
// a call does in a loop. tests/whole/calls.node.test.ts shows that each cell is true.

import * as library from '../../bindings/index'
import {
  type Entity,
  type World,
  changed,
  component,
  createCommands,
  createKernel,
  queueDestroy,
  entity,
  f32,
  createGroup,
  internText,
  not,
  object,
  relation,
  resource,
  saveWorld,
  snapshotWorld,
  sparse,
  spawnMany,
  stable,
  tag,
  text,
  textId,
  toggle,
  u8,
} from '../../bindings/index'
import { kernelsOf } from './kernels'

const { move, blow } = await kernelsOf(`
export function move(rows: Rows, x: Column<f32>): void {
  for (let i = rows.start; i < rows.end; i++) x[i] += 1
}
export function blow(x: Resource<f32>): void {
  x[0] += 1
}`)

export const Position = component('Position', { x: f32, name: text })
export const Health = component('Health', { hp: u8 }, { storage: sparse })
export const Armour = component('Armour', { hp: u8 }, { storage: sparse })
export const Node = component('Node', { n: u8 }, { storage: stable })
export const Frozen = tag('Frozen', { toggle })
export const Likes = relation('Likes', { weight: u8 })
export const Sprite = object<{ tick(): void }>('Sprite')
export const Wind = resource('Wind', { x: f32 })
const Left = component('Left', { n: u8 }, { storage: sparse })
const Right = component('Right', { n: u8 }, { storage: sparse })
const Lone = component('Lone', { n: u8 }, { storage: sparse })
const Aim = component('Aim', { at: entity })
const Spark = tag('Spark', { lifetime: 'frame' })
const Listed = tag('Listed', { order: 'insertion' })
const In = relation('In', { exclusive: true })
const Rain = resource('Rain', { x: f32 })
/** A value whose `save` runs a function of the test: the world is sealed meanwhile. */
const Seal = resource<{ run(): void }>('Seal', { save: (seal) => seal.run(), load: () => ({ run() {} }) })
export const DECLARED = [Position, Health, Armour, Node, Left, Right, Lone, Aim, Spark, Frozen, Listed, Likes, In, Wind, Seal] // prettier-ignore
const LONG = 'long'.repeat(1000)

/** Fills a world with what the calls are made on. */
export function stageIn(world: World) {
  const [ann, bob, cat] = spawnMany(world, 3, [Position, Node, Frozen, Listed]) as unknown as [
    Entity,
    Entity,
    Entity,
  ]
  const gone = world.spawn()
  world.add(ann, Likes(bob), In(bob), Health, Armour, Left({ n: 2 }))
  world.add(cat, In(bob), Left({ n: 1 }), Right, Lone, Aim({ at: gone }), Spark)
  world.add(ann, Right, Lone, Sprite({ tick() {} }))
  world.disable(bob, Frozen)
  world.destroy(gone)
  queueDestroy(world, world.spawn(Position))
  internText(world, 'unused')
  world.setResource(Wind, { x: 1 })
  const seal = { run() {} }
  world.setResource(Seal, seal)
  const stage = {
    world, ann, bob, cat, seal,
    query: world.query(Position),
    page: world.query(Position).slice(0, 1),
    news: world.query(changed(Position)),
    grouped: createGroup(world, Health, Armour),
    commands: createCommands(world),
    step: createKernel(world, move, { x: [Position, 'x'] }),
    gust: createKernel(world, blow, { x: [Wind, 'x'] }),
    bytes: saveWorld(world),
    past: snapshotWorld(world),
  } // prettier-ignore
  stage.commands.add(bob, Health)
  world.advanceTick()
  look(world)
  return stage
}
export type Stage = ReturnType<typeof stageIn>

/** All that a program sees of a world, line by line. */
export function look(world: World): string[] {
  const entities = world.query().entities()
  return [
    ...Array.from(entities.toSorted(), (one) => `${one}: ${partsOf(world, one).sort().join(', ')}`),
    `in ${Array.from(entities, (one) => `${one} ${world.sources(one, In)}`).join('; ')}`,
    `pool ${world.query(Left).entities()}`,
    `list ${world.query(Listed).entities()}`,
    `wind ${JSON.stringify(world.getResource(Wind))}, rain ${world.hasResource(Rain)}`,
    `texts ${textId(world, 'unused')} ${textId(world, 'new')}`,
    `tick ${world.tick}`,
  ]
}

function partsOf(world: World, one: Entity): string[] {
  return world.componentsOf(one).map((C) => {
    const isLink = C === Likes || C === In
    const value = isLink ? [...world.targets(one, C)] : world.get(one, C as typeof Position)
    const isOff = C === Frozen && !world.isEnabled(one, C)
    return `${C.componentName} ${JSON.stringify(value)}${isOff ? ' off' : ''}`
  })
}

/** The call answers, and changes nothing that is seen. */
const READS = 'answers'
/** The call changes the world before it returns. */
const NOW = 'changes the world at once'
/** The call changes the world when the outermost loop, batch or listener is over. */
const WAITS = 'changes the world afterwards'
/** The call is refused with this code, and changes nothing. */
const LOCKED = 'WORLD_LOCKED'
const DISPOSED = 'WORLD_DISPOSED'
const MEMORY = 'MEMORY_LIMIT'
/** The call succeeds without memory. */
const NONE = 'needs none'

export type Given = (stage: Stage) => unknown[]
export type Row = [
  given: Given,
  loop: string,
  batch: string,
  listener: string,
  sealed: string,
  disposed: string,
  noMemory: string,
]

/**
 * Every public call, by what it is called on. What comes after a colon tells apart what one call does with different arguments. A world
 * is sealed while `save` or `load` of a declaration, or a migration, runs.
 */
// prettier-ignore
export const CALLS = {
  world: {
    // call                        given                                     loop    batch   listener  sealed  disposed  no memory
    spawn:                        [() => [Position],                         WAITS,  WAITS,  WAITS,    LOCKED, DISPOSED, MEMORY],
    destroy:                      [(s) => [s.ann],                           WAITS,  WAITS,  WAITS,    LOCKED, DISPOSED, NONE],
    add:                          [(s) => [s.bob, Health],                   WAITS,  WAITS,  WAITS,    LOCKED, DISPOSED, MEMORY],
    remove:                       [(s) => [s.ann, Position],                 WAITS,  WAITS,  WAITS,    LOCKED, DISPOSED, MEMORY],
    exchange:                     [(s) => [s.ann, [Position], []],           WAITS,  WAITS,  WAITS,    LOCKED, DISPOSED, MEMORY],
    enable:                       [(s) => [s.bob, Frozen],                   NOW,    NOW,    WAITS,    NOW,    DISPOSED, NONE],
    disable:                      [(s) => [s.ann, Frozen],                   NOW,    NOW,    WAITS,    NOW,    DISPOSED, NONE],
    set:                          [(s) => [s.ann, Position, { x: 2 }],       NOW,    NOW,    NOW,      NOW,    DISPOSED, NONE],
    'set: a new text':            [(s) => [s.ann, Position, { name: LONG }], NOW,    NOW,    NOW,      NOW,    DISPOSED, MEMORY],
    'set: what it lacks':         [(s) => [s.bob, Health, { hp: 2 }],        WAITS,  WAITS,  WAITS,    LOCKED, DISPOSED, MEMORY],
    setIfDifferent:               [(s) => [s.ann, Position, { x: 2 }],       NOW,    NOW,    NOW,      NOW,    DISPOSED, NONE],
    setTargets:                   [(s) => [s.ann, Likes, [s.cat, s.bob]],    WAITS,  WAITS,  WAITS,    LOCKED, DISPOSED, NONE],
    reorder:                      [(s) => [s.ann, In, { after: s.cat }],     WAITS,  WAITS,  WAITS,    LOCKED, DISPOSED, NONE],
    setResource:                  [() => [Wind, { x: 2 }],                   NOW,    NOW,    NOW,      NOW,    DISPOSED, NONE],
    'setResource: a missing one': [() => [Rain, { x: 2 }],                   LOCKED, LOCKED, LOCKED,   LOCKED, DISPOSED, MEMORY],
    removeResource:               [() => [Wind],                             NOW,    NOW,    NOW,      NOW,    DISPOSED, NONE],
    resource:                     [() => [Wind],                             READS,  READS,  READS,    READS,  DISPOSED, NONE],
    'resource: a missing one':    [() => [Rain],                             LOCKED, LOCKED, LOCKED,   LOCKED, DISPOSED, MEMORY],
    getResource:                  [() => [Wind],                             READS,  READS,  READS,    READS,  DISPOSED, NONE],
    hasResource:                  [() => [Wind],                             READS,  READS,  READS,    READS,  DISPOSED, NONE],
    isAlive:                      [(s) => [s.ann],                           READS,  READS,  READS,    READS,  READS,    NONE],
    has:                          [(s) => [s.ann, Position],                 READS,  READS,  READS,    READS,  DISPOSED, NONE],
    isEnabled:                    [(s) => [s.ann, Frozen],                   READS,  READS,  READS,    READS,  DISPOSED, NONE],
    get:                          [(s) => [s.ann, Position],                 READS,  READS,  READS,    READS,  DISPOSED, NONE],
    componentsOf:                 [(s) => [s.ann],                           READS,  READS,  READS,    READS,  DISPOSED, NONE],
    components:                   [() => [],                                 READS,  READS,  READS,    READS,  DISPOSED, NONE],
    componentByName:              [() => ['Position'],                       READS,  READS,  READS,    READS,  DISPOSED, NONE],
    query:                        [() => [Position],                         READS,  READS,  READS,    READS,  DISPOSED, NONE],
    'query: a new one':           [() => [Health, not(Position)],            READS,  READS,  READS,    READS,  DISPOSED, MEMORY],
    target:                       [(s) => [s.ann, In],                       READS,  READS,  READS,    READS,  DISPOSED, NONE],
    targets:                      [(s) => [s.ann, Likes],                    READS,  READS,  READS,    READS,  DISPOSED, NONE],
    sources:                      [(s) => [s.bob, Likes],                    READS,  READS,  READS,    READS,  DISPOSED, NONE],
    sourceCount:                  [(s) => [s.bob, Likes],                    READS,  READS,  READS,    READS,  DISPOSED, NONE],
    batch:                        [(s) => [() => s.world.destroy(s.ann)],    WAITS,  WAITS,  WAITS,    LOCKED, DISPOSED, NONE],
    tick:                         [() => [],                                 READS,  READS,  READS,    READS,  DISPOSED, NONE],
    advanceTick:                  [() => [],                                 NOW,    NOW,    NOW,      NOW,    DISPOSED, NONE],
    stats:                        [() => [],                                 READS,  READS,  READS,    READS,  DISPOSED, NONE],
    dispose:                      [() => [],                                 LOCKED, LOCKED, LOCKED,   LOCKED, READS,    NONE],
  },
  query: {
    // call     given                                                                   loop    batch   listener  sealed  disposed  no memory
    each:      [() => [(_: Entity, position: { x: number }) => void (position.x += 1)], NOW,    NOW,    NOW,      NOW,    DISPOSED, NONE],
    run:       [(s) => [s.step],                                                        NOW,    NOW,    NOW,      NOW,    DISPOSED, NONE],
    count:     [() => [],                                                               READS,  READS,  READS,    READS,  DISPOSED, NONE],
    isEmpty:   [() => [],                                                               READS,  READS,  READS,    READS,  DISPOSED, NONE],
    version:   [() => [],                                                               READS,  READS,  READS,    READS,  DISPOSED, NONE],
    first:     [() => [],                                                               READS,  READS,  READS,    READS,  DISPOSED, NONE],
    at:        [() => [0],                                                              READS,  READS,  READS,    READS,  DISPOSED, NONE],
    entities:  [() => [],                                                               READS,  READS,  READS,    READS,  DISPOSED, NONE],
    map:       [() => [() => 1],                                                        READS,  READS,  READS,    READS,  DISPOSED, NONE],
    single:    [() => [],                                                               READS,  READS,  READS,    READS,  DISPOSED, NONE],
    where:     [() => [Position, 'x', '>', 0],                                          READS,  READS,  READS,    READS,  READS,    NONE],
    slice:     [() => [0, 1],                                                           READS,  READS,  READS,    READS,  READS,    NONE],
    partition: [() => [0, 2],                                                           READS,  READS,  READS,    READS,  DISPOSED, NONE],
    dispose:   [() => [],                                                               READS,  READS,  READS,    READS,  READS,    NONE],
  },
  commands: {
    // call     given                               loop    batch   listener  sealed  disposed  no memory
    spawn:     [() => [Position],                   READS,  READS,  READS,    LOCKED, DISPOSED, NONE],
    spawnAt:   [() => [900],                        READS,  READS,  READS,    LOCKED, DISPOSED, MEMORY],
    spawnMany: [() => [2, [Position]],              READS,  READS,  READS,    LOCKED, DISPOSED, NONE],
    add:       [(s) => [s.ann, Position],           READS,  READS,  READS,    READS,  DISPOSED, NONE],
    remove:    [(s) => [s.ann, Position],           READS,  READS,  READS,    READS,  DISPOSED, NONE],
    exchange:  [(s) => [s.ann, [Position], []],     READS,  READS,  READS,    READS,  DISPOSED, NONE],
    set:       [(s) => [s.ann, Position, { x: 1 }], READS,  READS,  READS,    READS,  DISPOSED, NONE],
    destroy:   [(s) => [s.ann],                     READS,  READS,  READS,    READS,  DISPOSED, NONE],
    size:      [() => [],                           READS,  READS,  READS,    READS,  DISPOSED, NONE],
    apply:     [() => [],                           WAITS,  WAITS,  WAITS,    LOCKED, DISPOSED, MEMORY],
    clear:     [() => [],                           READS,  READS,  READS,    READS,  DISPOSED, NONE],
  },
  kernel: {
    // call given      loop    batch   listener  sealed  disposed  no memory
    run: [() => [], NOW,    NOW,    NOW,      NOW,    DISPOSED, NONE],
  },
  library: {
    // call                                 given                                            loop    batch   listener  sealed  disposed  no memory
    spawnMany:                             [(s) => [s.world, 2, [Position]],                 WAITS,  WAITS,  WAITS,    LOCKED, DISPOSED, MEMORY],
    'spawnMany: none':                     [(s) => [s.world, 0, [Position]],                 READS,  READS,  READS,    READS,  DISPOSED, NONE],
    clearWorld:                            [(s) => [s.world],                                WAITS,  WAITS,  WAITS,    LOCKED, DISPOSED, NONE],
    destroyMany:                           [(s) => [s.world, [s.ann]],                       WAITS,  WAITS,  WAITS,    LOCKED, DISPOSED, NONE],
    createAccessor:                        [(s) => [s.world, Health],                        READS,  READS,  READS,    READS,  READS,    NONE],
    createKernel:                          [(s) => [s.world, move, { x: [Position, 'x'] }],  LOCKED, LOCKED, LOCKED,   LOCKED, DISPOSED, NONE],
    'createKernel: of a missing resource': [(s) => [s.world, blow, { x: [Rain, 'x'] }],      LOCKED, LOCKED, LOCKED,   LOCKED, DISPOSED, MEMORY],
    trimWorld:                             [(s) => [s.world],                                LOCKED, LOCKED, LOCKED,   LOCKED, DISPOSED, NONE],
    resetWorld:                            [(s) => [s.world],                                LOCKED, LOCKED, LOCKED,   LOCKED, DISPOSED, NONE],
    'addMany: to a query':                 [(s) => [s.query, Health],                        WAITS,  WAITS,  WAITS,    LOCKED, DISPOSED, MEMORY],
    'removeMany: from a query':            [(s) => [s.query, Position],                      WAITS,  WAITS,  WAITS,    LOCKED, DISPOSED, MEMORY],
    'destroyMany: by a query':             [(s) => [s.query],                                WAITS,  WAITS,  WAITS,    LOCKED, DISPOSED, NONE],
    'enableMany: by a query':              [(s) => [s.query, Frozen],                        WAITS,  WAITS,  WAITS,    LOCKED, DISPOSED, NONE],
    'disableMany: by a query':             [(s) => [s.query, Frozen],                        WAITS,  WAITS,  WAITS,    LOCKED, DISPOSED, NONE],
    enableMany:                            [(s) => [s.world, [s.bob], Frozen],               WAITS,  WAITS,  WAITS,    LOCKED, DISPOSED, NONE],
    disableMany:                           [(s) => [s.world, [s.ann], Frozen],               WAITS,  WAITS,  WAITS,    LOCKED, DISPOSED, NONE],
    'setMany: by a query':                 [(s) => [s.query, Position, { x: [1, 2, 3, 4] }], NOW,    NOW,    NOW,      NOW,    DISPOSED, NONE],
    spawnAt:                               [(s) => [s.world, 900],                           WAITS,  WAITS,  WAITS,    LOCKED, DISPOSED, MEMORY],
    'spawnAt: far away':                   [(s) => [s.world, 500_000],                       LOCKED, LOCKED, LOCKED,   LOCKED, DISPOSED, MEMORY],
    spawnManyAt:                           [(s) => [s.world, [900], []],                     WAITS,  WAITS,  WAITS,    LOCKED, DISPOSED, MEMORY],
    cloneEntity:                           [(s) => [s.world, s.ann],                         WAITS,  WAITS,  WAITS,    LOCKED, DISPOSED, MEMORY],
    cloneMany:                             [(s) => [s.world, s.ann, 2],                      WAITS,  WAITS,  WAITS,    LOCKED, DISPOSED, MEMORY],
    'cloneMany: none':                     [(s) => [s.world, s.ann, 0],                      READS,  READS,  READS,    READS,  DISPOSED, NONE],
    cloneTree:                             [(s) => [s.world, s.ann, 1],                      WAITS,  WAITS,  WAITS,    LOCKED, DISPOSED, MEMORY],
    addMany:                               [(s) => [s.world, [s.bob], Health],               WAITS,  WAITS,  WAITS,    LOCKED, DISPOSED, MEMORY],
    removeMany:                            [(s) => [s.world, [s.ann], Frozen],               WAITS,  WAITS,  WAITS,    LOCKED, DISPOSED, MEMORY],
    setMany:                               [(s) => [s.world, [s.ann], Position, { x: [2] }], NOW,    NOW,    NOW,      NOW,    DISPOSED, NONE],
    setColumn:                             [(s) => [s.query, Position, 'x', [1, 2, 3, 4]],   NOW,    NOW,    NOW,      NOW,    DISPOSED, NONE],
    sortRows:                              [(s) => [s.world, Left, 'n'],                     WAITS,  WAITS,  WAITS,    LOCKED, DISPOSED, MEMORY],
    sortRowsAs:                            [(s) => [s.world, Left, Right],                   WAITS,  WAITS,  WAITS,    LOCKED, DISPOSED, NONE],
    createGroup:                           [(s) => [s.world, Health, Armour],                READS,  READS,  READS,    READS,  DISPOSED, NONE],
    'createGroup: a new one':              [(s) => [s.world, Left, Lone],                    LOCKED, LOCKED, LOCKED,   LOCKED, DISPOSED, MEMORY],
    queueDestroy:                          [(s) => [s.world, s.ann],                         WAITS,  WAITS,  WAITS,    LOCKED, DISPOSED, MEMORY],
    endFrame:                              [(s) => [s.world],                                WAITS,  WAITS,  WAITS,    LOCKED, DISPOSED, MEMORY],
    ancestors:                             [(s) => [s.world, s.ann, In],                     READS,  READS,  READS,    READS,  DISPOSED, NONE],
    descendants:                           [(s) => [s.world, s.ann, In],                     READS,  READS,  READS,    READS,  DISPOSED, NONE],
    depthOf:                               [(s) => [s.world, s.ann, In],                     READS,  READS,  READS,    READS,  DISPOSED, NONE],
    getColumn:                             [(s) => [s.query, Position, 'x'],                 READS,  READS,  READS,    READS,  DISPOSED, NONE],
    sumOf:                                 [(s) => [s.query, Position, 'x'],                 READS,  READS,  READS,    READS,  DISPOSED, NONE],
    minOf:                                 [(s) => [s.query, Position, 'x'],                 READS,  READS,  READS,    READS,  DISPOSED, NONE],
    maxOf:                                 [(s) => [s.query, Position, 'x'],                 READS,  READS,  READS,    READS,  DISPOSED, NONE],
    sortedEntities:                        [(s) => [s.query, Position, 'x'],                 READS,  READS,  READS,    READS,  DISPOSED, MEMORY],
    objectsOf:                             [(s) => [s.world, Sprite],                        READS,  READS,  READS,    READS,  DISPOSED, MEMORY],
    createSpawner:                         [(s) => [s.world, Position],                      READS,  READS,  READS,    READS,  DISPOSED, NONE],
    createCommands:                        [(s) => [s.world],                                READS,  READS,  READS,    READS,  DISPOSED, NONE],
    createHistory:                         [(s) => [s.world, { frames: 2 }],                 READS,  READS,  READS,    READS,  DISPOSED, NONE],
    createSchedule:                        [(s) => [s.world],                                READS,  READS,  READS,    READS,  DISPOSED, NONE],
    onAdd:                                 [(s) => [s.world, Position, () => {}],            READS,  READS,  READS,    READS,  DISPOSED, NONE],
    onRemove:                              [(s) => [s.world, Position, () => {}],            READS,  READS,  READS,    READS,  DISPOSED, NONE],
    onSet:                                 [(s) => [s.world, Position, () => {}],            READS,  READS,  READS,    READS,  DISPOSED, NONE],
    onEnter:                               [(s) => [s.query, () => {}],                      READS,  READS,  READS,    READS,  DISPOSED, NONE],
    onExit:                                [(s) => [s.query, () => {}],                      READS,  READS,  READS,    READS,  DISPOSED, NONE],
    onResource:                            [(s) => [s.world, Wind, () => {}],                READS,  READS,  READS,    READS,  DISPOSED, NONE],
    onRestore:                             [(s) => [s.world, () => {}],                      READS,  READS,  READS,    READS,  DISPOSED, NONE],
    onChange:                              [(s) => [s.query, () => {}],                      READS,  READS,  READS,    READS,  DISPOSED, NONE],
    createRemovalReader:                   [(s) => [s.world, Position],                      READS,  READS,  READS,    READS,  DISPOSED, NONE],
    textId:                                [(s) => [s.world, 'unused'],                      READS,  READS,  READS,    READS,  DISPOSED, NONE],
    textOf:                                [(s) => [s.world, 0],                             READS,  READS,  READS,    READS,  DISPOSED, NONE],
    internText:                            [(s) => [s.world, 'new'],                         NOW,    NOW,    NOW,      NOW,    DISPOSED, MEMORY],
    sweepTexts:                            [(s) => [s.world],                                LOCKED, LOCKED, LOCKED,   LOCKED, DISPOSED, NONE],
    sweepReferences:                       [(s) => [s.world],                                NOW,    NOW,    NOW,      NOW,    DISPOSED, NONE],
    digestWorld:                           [(s) => [s.world],                                READS,  READS,  READS,    READS,  DISPOSED, NONE],
    snapshotWorld:                         [(s) => [s.world],                                LOCKED, LOCKED, LOCKED,   LOCKED, DISPOSED, NONE],
    restoreWorld:                          [(s) => [s.world, s.past],                        LOCKED, LOCKED, LOCKED,   LOCKED, DISPOSED, NONE],
    forkWorld:                             [(s) => [s.world],                                LOCKED, LOCKED, LOCKED,   LOCKED, DISPOSED, MEMORY],
    checkReplay:                           [(s) => [s.world, () => {}, { frames: 1 }],       LOCKED, LOCKED, LOCKED,   LOCKED, DISPOSED, NONE],
    saveWorld:                             [(s) => [s.world],                                LOCKED, LOCKED, LOCKED,   LOCKED, DISPOSED, NONE],
    saveToJSON:                            [(s) => [s.world],                                LOCKED, LOCKED, LOCKED,   LOCKED, DISPOSED, NONE],
    loadInto: [(s) => [s.world, s.bytes, { components: [Position] }], LOCKED, LOCKED, LOCKED,   LOCKED, DISPOSED, NONE],
    mergeWorld:                            [(s) => [s.world, s.bytes],                       LOCKED, LOCKED, LOCKED,   LOCKED, DISPOSED, MEMORY],
  },
} satisfies Record<string, Record<string, Row>>

/** What a row is called on: a query that others share cannot be disposed of, and one entity alone is in a page. */
export function receiverOf(room: string, call: string, stage: Stage): object {
  if (room === 'library') return library
  if (room === 'world') return stage.world
  if (room === 'commands') return stage.commands
  if (room === 'kernel') return stage.gust
  return call === 'dispose' ? stage.news : call === 'single' ? stage.page : stage.query
}

/** The name of what a row calls. */
export const nameOf = (call: string) => call.replace(/:.*/, '')

/** Makes the call of a row, or reads the property. */
export function use(receiver: object, call: string, given: unknown[]): unknown {
  const value = (receiver as Record<string, unknown>)[nameOf(call)]
  return typeof value === 'function'
    ? (value as (...args: unknown[]) => unknown).apply(receiver, given)
    : value
}
