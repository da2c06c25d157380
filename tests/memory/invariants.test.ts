// Shows that checkInvariants can fail: memory is damaged in one place at a time, and each damage is reported by the sentence
// about it.

import { describe, expect, it } from 'vitest'
import * as L from '../../build/layout'
import {
  any,
  component,
  destroyMany,
  f32,
  internText,
  not,
  createRemovalReader,
  resource,
  sparse,
  spawnAt,
  spawnMany,
  stable,
  sweepTexts,
  tag,
  text,
  toggle,
  u8,
  vec,
  type World,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { testWorld } from '../support/world'

const Position = component('Position', { x: f32, y: f32 })
const Health = component('Health', { hp: u8 }, { storage: sparse })
const Slot = component('Slot', { value: u8 }, { storage: stable })
const Label = component('Label', { value: text.default('zzzz') }, { storage: sparse })
const Frozen = tag('Frozen')
const Time = resource('Time', { dt: f32 })
const Ground = resource('Ground', { sum: f32, cells: vec(f32, 5000) })
const Watched = component('Watched', { n: u8 }, { trackChanges: 'row', toggle })

/** Linear memory by the word, to damage it. */
class Words {
  private readonly u32: Uint32Array
  constructor(readonly world: World) {
    this.u32 = (world as unknown as { state: { heap: { u32: Uint32Array } } }).state.heap.u32
  }

  at(address: number): number {
    return this.u32[address >>> 2] as number
  }

  put(address: number, value: number): void {
    this.u32[address >>> 2] = value
  }

  change(address: number, by: number): void {
    this.put(address, this.at(address) + by)
  }

  item(list: number, index: number): number {
    return this.at(this.itemAddress(list, index))
  }

  itemAddress(list: number, index: number): number {
    return this.at(list + L.LIST_ITEMS) + index * 4
  }

  archetype(id: number): number {
    return this.item(this.at(L.ARCHETYPES_ALL), id)
  }

  /** The descriptor of a table's chunk. */
  chunk(table: number, position: number): number {
    return (
      this.at(L.CHUNKS_TABLE) + this.item(this.at(table + L.TABLE_CHUNKS), position) * L.CHUNK_RECORD_BYTES
    )
  }

  component(id: number): number {
    return this.at(L.COMPONENTS_RECORDS) + id * L.COMPONENT_BYTES
  }

  pool(id: number): number {
    return this.at(this.component(id) + L.COMPONENT_POOL)
  }

  text(id: number): number {
    return this.at(L.TEXTS_RECORDS) + id * L.TEXT_BYTES
  }

  textUnits(id: number): number {
    return this.at(this.text(id) + L.TEXT_UNITS)
  }

  /** Where the bucket of a text that is alone in it, or its last, is kept. */
  bucketOf(id: number): number {
    const bucket = this.at(this.text(id) + L.TEXT_HASH) & (this.at(L.TEXTS_CAPACITY) - 1)
    return this.text(bucket) + L.TEXT_BUCKET
  }

  /** Row 0 of the text column in the pool of Label, behind the link. */
  textColumn(): number {
    const pool = this.pool(LABEL_ID)
    const column = this.at(this.at(pool + L.TABLE_LAYOUT) + L.LAYOUT_COLUMNS) + L.COLUMN_BYTES
    return this.at(this.chunk(pool, 0) + L.CHUNK_DATA) + this.at(column + L.COLUMN_SMALL_OFFSET)
  }

  record(index: number): number {
    return this.at(L.ENTITIES_RECORDS) + index * L.RECORD_BYTES
  }
}

// What sampleWorld makes, in order.
const POSITION_ID = 0
const HEALTH_ID = 1
const SLOT_ID = 2
const WATCHED_ID = 6
const TIME_ID = 5
const GROUND_ID = 7
const POSITION_ARCHETYPE = 1
const FROZEN_ARCHETYPE = 2
const LABEL_ID = 4
/** The index after all others, whose entity lives under an old handle. */
const PEAK_INDEX = 408
/** A living entity with all components but the tag. */
const LIVING = 50

function sampleWorld(): Words {
  const world = testWorld({ maxEntities: 5000 })
  world.query(Position)
  world.query(Health)
  world.query(Slot)
  const handles = spawnMany(world, 300, [Position, Health, Slot])
  spawnMany(world, 100, [Position, Frozen])
  world.query(any(Position, Frozen), not(Health))
  world.query(Frozen)
  destroyMany(world, handles.subarray(0, 20))
  for (const handle of handles.subarray(100, 110)) world.remove(handle, Slot)
  const held = ['aaaa', 'bbbb', 'c\0c\0c\0c\0', 'eeee']
  for (const value of [...held.slice(0, 3), 'dddd', 'eeee']) internText(world, value)
  held.forEach((value, i) => world.add(handles[200 + i], Label({ value })))
  sweepTexts(world)
  world.resource(Time)
  spawnMany(world, 5, [Watched])
  world.disable(world.query(Watched).first() ?? 0, Watched)
  world.resource(Ground)
  for (const handle of handles.subarray(200, 203)) world.add(handle, Frozen)
  for (const handle of handles.subarray(200, 203)) world.remove(handle, Frozen)
  world.destroy(spawnAt(world, (5 << 24) | PEAK_INDEX, Position, Frozen))
  spawnAt(world, (2 << 24) | PEAK_INDEX, Position, Frozen)
  checkInvariants(world)
  return new Words(world)
}

/** The table of the tracked component, its first chunk, and the address of that chunk's ticks for it. */
const WATCHED_ARCHETYPE = 3

function watchedChunk(w: Words): number {
  return w.chunk(w.archetype(WATCHED_ARCHETYPE), 0)
}

function watchedTicks(w: Words): number {
  return w.at(watchedChunk(w) + L.CHUNK_DATA) - L.CHUNK_TICKS_BYTES
}

function watchedLayout(w: Words): number {
  return w.at(w.archetype(WATCHED_ARCHETYPE) + L.TABLE_LAYOUT)
}

/** The tick of row 2's last change (column 0), or of its adding (column 1). */
function watchedRowTick(w: Words, column: number): number {
  const layout = watchedLayout(w)
  const first = w.at(w.at(layout + L.LAYOUT_COMPONENTS) + L.LAYOUT_COMPONENT_TICK_COLUMN)
  const shape = w.at(layout + L.LAYOUT_COLUMNS) + (first + column) * L.COLUMN_BYTES
  return w.at(watchedChunk(w) + L.CHUNK_DATA) + w.at(shape + L.COLUMN_SMALL_OFFSET) + 2 * 4
}

function groundLayout(w: Words): number {
  return w.at(w.pool(GROUND_ID) + L.TABLE_LAYOUT)
}

function groundColumn(w: Words, k: number): number {
  return w.at(groundLayout(w) + L.LAYOUT_COLUMNS) + k * L.COLUMN_BYTES
}

const DAMAGES: readonly [name: string, damage: (words: Words) => void, complaint: RegExp][] = [
  [
    'a living record points at another row',
    (w) => w.change(w.record(LIVING) + L.RECORD_LOCATION, 1),
    /record point elsewhere|points at/,
  ],
  [
    'a living record points nowhere',
    (w) => w.put(w.record(LIVING) + L.RECORD_LOCATION, 0),
    /record point elsewhere|has no row/,
  ],
  [
    'a row holds a dead handle',
    (w) => w.put(w.at(w.chunk(w.archetype(POSITION_ARCHETYPE), 0) + L.CHUNK_DATA), 4000),
    /holds the dead handle 4000/,
  ],
  [
    'a row holds the handle of another row',
    (w) => w.put(w.at(w.chunk(w.archetype(POSITION_ARCHETYPE), 0) + L.CHUNK_DATA), LIVING),
    /record point elsewhere/,
  ],
  ['the count of living entities is off', (w) => w.change(L.ENTITIES_ALIVE, 1), /are said to be alive/],
  [
    'the free queue begins with a living index',
    (w) => w.put(L.ENTITIES_FREE_FIRST, LIVING),
    /names the living index 50/,
  ],
  [
    'the free queue forgets one',
    (w) => w.change(L.ENTITIES_FREE_COUNT, -1),
    /ends with|neither alive nor in a queue/,
  ],
  ['the free queue has a loop', (w) => w.put(w.record(2) + L.RECORD_LOCATION, 1), /queued twice/],
  ['the last of the free queue is another', (w) => w.change(L.ENTITIES_FREE_LAST, -1), /not with its last/],
  [
    'a free index names another one before it',
    (w) => w.put(w.at(L.ENTITIES_BIRTHS) + 2 * 4, 5),
    /follows 1 and names 5/,
  ],
  [
    'a dead index has a peak',
    (w) => w.put(w.at(L.ENTITIES_PEAKS), 9 << 8),
    /is not alive and has the peak 9/,
  ],
  [
    'a peak is below the generation',
    (w) => w.put(w.at(L.ENTITIES_PEAKS) + PEAK_INDEX, 1),
    /has the peak 1 and lives under generation 2/,
  ],
  [
    'a retired queue names a free index',
    (w) => (w.put(L.ENTITIES_RETIRED_COUNT, 1), w.put(L.ENTITIES_RETIRED_FIRST, 1)),
    /queued twice|with generation/,
  ],
  ['an unused record looks alive', (w) => w.put(w.record(1000) + L.RECORD_HANDLE, 1000), /never given out/],
  [
    'a chunk that is not the last one is not full',
    (w) => w.change(w.chunk(w.archetype(POSITION_ARCHETYPE), 0) + L.CHUNK_ROWS, -1),
    /not the last one and not full/,
  ],
  [
    'a table counts a row too many',
    (w) => w.change(w.archetype(POSITION_ARCHETYPE) + L.TABLE_ROWS, 1),
    /its chunks hold/,
  ],
  [
    'a chunk names another owner',
    (w) => w.change(w.chunk(w.archetype(POSITION_ARCHETYPE), 0) + L.CHUNK_OWNER, 1),
    /names the owner/,
  ],
  [
    'a chunk names another layout',
    (w) => w.change(w.chunk(w.archetype(POSITION_ARCHETYPE), 0) + L.CHUNK_LAYOUT_KEY, 1 << L.SIZE_BITS),
    /layout key/,
  ],
  [
    'a chunk points at another table',
    (w) => w.put(w.chunk(w.archetype(POSITION_ARCHETYPE), 0) + L.CHUNK_TABLE, w.archetype(0)),
    /points at another table/,
  ],
  [
    'a chunk has the rows of another one',
    (w) =>
      w.put(
        w.chunk(w.archetype(FROZEN_ARCHETYPE), 0) + L.CHUNK_DATA,
        w.at(w.chunk(w.archetype(POSITION_ARCHETYPE), 0) + L.CHUNK_DATA),
      ),
    /overlaps|record point elsewhere/,
  ],
  [
    'two tables have the same chunk',
    (w) =>
      w.put(
        w.itemAddress(w.at(w.archetype(FROZEN_ARCHETYPE) + L.TABLE_CHUNKS), 0),
        w.item(w.at(w.archetype(POSITION_ARCHETYPE) + L.TABLE_CHUNKS), 0),
      ),
    /in two tables/,
  ],
  [
    'the tail is not the last chunk',
    (w) => w.change(w.archetype(POSITION_ARCHETYPE) + L.TABLE_TAIL_ID, -1),
    /the tail of archetype 1/,
  ],
  ['the directory counts a chunk too many', (w) => w.change(L.CHUNKS_COUNT, 1), /the chunk directory counts/],
  ['a chunk id is lost', (w) => w.change(L.CHUNKS_FRESH, 1), /a chunk is lost/],
  [
    'a page counts one too few',
    (w) => w.change(w.at(w.pool(HEALTH_ID) + L.POOL_PAGES) + L.PAGE_LIVE, -1),
    /counts 279 and names 280|the pages of component 1/,
  ],
  [
    'a page forgets an entity',
    (w) => w.put(w.at(w.at(w.pool(HEALTH_ID) + L.POOL_PAGES)) + LIVING * 4, 0),
    /sends index 50 elsewhere/,
  ],
  [
    'a page names an entity that is not in the pool',
    (w) =>
      w.put(
        w.at(w.at(w.pool(HEALTH_ID) + L.POOL_PAGES)) + 350 * 4,
        w.at(w.at(w.at(w.pool(HEALTH_ID) + L.POOL_PAGES)) + LIVING * 4),
      ),
    /row of another entity/,
  ],
  [
    'an empty page is kept',
    (w) =>
      w.put(
        w.at(w.pool(HEALTH_ID) + L.POOL_PAGES) + L.PAGE_RECORD_BYTES + L.PAGE_LOCATIONS,
        w.at(w.at(w.pool(HEALTH_ID) + L.POOL_PAGES)),
      ),
    /and is kept/,
  ],
  [
    'the queue of holes begins elsewhere',
    (w) => w.change(w.pool(SLOT_ID) + L.POOL_HOLE_FIRST, 40),
    /as a hole, and an entity is in it/,
  ],
  ['a hole is forgotten', (w) => w.change(w.pool(SLOT_ID) + L.POOL_HOLE_COUNT, -1), /holes and its chunks/],
  [
    'a chunk counts a hole too many',
    (w) => w.change(w.chunk(w.pool(SLOT_ID), 0) + L.CHUNK_HOLES, 1),
    /holes and/,
  ],
  [
    'an entity begins its chain with a pool that does not hold it',
    (w) => w.change(w.at(L.ENTITIES_SPARSE_HEADS) + 350 * 2, HEALTH_ID + 1),
    /does not hold it/,
  ],
  ['an entity has no chain', (w) => w.put(w.at(L.ENTITIES_SPARSE_HEADS) + LIVING * 2, 0), /links for/],
  [
    'a signature is not ascending',
    (w) => w.put(w.at(w.archetype(FROZEN_ARCHETYPE) + L.ARCHETYPE_SIGNATURE) + 4, POSITION_ID),
    /not ascending|which does not have it/,
  ],
  [
    'two archetypes have the same signature',
    (w) => w.put(w.archetype(FROZEN_ARCHETYPE) + L.ARCHETYPE_SIGNATURE_COUNT, 1),
    /does not have it|the same signature/,
  ],
  [
    'a component does not list an archetype',
    (w) => w.change(w.at(w.component(POSITION_ID) + L.COMPONENT_ARCHETYPES) + L.LIST_COUNT, -1),
    /does not list all archetypes/,
  ],
  [
    'an archetype is marked empty',
    (w) => w.put(w.archetype(POSITION_ARCHETYPE) + L.ARCHETYPE_ACTIVE, 0),
    /not marked active/,
  ],
  [
    'a query counts an active match too few',
    (w) => w.change(firstQuery(w) + L.MATCHES_ACTIVE, -1),
    /chains more than/,
  ],
  [
    'a query lists an archetype that does not match',
    (w) => w.put(w.at(firstQuery(w) + L.MATCHES_ITEMS) + L.MATCH_ARCHETYPE, 0),
    /on the wrong side|back|does not match|another order/,
  ],
  [
    'a query forgets a match',
    (w) => (w.change(firstQuery(w) + L.MATCHES_COUNT, -1), w.change(firstQuery(w) + L.MATCHES_ACTIVE, -1)),
    /matches query 0 and is not listed|chains more than/,
  ],
  [
    'a match points back at another pair',
    (w) => w.change(w.at(firstQuery(w) + L.MATCHES_ITEMS) + L.MATCH_PAIR, 1),
    /does not point back/,
  ],
  [
    'a cached transition leads astray',
    (w) => w.put(w.archetype(0) + L.ARCHETYPE_TRANSITIONS + L.TRANSITION_TARGET, w.archetype(0)),
    /has other components/,
  ],
  [
    'a plan of a move counts a column too many',
    (w) => w.change(w.at(L.LAST_MOVES + 12) + L.MOVE_PLAN_COLUMNS, 1),
    /does not count its columns as they lie/,
  ],
  [
    'a plan of a move counts a component too few',
    (w) => w.change(w.at(L.LAST_MOVES + 12) + L.MOVE_PLAN_COMPONENTS, -1),
    /does not count its components as they lie/,
  ],
  ['the last move had another plan', (w) => w.change(L.LAST_MOVES + 12, 16), /keeps a plan that is not that/],
  [
    'the last move led to another archetype',
    (w) => w.put(L.LAST_MOVES + 8, w.at(L.LAST_MOVES)),
    /leads from archetype .* which has other components/,
  ],
  [
    'an archetype that lost its rows had another version then',
    (w) => w.put(w.at(w.at(w.at(L.ARCHETYPES_ALL) + L.LIST_ITEMS)) + L.ARCHETYPE_EMPTY_VERSION, 5),
    /has lost versions of its empty archetypes/,
  ],
  ['a text is counted that is not there', (w) => w.change(L.TEXTS_COUNT, 1), /texts are counted/],
  ['a text is the same as another one', (w) => w.put(w.textUnits(2), w.at(w.textUnits(1))), /are the same/],
  [
    'a text is longer than it may be',
    (w) => w.put(w.text(1) + L.TEXT_LENGTH, L.MAX_TEXT_LENGTH + 1),
    /text 1 has 32768 units/,
  ],
  [
    'a text is wide without need',
    (w) => (w.put(w.text(3) + L.TEXT_STATE, L.TEXT_LIVE | L.TEXT_WIDE), w.put(w.text(3) + L.TEXT_LENGTH, 4)),
    /takes two bytes a unit and needs one/,
  ],
  ['a text is in no bucket', (w) => w.put(w.bucketOf(1), w.at(w.text(1) + L.TEXT_NEXT)), /buckets name/],
  [
    'a text is in the bucket of another hash',
    (w) => w.change(w.text(1) + L.TEXT_HASH, 1),
    /where its hash does not lead/,
  ],
  ['a free text is lost', (w) => w.put(L.TEXTS_FREE_FIRST, 0), /a text id is lost/],
  ['a free list names a text', (w) => w.put(L.TEXTS_FREE_FIRST, 1), /which is not free/],
  [
    'a row holds an id that names no text',
    (w) => w.put(w.textColumn(), w.at(L.TEXTS_FREE_FIRST)),
    /holds the text \d+, which is none/,
  ],
  [
    'a default is a text that does not exist',
    (w) => w.put(w.at(w.component(LABEL_ID) + L.COMPONENT_COLUMNS) + L.SHAPE_DEFAULT_WORD, 500),
    /the default of column 0 of component \d+ is a text that is none/,
  ],
  ['a resource has a second row', (w) => w.put(w.pool(TIME_ID) + L.TABLE_ROWS, 2), /resource 5 has 2 rows/],
  [
    'the row of a resource holds an entity',
    (w) => w.put(w.at(w.chunk(w.pool(TIME_ID), 0) + L.CHUNK_DATA), LIVING),
    /resource 5 holds the entity 50/,
  ],
  [
    'a wide layout has a KiB too many',
    (w) => w.change(groundLayout(w) + L.LAYOUT_WIDE_BYTES, 1024),
    /wide layout \d+ ends at \d+, and its chunk has/,
  ],
  [
    'a wide layout forgets that it is one',
    (w) => w.put(groundLayout(w) + L.LAYOUT_WIDE_BYTES, 0),
    /the columns of layout \d+ reach beyond its chunks/,
  ],
  [
    'a wide layout is of a component',
    (w) => w.put(w.at(groundLayout(w) + L.LAYOUT_COMPONENTS) + L.LAYOUT_COMPONENT_ID, POSITION_ID),
    /wide layout \d+ is not of a resource/,
  ],
  [
    'a wide layout has room for two rows',
    (w) => w.put(groundLayout(w) + L.LAYOUT_SMALL_CAPACITY, 2),
    /room for something else than one row/,
  ],
  [
    'a column of a wide layout begins where the handle is',
    (w) => w.put(groundColumn(w, 0) + L.COLUMN_SMALL_OFFSET, 0),
    /column 0 of the wide layout \d+ begins at/,
  ],
  [
    'a column of a wide layout begins inside another',
    (w) => w.change(groundColumn(w, 1) + L.COLUMN_SMALL_OFFSET, -16),
    /column 1 of the wide layout \d+ begins at/,
  ],
  [
    'a wide layout is small enough for a chunk',
    (w) => (
      w.put(groundColumn(w, 1) + L.COLUMN_WIDTH, 16),
      w.put(groundLayout(w) + L.LAYOUT_WIDE_BYTES, 1024)
    ),
    /wide layout \d+ has 1024 bytes/,
  ],
  [
    'a wide chunk begins elsewhere',
    (w) => w.change(w.chunk(w.pool(GROUND_ID), 0) + L.CHUNK_DATA, 1024),
    /a wide chunk at 0x\w+ is not aligned to a block/,
  ],
  [
    'a wide chunk lies where others are',
    (w) => w.put(w.chunk(w.pool(GROUND_ID), 0) + L.CHUNK_DATA, 0x38010),
    /overlaps/,
  ],
  [
    'a wide chunk was written in the future',
    (w) => w.put(w.at(w.chunk(w.pool(GROUND_ID), 0) + L.CHUNK_DATA) - L.CHUNK_TICKS_BYTES, 99),
    /changed in tick 99, after the chunk/,
  ],
  [
    'a living record points at the row of a resource',
    (w) =>
      w.put(
        w.record(LIVING) + L.RECORD_LOCATION,
        w.item(w.at(w.pool(TIME_ID) + L.TABLE_CHUNKS), 0) << L.ROW_BITS,
      ),
    /record point elsewhere|which no archetype has/,
  ],
  [
    'a chunk changed in a tick to come',
    (w) => w.put(watchedChunk(w) + L.CHUNK_CHANGED, w.at(L.WORLD_TICK) + 1),
    /changed in tick \d+, after the present one/,
  ],
  [
    'the summary of a chunk is older than its changes',
    (w) => w.change(watchedChunk(w) + L.CHUNK_CHANGED, -1),
    /changed in tick \d+, after the chunk/,
  ],
  [
    'a component was added after its last change',
    (w) => w.change(watchedTicks(w) + L.CHUNK_TICKS_CHANGED, -1),
    /was added in tick \d+, after its last change/,
  ],
  [
    'a row changed later than its chunk',
    (w) => w.change(watchedRowTick(w, 0), 1),
    /row 2 of component 0 of .* changed in tick \d+, its chunk in/,
  ],
  [
    'a row was added later than any of its chunk',
    (w) => w.change(watchedRowTick(w, 1), 1),
    /row 2 of component 0 of .* was added in tick \d+, its chunk in/,
  ],
  [
    'a row was added after its last change',
    (w) => w.change(watchedRowTick(w, 0), -1),
    /row 2 of component 0 of .* was added in tick \d+, changed in/,
  ],
  [
    'a layout forgets a toggle',
    (w) => w.change(watchedLayout(w) + L.LAYOUT_TOGGLE_COUNT, -1),
    /counts 0 toggles and has 1/,
  ],
  [
    'a layout forgets that rows are tracked',
    (w) => w.change(watchedLayout(w) + L.LAYOUT_TRACKED_COUNT, -1),
    /counts 0 tracked components and has 1/,
  ],
  [
    'a layout has bits for what cannot be switched',
    (w) => w.put(w.component(WATCHED_ID) + L.COMPONENT_FLAGS, 0),
    /against its declaration|counts 1 toggles and has 0/,
  ],
  [
    'an entity is not yet born',
    (w) => w.put(w.at(L.ENTITIES_BIRTHS) + LIVING * 4, w.at(L.ENTITIES_NEXT_BIRTH)),
    /index 50 has birth \d+, and the next one is/,
  ],
  [
    'two entities were born at once',
    (w) => w.put(w.at(L.ENTITIES_BIRTHS) + (LIVING + 1) * 4, w.at(w.at(L.ENTITIES_BIRTHS) + LIVING * 4)),
    /index 51 has birth \d+, like another one/,
  ],
  ['used bytes are off', (w) => w.change(L.BLOCKS_USED, 1024), /bytes of blocks are in use/],
  [
    'a free block is lost',
    (w) => loseFreeBlock(w),
    /not the whole heap|the bitmap marks|the mark of the free list/,
  ],
  [
    'a free block is not marked',
    (w) => w.put(w.at(L.BLOCKS_BITMAP) + bitmapWord(w), 0),
    /not marked in the bitmap/,
  ],
  [
    'a free object is lost',
    (w) => w.put(L.OBJECTS_ADDRESS, w.at(w.at(L.OBJECTS_ADDRESS))),
    /an object of 16 bytes is lost/,
  ],
  [
    'an object in use is free',
    (w) => w.put(L.OBJECTS_ADDRESS, w.at(L.ARCHETYPES_ALL)),
    /in use twice, or free and in use/,
  ],
]

function firstQuery(words: Words): number {
  return words.item(words.at(L.QUERIES_ALL), 0)
}

function highestOrder(words: Words): number {
  return 31 - Math.clz32(words.at(L.BLOCKS_ORDERS))
}

function loseFreeBlock(words: Words): void {
  const list = L.BLOCKS_FIRST_LIST + highestOrder(words) * 4
  words.put(list, words.at(words.at(list)))
}

function bitmapWord(words: Words): number {
  const block = words.at(L.BLOCKS_FIRST_LIST + highestOrder(words) * 4)
  return (block >>> (L.MIN_ORDER + 5)) * 4
}

describe('checkInvariants', () => {
  it('finds nothing wrong with a valid world', () => {
    const { world } = sampleWorld()
    checkInvariants(world)
    checkInvariants(world, 'tables')
  })

  for (const [name, damage, complaint] of DAMAGES) {
    it(`finds that ${name}`, () => {
      const words = sampleWorld()
      damage(words)
      expect(() => checkInvariants(words.world)).toThrow(complaint)
    })
  }

  it.each([
    ['counts more removals than it has room for', 0, 64, /counts 64 removals and has 128 words/],
    ['names an entity that was never given out', 2, 900, /names the entity 900/],
    ['says neither that an entity died nor that it did not', 3, 2, /says 2 of entity 1/],
  ])('finds that a log of removals %s', (_, place, value, complaint) => {
    const world = testWorld()
    // The log is the first that the world knows.
    const lost = createRemovalReader(world, Frozen)
    world.remove(world.spawn(Frozen), Frozen)
    checkInvariants(world)
    const words = new Words(world)
    const pool = words.pool(0)
    const column = words.at(words.at(pool + L.TABLE_LAYOUT) + L.LAYOUT_COLUMNS)
    const log = words.at(words.chunk(pool, 0) + L.CHUNK_DATA) + words.at(column + L.COLUMN_SMALL_OFFSET)
    words.put(log + place * 4, value)
    expect(() => checkInvariants(world)).toThrow(complaint)
    expect(lost.missed).toBe(0)
  })
})
