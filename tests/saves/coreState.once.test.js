// Shows for each word that the core keeps of entities and rows where a save has it, or why it needs none. A new word in the core
// fails it until someone decides.

import { readFileSync, readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { component, createWorld, relation, saveWorld, sparse, spawnAt, u8 } from '../../bindings/index'
import { descriptionOf } from '../support/saveBytes'

const CORE = new URL('../../assembly/', import.meta.url)
const FILES = [
  'memory/entities.ts',
  'memory/list.ts',
  'memory/world.ts',
  'archetypes/archetypes.ts',
  ...['tables', 'pools'].flatMap((room) => readdirSync(new URL(room, CORE)).map((file) => `${room}/${file}`)),
]

/** The member of a save's description that has it. */
const saved = (member) => ({ member })
/** Why no save has it. */
const left = (why) => ({ why })

const ADDRESS = left('where it lies in this memory, or how much room there is')
const FOLLOWS = left('it follows from which entities have which components')
const DECLARED = left('the program declares it, and may declare it otherwise')
const CHOSEN = left('an option of the world, which the program gives')
const HANDLES = left('entities get new handles: saving.md says so')
const CACHE = left('it only saves work, and is made again')
const TICKS = left('rows count as added when they are loaded: saving.md says so')
const GROUPS = left('groups are formed by the program: saving.md says so')
const HOLES = left('stable rows get new row numbers: saving.md says so')
const PASSING = left('it means nothing between two calls')
const LOOP = left('it means nothing when no loop is open')

const WORDS = {
  EntityRecord: { handle: saved('tables'), location: saved('tables') },
  IndexQueue: { first: HANDLES, last: HANDLES, count: HANDLES },
  EntityDirectory: {
    records: ADDRESS,
    capacity: ADDRESS,
    fresh: HANDLES,
    alive: FOLLOWS,
    limit: CHOSEN,
    usable: ADDRESS,
    strict: CHOSEN,
    freeFirst: HANDLES,
    freeLast: HANDLES,
    freeCount: HANDLES,
    retiredFirst: HANDLES,
    retiredLast: HANDLES,
    retiredCount: HANDLES,
    births: saved('making'),
    nextBirth: left('only which of two entities is the older one can be seen, and births say that'),
    promisedFrom: LOOP,
    promisedBirth: LOOP,
    sparseHeads: FOLLOWS,
    peaks: HANDLES,
  },
  List: { items: ADDRESS, count: FOLLOWS, capacity: ADDRESS },
  World: {
    tick: saved('tick'),
    status: PASSING,
    maximumBytes: CHOSEN,
    maxEntities: CHOSEN,
    strictIds: CHOSEN,
    occasions: left('only a stress core counts them'),
  },
  Archetype: {
    signature: saved('tables'),
    signatureCount: saved('tables'),
    bloom: FOLLOWS,
    hidingCount: DECLARED,
    upkeep: DECLARED,
    matches: CACHE,
    active: FOLLOWS,
    emptyVersion: left('no query of another world compares it'),
    incomingRows: PASSING,
    incomingChunks: PASSING,
    nextIncoming: PASSING,
  },
  Transition: { bundle: CACHE, target: CACHE, plan: CACHE },
  Archetypes: {
    all: saved('tables'),
    bySignature: CACHE,
    transitions: CACHE,
    movePlans: CACHE,
    hashMask: left('only tests change it'),
    status: PASSING,
  },
  Table: {
    layout: FOLLOWS,
    chunks: saved('tables'),
    rows: saved('tables'),
    tailId: ADDRESS,
    owner: FOLLOWS,
    version: left('no query and no list of another world compares it'),
  },
  Chunk: {
    data: ADDRESS,
    count: FOLLOWS,
    capacity: ADDRESS,
    layoutKey: ADDRESS,
    owner: FOLLOWS,
    table: ADDRESS,
    holes: HOLES,
    changed: TICKS,
  },
  ChunkDirectory: {
    chunks: ADDRESS,
    capacity: ADDRESS,
    fresh: ADDRESS,
    freeFirst: ADDRESS,
    freeCount: ADDRESS,
    count: FOLLOWS,
    version: left('no list of chunks of another world compares it'),
    held: PASSING,
    promised: PASSING,
  },
  ChunkTicks: { changed: TICKS, added: TICKS },
  Column: {
    defaultWord: DECLARED,
    width: saved('components'),
    defaultBytes: DECLARED,
    smallOffset: ADDRESS,
    fullOffset: ADDRESS,
    largeOffset: ADDRESS,
    kind: saved('components'),
  },
  LayoutComponent: {
    component: FOLLOWS,
    firstColumn: FOLLOWS,
    columnCount: FOLLOWS,
    tickColumn: TICKS,
    // The bits that lie there are saved as `off` of tables and pools.
    smallToggle: ADDRESS,
    fullToggle: ADDRESS,
    largeToggle: ADDRESS,
  },
  Layout: {
    id: ADDRESS,
    componentCount: FOLLOWS,
    components: FOLLOWS,
    columnCount: FOLLOWS,
    columns: FOLLOWS,
    smallCapacity: ADDRESS,
    fullCapacity: ADDRESS,
    largeCapacity: ADDRESS,
    smallStride: ADDRESS,
    fullStride: ADDRESS,
    largeStride: ADDRESS,
    toggleCount: DECLARED,
    trackedCount: DECLARED,
    wideBytes: DECLARED,
  },
  Layouts: { all: CACHE, byComponents: CACHE },
  SparsePage: { locations: FOLLOWS, live: FOLLOWS },
  SparseSet: {
    stable: DECLARED,
    pages: saved('pools'),
    pageCapacity: ADDRESS,
    holeFirst: HOLES,
    holeLast: HOLES,
    holeCount: HOLES,
    group: GROUPS,
    order: saved('pools'),
  },
  Group: { size: GROUPS, count: GROUPS, components: GROUPS },
  OrderList: { stale: CACHE, noted: PASSING },
}

/** The names of the fields of every struct in a source of the core. */
function structsIn(source) {
  const structs = source.matchAll(/^@unmanaged\n(?:export )?class (\w+)[^{]*\{\n([\s\S]*?)^\}/gm)
  return [...structs].map(([, name, body]) => [
    name,
    [...body.matchAll(/^ {2}(?:readonly )?(\w+): [\w<>]+$/gm)].map(([, field]) => field),
  ])
}

const structs = FILES.flatMap((file) => structsIn(readFileSync(new URL(file, CORE)).toString()))

it('Every word that the core keeps about entities and rows is in a save, or has a reason why not', () => {
  const listed = Object.entries(WORDS).map(([name, words]) => [name, Object.keys(words).sort()])
  expect(Object.fromEntries(structs.map(([name, fields]) => [name, fields.sort()]))).toEqual(
    Object.fromEntries(listed),
  )
  for (const words of Object.values(WORDS))
    for (const { member, why } of Object.values(words)) expect(member ?? why).toBeTruthy()
})

it('The named places of a save exist', () => {
  const world = createWorld()
  const Loose = component('Loose', { n: u8 }, { storage: sparse })
  const ChildOf = relation('ChildOf', { exclusive: true })
  const [first, second] = [world.spawn(Loose), world.spawn()]
  world.add(second, ChildOf(world.spawn()))
  world.destroy(first)
  spawnAt(world, first, Loose)
  const members = Object.values(WORDS).flatMap((words) =>
    Object.values(words).flatMap(({ member }) => member ?? []),
  )
  const description = descriptionOf(saveWorld(world))
  for (const member of new Set(members)) expect(description).toHaveProperty(member)
})
