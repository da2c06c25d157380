// Owns the list of public names, and the entry 'strata-ecs/slim': all of them, without a core inside.

export { createWorld, World } from './world/world'
export type { WorldStats } from './world/worldStats'
export {
  onRemove,
  onResource,
  onRestore,
  onSet,
  type BeforeHandler,
  type ExistingOption,
} from './events/listeners'
export { onAdd, onEnter, onExit, onChange } from './queries/queryListeners'
export { getColumn, maxOf, minOf, setColumn, sumOf } from './queries/queryColumns'
export { createGroup } from './queries/group'
export { objectsOf } from './queries/objectsOf'
export { sortRows, sortRowsAs, type SortOptions } from './queries/sortRows'
export { sortedEntities, type SortDirection, type SortedOptions } from './queries/sortQuery'
export { createAccessor, type Accessor, type StableAccessor } from './values/accessor'
export type { FieldAccessor } from './values/fieldAccessor'
export type { SlimOptions, WorldOptions } from './world/worldOptions'
export type { DividedKernelStats, Workers, WorkersStats } from './memory/workerMemory'
export { addMany, destroyMany, disableMany, enableMany, removeMany, setMany } from './queries/bulkChanges'
export { cloneEntity, spawnAt, cloneMany, spawnMany, spawnManyAt } from './changes/spawn'
export { omit, type Override, Omitted } from './changes/cloneOverrides'
export { createSpawner, type Spawner, type SpawnerPart } from './changes/spawner'
export { Query } from './queries/query'
export { object } from './objects/object'
export type { ObjectOptions } from './components/objectOptions'
export { ancestors, depthOf, descendants } from './relations/hierarchy'
export { cloneTree } from './relations/trees'
export { inCreationOrder, type InCreationOrder } from './queries/inCreationOrder'
export { cascade, type Cascade } from './relations/cascade'
export { relation, type ManyRelationOptions, type RelationOptions } from './relations/relation'
export type { Handler } from './events/watches'
export { createRemovalReader, type Removal, type RemovalReader } from './events/removals'
export { createCommands, type Commands } from './changes/commands'
export { loadFromJSON, loadWorld, saveToJSON, type Loaded, type LoadOptions } from './world/loadWorld'
export { loadInto, type LoadIntoOptions } from './world/loadInto'
export { mergeWorld, saveWorld } from './saves/saves'
export type { Merged, MergeOptions } from './saves/loadSave'
export type { Saveable, SaveOptions } from './saves/selection'
export { restoreWorld } from './snapshots/restore'
export { digestWorld } from './snapshots/digest'
export { snapshotWorld, type Snapshot, type SnapshotOptions } from './snapshots/snapshot'
export type { AbsentObject, RestoreReport } from './state/worldParticipants'
export {
  component,
  tag,
  type AnyComponent,
  type AnyExclusiveRelation,
  type AnyObject,
  type AnyRelation,
  type Component,
  type ComponentOptions,
  type ComponentLike,
  type MadeObject,
  type ManyRelation,
  type Migrations,
  type ObjectComponent,
  type ObjectValue,
  type OnTargetDestroy,
  type OrderedTag,
  type Relation,
  type Tag,
  type TagOrder,
  type TagOptions,
} from './components/component'
export { ComponentValue, type Ingredient } from './components/componentValues'
export type { Pair } from './components/pair'
export type { ValueLists } from './components/valueLists'
export type { Columns, Input, ReadonlyColumns, Schema, Storage, Value, ValueOf } from './components/schema'
export { sparse, stable, toggle, type StorageKind, type Toggle } from './components/storages'
export {
  i8,
  u8,
  i16,
  u16,
  i32,
  u32,
  f32,
  f64,
  bool,
  entity,
  vec,
  type Field,
  type ScalarField,
  type VecField,
} from './components/fields'
export { any, all } from './components/anyAll'
export { changed, added, type ChangedOptions } from './queries/changeTerms'
export { present } from './components/present'
export {
  not,
  optional,
  type Added,
  type AllOf,
  type Alternative,
  type AnyOf,
  type Changed,
  type Not,
  type Optional,
  type Ordering,
  type Present,
  type Term,
} from './components/terms'
export type {
  AnyResource,
  Resource,
  ResourceChange,
  ResourceOptions,
  ValueResource,
} from './components/resourceDeclaration'
export { resource } from './resources/resource'
export { text } from './texts/texts'
export { queueDestroy, QueuedForDestroy, endFrame } from './world/frameEnd'
export { forkWorld } from './world/fork'
export { clearWorld, resetWorld, sweepReferences, trimWorld } from './world/lifecycle'
export { internText, sweepTexts, textId, textOf } from './texts/textIds'
export { NULL_ENTITY, isNull, type Entity, type EntityArray } from './memory/entity'
export {
  StrataError,
  StrataTypeError,
  DeadEntityError,
  LimitError,
  SystemError,
  isStrataError,
  type ErrorCode,
} from './memory/errors'
export type { Comparison, Chunk, Cursor, Cursors, EachCallback, HeapArrays } from './components/queryTypes'
export type {
  ColumnKind,
  ColumnParameter,
  EntitiesParameter,
  Kernel,
  KernelCode,
  KernelColumns,
  KernelDescription,
  KernelFunction,
  KernelParameter,
  KernelParent,
  KernelResource,
  KernelScalars,
  ParentParameter,
  Reduction,
  ResourceParameter,
  ScalarKind,
  ScalarParameter,
} from './kernels/kernel'
export { kernelRuntime } from './kernels/worldKernels'
export { createKernel, type KernelRuntime } from './kernels/runtime'
export type { BoundKernel } from './kernels/boundKernel'
export type { ColumnBinding, KernelOptions } from './kernels/kernelTypes'
export { createHistory, type History, type HistoryOptions } from './history/history'
export { checkReplay, type ReplayOptions, type ReplayReport } from './history/replay'
export { createSchedule, Schedule, type ScheduleOptions } from './schedule/schedule'
export type {
  Condition,
  System,
  SystemFunction,
  SystemObject,
  SystemOptions,
  SystemReference,
} from './schedule/system'
export type { PhaseName, PhaseOptions } from './schedule/phase'
export type { Ambiguity } from './schedule/ambiguities'
export type { Constraint } from './schedule/arrangement'
export type { PhaseStats, ScheduleStats, SystemStats } from './schedule/scheduleStats'
export type { Updatable, UpdatableComponent, AddObjectsOptions } from './schedule/objectSystem'
