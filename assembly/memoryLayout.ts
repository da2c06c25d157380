// Owns what TypeScript knows of the memory: every address, constant and field offset it reads, under one name.
// scripts/build-core.js turns these globals into build/layout.ts; nothing here is ever typed a second time.

import * as map from './memory/map'
import * as blocks from './memory/blocks'
import { Blocks, FreeBlock } from './memory/blocks'
import * as objects from './memory/objects'
import { Entry, HashTable } from './memory/hashTable'
import { List } from './memory/list'
import * as entities from './memory/entities'
import * as chunks from './tables/chunks'
import * as components from './components/components'
import * as layouts from './tables/layouts'
import { LARGE_FROM as TABLE_LARGE_FROM, Table } from './tables/tables'
import { MovePlan, NOT_PLAIN } from './archetypes/movePlans'
import * as lists from './rows/lists'
import { LastMove } from './rows/moves'
import { NewRow } from './rows/rows'
import {
  ADD,
  ARCHETYPE_BYTES as BYTES_OF_ARCHETYPE,
  Archetype,
  Archetypes,
  REMOVE,
  Transition,
} from './archetypes/archetypes'
import { Bundle, Bundles } from './archetypes/bundles'
import * as looseBundles from './archetypes/looseBundles'
import * as masks from './rows/masks'
import * as matches from './queries/matches'
import { Match, MatchList } from './queries/matches'
import { Group } from './pools/groups'
import { OrderList } from './pools/orderedTags'
import * as sparseSets from './pools/sparseSets'
import * as seenTicks from './queries/seenTicks'
import * as queries from './queries/queries'
import * as numbers from './order/numbers'
import * as sortKeys from './order/keys'
import * as sizes from './memory/sizes'
import * as status from './memory/status'
import { POOL_ADVANTAGE as POOL_ADVANTAGE_OF_WALKS } from './rows/walk'
import * as texts from './components/texts'
import { World } from './memory/world'

export const CORE_START: u32 = map.CORE_START
export const STATE_END: u32 = map.STATE_END
export const PROBE_ADDRESS: u32 = map.PROBE_ADDRESS
export const HEAP_ADDRESS: u32 = map.HEAP_ADDRESS
export const LIST_ADDRESS: u32 = map.LIST_ADDRESS
export const LIST_HANDLES: u32 = map.LIST_HANDLES
export const POOL_ADVANTAGE: u32 = POOL_ADVANTAGE_OF_WALKS
export const SCRATCH_ADDRESS: u32 = map.SCRATCH_ADDRESS
export const SCRATCH_BYTES: u32 = map.SCRATCH_BYTES

export const BLOCKS_END: u32 = map.BLOCKS_ADDRESS + offsetof<Blocks>('end')
export const BLOCKS_TOUCHED: u32 = map.BLOCKS_ADDRESS + offsetof<Blocks>('touched')
export const BLOCKS_USED: u32 = map.BLOCKS_ADDRESS + offsetof<Blocks>('used')
export const BLOCKS_EPOCH: u32 = map.BLOCKS_ADDRESS + offsetof<Blocks>('epoch')
export const BLOCKS_MAXIMUM: u32 = map.BLOCKS_ADDRESS + offsetof<Blocks>('maximum')
export const BLOCKS_ORDERS: u32 = map.BLOCKS_ADDRESS + offsetof<Blocks>('orders')
export const FREE_BLOCK_NEXT: u32 = offsetof<FreeBlock>('next')
export const FREE_BLOCK_PREVIOUS: u32 = offsetof<FreeBlock>('previous')
export const FREE_BLOCK_ORDER: u32 = offsetof<FreeBlock>('order')
export const BLOCKS_FIRST_LIST: u32 = map.BLOCKS_ADDRESS + offsetof<Blocks>('firstList')
export const BLOCKS_STAMP: u32 = map.BLOCKS_ADDRESS + offsetof<Blocks>('stamp')
export const OWN_STAMP_ADDRESS: u32 = map.OWN_STAMP_ADDRESS
export const STEPS_ADDRESS: u32 = map.STEPS_ADDRESS
export const BLOCKS_RESTING: u32 = map.BLOCKS_ADDRESS + offsetof<Blocks>('resting')
export const BLOCKS_RESTING_COUNT: u32 = map.BLOCKS_ADDRESS + offsetof<Blocks>('restingCount')
export const BLOCKS_BITMAP: u32 = map.BLOCKS_ADDRESS + offsetof<Blocks>('bitmap')
export const BLOCKS_COVERAGE: u32 = map.BLOCKS_ADDRESS + offsetof<Blocks>('coverage')
export const FIRST_BITMAP_ADDRESS: u32 = map.FIRST_BITMAP_ADDRESS
export const OBJECTS_ADDRESS: u32 = map.OBJECTS_ADDRESS
export const MAX_OBJECT_BYTES: u32 = objects.MAX_BYTES
export const SLAB_BYTES: u32 = objects.SLAB_BYTES
export const MIN_ORDER: u32 = sizes.MIN_ORDER
export const MAX_BLOCK_BYTES: u32 = blocks.MAX_BLOCK_BYTES

export const ENTITY_INDEX_BITS: u32 = entities.ENTITY_INDEX_BITS
export const MAX_ENTITIES: u32 = entities.MAX_ENTITIES
export const MIN_FREE_BEFORE_REUSE: u32 = entities.MIN_FREE_BEFORE_REUSE
export const FIRST_ENTITY_INDEX: u32 = entities.FIRST_ENTITY_INDEX
export const ENTITIES_RECORDS: u32 = map.ENTITIES_ADDRESS + offsetof<entities.EntityDirectory>('records')
export const ENTITIES_CAPACITY: u32 = map.ENTITIES_ADDRESS + offsetof<entities.EntityDirectory>('capacity')
export const ENTITIES_FRESH: u32 = map.ENTITIES_ADDRESS + offsetof<entities.EntityDirectory>('fresh')
export const ENTITIES_PROMISED_FROM: u32 =
  map.ENTITIES_ADDRESS + offsetof<entities.EntityDirectory>('promisedFrom')
export const ENTITIES_ALIVE: u32 = map.ENTITIES_ADDRESS + offsetof<entities.EntityDirectory>('alive')
export const ENTITIES_LIMIT: u32 = map.ENTITIES_ADDRESS + offsetof<entities.EntityDirectory>('limit')
export const ENTITIES_FREE_FIRST: u32 = map.ENTITIES_ADDRESS + offsetof<entities.EntityDirectory>('freeFirst')
export const ENTITIES_FREE_LAST: u32 = map.ENTITIES_ADDRESS + offsetof<entities.EntityDirectory>('freeLast')
export const ENTITIES_FREE_COUNT: u32 = map.ENTITIES_ADDRESS + offsetof<entities.EntityDirectory>('freeCount')
export const ENTITIES_RETIRED_FIRST: u32 =
  map.ENTITIES_ADDRESS + offsetof<entities.EntityDirectory>('retiredFirst')
export const ENTITIES_RETIRED_LAST: u32 =
  map.ENTITIES_ADDRESS + offsetof<entities.EntityDirectory>('retiredLast')
export const ENTITIES_RETIRED_COUNT: u32 =
  map.ENTITIES_ADDRESS + offsetof<entities.EntityDirectory>('retiredCount')
export const ENTITIES_BIRTHS: u32 = map.ENTITIES_ADDRESS + offsetof<entities.EntityDirectory>('births')
export const ENTITIES_NEXT_BIRTH: u32 = map.ENTITIES_ADDRESS + offsetof<entities.EntityDirectory>('nextBirth')
export const ENTITIES_SPARSE_HEADS: u32 =
  map.ENTITIES_ADDRESS + offsetof<entities.EntityDirectory>('sparseHeads')
export const ENTITIES_PEAKS: u32 = map.ENTITIES_ADDRESS + offsetof<entities.EntityDirectory>('peaks')
export const RECORD_BYTES: u32 = offsetof<entities.EntityRecord>()
export const RECORD_HANDLE: u32 = offsetof<entities.EntityRecord>('handle')
export const RECORD_LOCATION: u32 = offsetof<entities.EntityRecord>('location')

export const ROW_BITS: u32 = chunks.ROW_BITS
export const CHUNK_BYTES: u32 = sizes.CHUNK_BYTES
export const SMALL_CHUNK_BYTES: u32 = sizes.SMALL_CHUNK_BYTES
export const LARGE_CHUNK_BYTES: u32 = sizes.LARGE_CHUNK_BYTES
export const SIZE_BITS: u32 = chunks.SIZE_BITS
export const SIZE_MASK: u32 = chunks.SIZE_MASK
export const LARGE_FROM: u32 = TABLE_LARGE_FROM
export const CHUNKS_TABLE: u32 = map.CHUNKS_ADDRESS + offsetof<chunks.ChunkDirectory>('chunks')
export const CHUNKS_COUNT: u32 = map.CHUNKS_ADDRESS + offsetof<chunks.ChunkDirectory>('count')
export const CHUNKS_VERSION: u32 = map.CHUNKS_ADDRESS + offsetof<chunks.ChunkDirectory>('version')
export const CHUNKS_FRESH: u32 = map.CHUNKS_ADDRESS + offsetof<chunks.ChunkDirectory>('fresh')
export const CHUNKS_FREE_COUNT: u32 = map.CHUNKS_ADDRESS + offsetof<chunks.ChunkDirectory>('freeCount')
export const CHUNKS_CAPACITY: u32 = map.CHUNKS_ADDRESS + offsetof<chunks.ChunkDirectory>('capacity')
export const CHUNKS_FREE_FIRST: u32 = map.CHUNKS_ADDRESS + offsetof<chunks.ChunkDirectory>('freeFirst')
export const CHUNK_RECORD_BYTES: u32 = offsetof<chunks.Chunk>()
export const CHUNK_DATA: u32 = offsetof<chunks.Chunk>('data')
export const CHUNK_ROWS: u32 = offsetof<chunks.Chunk>('count')
export const CHUNK_CAPACITY: u32 = offsetof<chunks.Chunk>('capacity')
export const CHUNK_LAYOUT_KEY: u32 = offsetof<chunks.Chunk>('layoutKey')
export const CHUNK_OWNER: u32 = offsetof<chunks.Chunk>('owner')
export const CHUNK_TABLE: u32 = offsetof<chunks.Chunk>('table')
export const CHUNK_HOLES: u32 = offsetof<chunks.Chunk>('holes')
export const CHUNK_CHANGED: u32 = offsetof<chunks.Chunk>('changed')

export const COLUMN_PLAIN: u32 = components.COLUMN_PLAIN
export const COLUMN_ENTITY: u32 = components.COLUMN_ENTITY
export const COLUMN_TICK: u32 = components.COLUMN_TICK
export const FLAG_TOGGLE: u32 = components.FLAG_TOGGLE
export const FLAG_EXCLUDED: u32 = components.FLAG_EXCLUDED
export const COLUMN_TEXT: u32 = components.COLUMN_TEXT
export const STORAGE_TAG: u32 = components.STORAGE_TAG
export const STORAGE_TABLE: u32 = components.STORAGE_TABLE
export const STORAGE_SPARSE: u32 = components.STORAGE_SPARSE
export const STORAGE_STABLE: u32 = components.STORAGE_STABLE
export const STORAGE_RESOURCE: u32 = components.STORAGE_RESOURCE
export const FLAG_FRAME: u32 = components.FLAG_FRAME
export const FLAG_UPKEEP: u32 = components.FLAG_UPKEEP
export const MAX_COMPONENTS: u32 = components.MAX_COMPONENTS
export const COMPONENTS_RECORDS: u32 = map.COMPONENTS_ADDRESS + offsetof<components.Components>('records')
export const COMPONENTS_COUNT: u32 = map.COMPONENTS_ADDRESS + offsetof<components.Components>('count')
export const COMPONENTS_CAPACITY: u32 = map.COMPONENTS_ADDRESS + offsetof<components.Components>('capacity')
export const COMPONENTS_HIDING: u32 = map.COMPONENTS_ADDRESS + offsetof<components.Components>('hiding')
export const COMPONENTS_UPKEEP_POOLS: u32 = map.COMPONENTS_ADDRESS + offsetof<components.Components>('upkeepPools')
export const COMPONENT_BYTES: u32 = offsetof<components.Component>()
export const COMPONENT_STORAGE: u32 = offsetof<components.Component>('storage')
export const COMPONENT_FLAGS: u32 = offsetof<components.Component>('flags')
export const COMPONENT_COLUMN_COUNT: u32 = offsetof<components.Component>('columnCount')
export const COMPONENT_COLUMNS: u32 = offsetof<components.Component>('columns')
export const SHAPE_BYTES: u32 = offsetof<components.ColumnShape>()
export const SHAPE_KIND: u32 = offsetof<components.ColumnShape>('kind')
export const SHAPE_DEFAULT_WORD: u32 = offsetof<components.ColumnShape>('defaultWord')
export const SHAPE_WIDTH: u32 = offsetof<components.ColumnShape>('width')
export const SHAPE_DEFAULT_BYTES: u32 = offsetof<components.ColumnShape>('defaultBytes')
export const COMPONENT_TEXT: u32 = offsetof<components.Component>('text')
export const COMPONENT_TEXT_BYTES: u32 = offsetof<components.Component>('textBytes')
export const COMPONENT_POOL: u32 = offsetof<components.Component>('pool')
export const COMPONENT_ARCHETYPES: u32 = offsetof<components.Component>('archetypes')
export const COMPONENT_QUERIES: u32 = offsetof<components.Component>('queries')
export const DESCRIPTION_BYTES: u32 = offsetof<components.ComponentDescription>()
export const DESCRIPTION_STORAGE: u32 = offsetof<components.ComponentDescription>('storage')
export const DESCRIPTION_FLAGS: u32 = offsetof<components.ComponentDescription>('flags')
export const DESCRIPTION_COLUMNS: u32 = offsetof<components.ComponentDescription>('columnCount')
export const DESCRIPTION_TEXT_BYTES: u32 = offsetof<components.ComponentDescription>('textBytes')
export const DESCRIPTION_TEXT_OFFSET: u32 = offsetof<components.ComponentDescription>('textOffset')
export const DESCRIBED_COLUMN_BYTES: u32 = offsetof<components.ColumnDescription>()
export const DESCRIBED_COLUMN_WIDTH: u32 = offsetof<components.ColumnDescription>('width')
export const DESCRIBED_COLUMN_KIND: u32 = offsetof<components.ColumnDescription>('kind')
export const DESCRIBED_COLUMN_DEFAULT: u32 = offsetof<components.ColumnDescription>('defaultOffset')

export const CHUNK_TICKS_BYTES: u32 = offsetof<layouts.ChunkTicks>()
export const CHUNK_TICKS_CHANGED: u32 = offsetof<layouts.ChunkTicks>('changed')
export const CHUNK_TICKS_ADDED: u32 = offsetof<layouts.ChunkTicks>('added')
export const LAYOUTS_ALL: u32 = map.LAYOUTS_ADDRESS + offsetof<layouts.Layouts>('all')
export const LAYOUTS_BY_COMPONENTS: u32 = map.LAYOUTS_ADDRESS + offsetof<layouts.Layouts>('byComponents')
export const LAYOUT_RECORD_BYTES: u32 = offsetof<layouts.Layout>()
export const LAYOUT_ID: u32 = offsetof<layouts.Layout>('id')
export const LAYOUT_COMPONENT_COUNT: u32 = offsetof<layouts.Layout>('componentCount')
export const LAYOUT_COMPONENTS: u32 = offsetof<layouts.Layout>('components')
export const LAYOUT_COLUMN_COUNT: u32 = offsetof<layouts.Layout>('columnCount')
export const LAYOUT_COLUMNS: u32 = offsetof<layouts.Layout>('columns')
export const LAYOUT_SMALL_CAPACITY: u32 = offsetof<layouts.Layout>('smallCapacity')
export const LAYOUT_FULL_CAPACITY: u32 = offsetof<layouts.Layout>('fullCapacity')
export const LAYOUT_LARGE_CAPACITY: u32 = offsetof<layouts.Layout>('largeCapacity')
export const LAYOUT_WIDE_BYTES: u32 = offsetof<layouts.Layout>('wideBytes')
export const LAYOUT_COMPONENT_BYTES: u32 = offsetof<layouts.LayoutComponent>()
export const LAYOUT_COMPONENT_ID: u32 = offsetof<layouts.LayoutComponent>('component')
export const LAYOUT_COMPONENT_FIRST_COLUMN: u32 = offsetof<layouts.LayoutComponent>('firstColumn')
export const LAYOUT_COMPONENT_COLUMN_COUNT: u32 = offsetof<layouts.LayoutComponent>('columnCount')
export const LAYOUT_COMPONENT_TICK_COLUMN: u32 = offsetof<layouts.LayoutComponent>('tickColumn')
export const LAYOUT_COMPONENT_SMALL_TOGGLE: u32 = offsetof<layouts.LayoutComponent>('smallToggle')
export const LAYOUT_TOGGLE_COUNT: u32 = offsetof<layouts.Layout>('toggleCount')
export const LAYOUT_TRACKED_COUNT: u32 = offsetof<layouts.Layout>('trackedCount')
export const NOT_TRACKED: u32 = layouts.NOT_TRACKED
export const COLUMN_ALIGNMENT: u32 = layouts.COLUMN_ALIGNMENT
export const COLUMN_BYTES: u32 = offsetof<layouts.Column>()
export const COLUMN_KIND: u32 = offsetof<layouts.Column>('kind')
export const COLUMN_WIDTH: u32 = offsetof<layouts.Column>('width')
export const COLUMN_SMALL_OFFSET: u32 = offsetof<layouts.Column>('smallOffset')

export const LIST_ITEMS: u32 = offsetof<List>('items')
export const LIST_COUNT: u32 = offsetof<List>('count')
export const LIST_CAPACITY: u32 = offsetof<List>('capacity')
export const LIST_BYTES: u32 = offsetof<List>()
export const HASH_ENTRIES: u32 = offsetof<HashTable>('entries')
export const HASH_CAPACITY: u32 = offsetof<HashTable>('capacity')
export const HASH_COUNT: u32 = offsetof<HashTable>('count')
export const HASH_ENTRY_BYTES: u32 = offsetof<Entry>()
export const HASH_ENTRY_NOTE: u32 = offsetof<Entry>('note')
export const HASH_TABLE_BYTES: u32 = offsetof<HashTable>()

export const TABLE_BYTES: u32 = offsetof<Table>()
export const TABLE_CHUNKS: u32 = offsetof<Table>('chunks')
export const TABLE_LAYOUT: u32 = offsetof<Table>('layout')
export const TABLE_ROWS: u32 = offsetof<Table>('rows')
export const TABLE_TAIL_ID: u32 = offsetof<Table>('tailId')
export const TABLE_VERSION: u32 = offsetof<Table>('version')
export const TABLE_OWNER: u32 = offsetof<Table>('owner')

export const ARCHETYPES_ALL: u32 = map.ARCHETYPES_ADDRESS + offsetof<Archetypes>('all')
export const ARCHETYPES_BY_SIGNATURE: u32 = map.ARCHETYPES_ADDRESS + offsetof<Archetypes>('bySignature')
export const ARCHETYPES_TRANSITIONS: u32 = map.ARCHETYPES_ADDRESS + offsetof<Archetypes>('transitions')
export const ARCHETYPES_MOVE_PLANS: u32 = map.ARCHETYPES_ADDRESS + offsetof<Archetypes>('movePlans')
export const ARCHETYPE_BYTES: u32 = <u32>BYTES_OF_ARCHETYPE
export const ARCHETYPE_TRANSITIONS: u32 = offsetof<Archetype>()
export const TRANSITION_BYTES: u32 = offsetof<Transition>()
export const TRANSITION_BUNDLE: u32 = offsetof<Transition>('bundle')
export const TRANSITION_TARGET: u32 = offsetof<Transition>('target')
export const TRANSITION_PLAN: u32 = offsetof<Transition>('plan')
export const ARCHETYPE_INCOMING_ROWS: u32 = offsetof<Archetype>('incomingRows')
export const ARCHETYPE_INCOMING_CHUNKS: u32 = offsetof<Archetype>('incomingChunks')

export const MOVE_PLAN_BYTES: u32 = offsetof<MovePlan>()
export const MOVE_PLAN_NOT_PLAIN: u32 = NOT_PLAIN
export const MOVE_PLAN_COLUMNS: u32 = offsetof<MovePlan>('headColumns')
export const MOVE_PLAN_COMPONENTS: u32 = offsetof<MovePlan>('headComponents')
export const MOVE_PLAN_ADDED: u32 = offsetof<MovePlan>('added')
export const LAST_MOVES: u32 = map.MOVES_ADDRESS
export const LAST_MOVE_BYTES: u32 = offsetof<LastMove>()
export const NEW_ROW: u32 = map.NEW_ROW_ADDRESS + offsetof<NewRow>('address')
export const NEW_ROW_LAYOUT_KEY: u32 = map.NEW_ROW_ADDRESS + offsetof<NewRow>('layoutKey')

export const BUNDLES_ALL: u32 = map.BUNDLES_ADDRESS + offsetof<Bundles>('all')
export const BUNDLES_BY_IDS: u32 = map.BUNDLES_ADDRESS + offsetof<Bundles>('byIds')
export const BUNDLE_BYTES: u32 = offsetof<Bundle>()
export const BUNDLE_TABLE_IDS: u32 = offsetof<Bundle>('tableIds')
export const BUNDLE_TABLE_COUNT: u32 = offsetof<Bundle>('tableCount')
export const BUNDLE_SPARSE_COUNT: u32 = offsetof<Bundle>('sparseCount')
export const BUNDLES_LOOSE: u32 = map.BUNDLES_ADDRESS + offsetof<Bundles>('loose')
export const LOOSE_BUNDLES: u32 = looseBundles.LOOSE_BUNDLES
export const LOOSE_BUNDLE_BYTES: u32 = offsetof<looseBundles.LooseBundle>()
export const LOOSE_BUNDLE_IDS: u32 = looseBundles.OWN_IDS
export const LOOSE_BUNDLE_CAPACITY: u32 = offsetof<looseBundles.LooseBundle>('capacity')
export const LOOSE_BUNDLE_LAST_SOURCE: u32 = offsetof<looseBundles.LooseBundle>('lastSource')
export const LOOSE_BUNDLE_LAST_TARGET: u32 = offsetof<looseBundles.LooseBundle>('lastTarget')
export const BUNDLE_SPAWN_ARCHETYPE: u32 = offsetof<Bundle>('spawnArchetype')
export const ARCHETYPES_HASH_MASK: u32 = map.ARCHETYPES_ADDRESS + offsetof<Archetypes>('hashMask')
export const ARCHETYPE_SIGNATURE: u32 = offsetof<Archetype>('signature')
export const ARCHETYPE_SIGNATURE_COUNT: u32 = offsetof<Archetype>('signatureCount')
export const ARCHETYPE_MATCHES: u32 = offsetof<Archetype>('matches')
export const ARCHETYPE_ACTIVE: u32 = offsetof<Archetype>('active')
export const ARCHETYPE_EMPTY_VERSION: u32 = offsetof<Archetype>('emptyVersion')
export const ARCHETYPE_HIDING_COUNT: u32 = offsetof<Archetype>('hidingCount')
export const ARCHETYPE_UPKEEP: u32 = offsetof<Archetype>('upkeep')

export const MATCHES_ITEMS: u32 = offsetof<MatchList>('items')
export const MATCHES_COUNT: u32 = offsetof<MatchList>('count')
export const MATCHES_ACTIVE: u32 = offsetof<MatchList>('active')
export const MATCHES_FIRST: u32 = offsetof<MatchList>('first')
export const MATCHES_LAST: u32 = offsetof<MatchList>('last')
export const MATCHES_CAPACITY: u32 = offsetof<MatchList>('capacity')
export const MATCHES_EMPTY_VERSIONS: u32 = offsetof<MatchList>('emptyVersions')
export const MATCH_LIST_BYTES: u32 = offsetof<MatchList>()
export const MATCH_BYTES: u32 = offsetof<Match>()
export const NO_MATCH: u32 = matches.NO_MATCH
export const MATCH_ARCHETYPE: u32 = offsetof<Match>('archetype')
export const MATCH_PAIR: u32 = offsetof<Match>('pair')
export const MATCH_NEXT: u32 = offsetof<Match>('next')
export const MATCH_PREVIOUS: u32 = offsetof<Match>('previous')

export const PAGE_SHIFT: u32 = sizes.PAGE_SHIFT
export const POOL_PAGES: u32 = offsetof<sparseSets.SparseSet>('pages')
export const POOL_PAGE_CAPACITY: u32 = offsetof<sparseSets.SparseSet>('pageCapacity')
export const POOL_BYTES: u32 = offsetof<sparseSets.SparseSet>()
export const POOL_STABLE: u32 = offsetof<sparseSets.SparseSet>('stable')
export const POOL_HOLE_FIRST: u32 = offsetof<sparseSets.SparseSet>('holeFirst')
export const POOL_HOLE_LAST: u32 = offsetof<sparseSets.SparseSet>('holeLast')
export const POOL_HOLE_COUNT: u32 = offsetof<sparseSets.SparseSet>('holeCount')
export const POOL_ORDER: u32 = offsetof<sparseSets.SparseSet>('order')
export const POOL_GROUP: u32 = offsetof<sparseSets.SparseSet>('group')
export const PAGE_RECORD_BYTES: u32 = offsetof<sparseSets.SparsePage>()
export const PAGE_LOCATIONS: u32 = offsetof<sparseSets.SparsePage>('locations')
export const PAGE_LIVE: u32 = offsetof<sparseSets.SparsePage>('live')

export const TERM_BYTES: u32 = offsetof<queries.Term>()
export const TERM_COMPONENT: u32 = offsetof<queries.Term>('component')
export const TERM_OPERATOR: u32 = offsetof<queries.Term>('operator')
export const QUERIES_BY_TERMS: u32 = map.QUERIES_ADDRESS + offsetof<queries.Queries>('byTerms')
export const QUERIES_ALL: u32 = map.QUERIES_ADDRESS + offsetof<queries.Queries>('all')
export const QUERIES_EVERYWHERE: u32 = map.QUERIES_ADDRESS + offsetof<queries.Queries>('everywhere')
export const QUERIES_ARCHETYPES: u32 = map.QUERIES_ADDRESS + offsetof<queries.Queries>('archetypes')
export const QUERY_BYTES: u32 = offsetof<queries.Query>()
export const QUERY_TERMS: u32 = offsetof<queries.Query>('terms')
export const QUERY_TERM_COUNT: u32 = offsetof<queries.Query>('termCount')
export const QUERY_WALKS_POOL: u32 = offsetof<queries.Query>('walksPool')
export const TERM_REQUIRED: u32 = queries.TERM_REQUIRED
export const TERM_EXCLUDED: u32 = queries.TERM_EXCLUDED
export const TERM_ANY: u32 = queries.TERM_ANY
export const TERM_GROUP_STEP: u32 = queries.TERM_GROUP_STEP
export const TERM_NEGATED: u32 = queries.TERM_NEGATED
export const TERM_PRESENT: u32 = queries.TERM_PRESENT

export const SEEN_TICKS_ITEMS: u32 = map.SEEN_TICKS_ADDRESS + offsetof<seenTicks.SeenTicks>('items')
export const SEEN_TICKS_COUNT: u32 = map.SEEN_TICKS_ADDRESS + offsetof<seenTicks.SeenTicks>('count')
export const SEEN_TICKS_CAPACITY: u32 = map.SEEN_TICKS_ADDRESS + offsetof<seenTicks.SeenTicks>('capacity')
export const SEEN_TICKS_FIRST_FREE: u32 = map.SEEN_TICKS_ADDRESS + offsetof<seenTicks.SeenTicks>('firstFree')
export const SEEN_TICK_BYTES: u32 = offsetof<seenTicks.SeenTick>()
export const SEEN_TICK_TICK: u32 = offsetof<seenTicks.SeenTick>('tick')
export const SEEN_TICK_STATE: u32 = offsetof<seenTicks.SeenTick>('state')
export const SEEN_TICK_UNSEEN: u32 = seenTicks.SEEN_TICK_UNSEEN
export const SEEN_TICK_SEEN: u32 = seenTicks.SEEN_TICK_SEEN
export const SEEN_TICK_AGED: u32 = seenTicks.SEEN_TICK_AGED
export const SEEN_TICK_FREE: u32 = seenTicks.SEEN_TICK_FREE

export const ORDER_INSERTION: u32 = components.ORDER_INSERTION
export const ORDER_LIST_BYTES: u32 = offsetof<OrderList>()
export const ORDER_LIST_STALE: u32 = offsetof<OrderList>('stale')

export const GROUP_BYTES: u32 = offsetof<Group>()
export const GROUP_SIZE: u32 = offsetof<Group>('size')
export const GROUP_COUNT: u32 = offsetof<Group>('count')
export const GROUP_COMPONENTS: u32 = offsetof<Group>('components')

export const REDUCE_SUM: u32 = numbers.SUM
export const REDUCE_LEAST: u32 = numbers.LEAST
export const REDUCE_MOST: u32 = numbers.MOST
export const KEY_UNSIGNED: u32 = sortKeys.KEY_UNSIGNED
export const KEY_SIGNED: u32 = sortKeys.KEY_SIGNED
export const KEY_FLOAT: u32 = sortKeys.KEY_FLOAT
export const KEY_DESCENDING: u32 = sortKeys.KEY_DESCENDING

export const MASK_ADDRESS: u32 = map.MASK_ADDRESS
export const MASK_BYTES: u32 = map.MASK_BYTES
export const FILTERS_ADDRESS: u32 = map.FILTERS_ADDRESS
export const MAX_FILTERS: u32 = map.MAX_FILTERS
export const KERNEL_ARGUMENTS_ADDRESS: u32 = <u32>map.KERNEL_ARGUMENTS_ADDRESS
export const KERNEL_ARGUMENTS_BYTES: u32 = map.KERNEL_ARGUMENTS_BYTES
export const FILTER_BYTES: u32 = offsetof<masks.Filter>()
export const FILTER_LOW: u32 = offsetof<masks.Filter>('low')
export const FILTER_HIGH: u32 = offsetof<masks.Filter>('high')
export const FILTER_COMPONENT: u32 = offsetof<masks.Filter>('component')
export const FILTER_COLUMN: u32 = offsetof<masks.Filter>('column')
export const FILTER_LANE: u32 = offsetof<masks.Filter>('lane')
export const FILTER_NEGATED: u32 = offsetof<masks.Filter>('negated')
export const LANE_I8: u32 = masks.LANE_I8
export const LANE_U8: u32 = masks.LANE_U8
export const LANE_I16: u32 = masks.LANE_I16
export const LANE_U16: u32 = masks.LANE_U16
export const LANE_I32: u32 = masks.LANE_I32
export const LANE_U32: u32 = masks.LANE_U32
export const LANE_F32: u32 = masks.LANE_F32
export const LANE_F64: u32 = masks.LANE_F64
export const LANE_ROW_TICK: u32 = masks.LANE_ROW_TICK
export const LANE_CHUNK_TICK: u32 = masks.LANE_CHUNK_TICK
export const MAX_TEXT_LENGTH: u32 = texts.MAX_TEXT_LENGTH
export const EMPTY_TEXT: u32 = texts.EMPTY_TEXT
export const TEXT_LIVE: u32 = texts.TEXT_LIVE
export const TEXT_WIDE: u32 = texts.TEXT_WIDE
export const TEXTS_RECORDS: u32 = map.TEXTS_ADDRESS + offsetof<texts.Texts>('records')
export const TEXTS_CAPACITY: u32 = map.TEXTS_ADDRESS + offsetof<texts.Texts>('capacity')
export const TEXTS_FRESH: u32 = map.TEXTS_ADDRESS + offsetof<texts.Texts>('fresh')
export const TEXTS_FREE_FIRST: u32 = map.TEXTS_ADDRESS + offsetof<texts.Texts>('freeFirst')
export const TEXTS_COUNT: u32 = map.TEXTS_ADDRESS + offsetof<texts.Texts>('count')
export const TEXT_BYTES: u32 = offsetof<texts.TextRecord>()
export const TEXT_BUCKET: u32 = offsetof<texts.TextRecord>('bucket')
export const TEXT_NEXT: u32 = offsetof<texts.TextRecord>('next')
export const TEXT_HASH: u32 = offsetof<texts.TextRecord>('hash')
export const TEXT_UNITS: u32 = offsetof<texts.TextRecord>('units')
export const TEXT_LENGTH: u32 = offsetof<texts.TextRecord>('length')
export const TEXT_STATE: u32 = offsetof<texts.TextRecord>('state')

export const WORLD_TICK: u32 = map.WORLD_ADDRESS + offsetof<World>('tick')
export const WORLD_MAXIMUM: u32 = map.WORLD_ADDRESS + offsetof<World>('maximumBytes')
export const WORLD_MAX_ENTITIES: u32 = map.WORLD_ADDRESS + offsetof<World>('maxEntities')
export const WORLD_STRICT_IDS: u32 = map.WORLD_ADDRESS + offsetof<World>('strictIds')
export const WORLD_STATUS: u32 = map.WORLD_ADDRESS + offsetof<World>('status')


export const STATUS_DONE: i32 = status.DONE
export const STATUS_MOVED: i32 = status.MOVED
export const STATUS_UPKEEP: i32 = status.UPKEEP
export const STATUS_NOTHING: i32 = status.NOTHING
export const STATUS_DEAD: i32 = status.DEAD
export const STATUS_OUT_OF_MEMORY: i32 = status.OUT_OF_MEMORY
export const STATUS_OUT_OF_ENTITIES: i32 = status.OUT_OF_ENTITIES
export const STATUS_OUT_OF_COMPONENTS: i32 = status.OUT_OF_COMPONENTS
export const STATUS_ROW_TOO_LARGE: i32 = status.ROW_TOO_LARGE
export const STATUS_SIGNATURE_TOO_LONG: i32 = status.SIGNATURE_TOO_LONG

export const CHANGE_SPAWN: u32 = lists.SPAWN
export const CHANGE_ADD: u32 = ADD
export const CHANGE_REMOVE: u32 = REMOVE
export const CHANGE_EXCHANGE: u32 = lists.EXCHANGE
export const CHANGE_DESTROY: u32 = lists.DESTROY
