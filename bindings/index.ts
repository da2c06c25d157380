// Owns the list of public names. It must never hold code.

// The text of the core comes first in the bundle: between two pieces of code it would compress worse, by 1 KB.
import './core'

export {
  createWorld,
  World,
  type Accessor,
  type StableAccessor,
  type ExistingOption,
  type WorldStats,
} from './world'
export type { WorldOptions } from './worldOptions'
export type { CallArgument } from './moduleCalls'
export { Query } from './query'
export { object, type ObjectOptions } from './objects'
export type { Handler } from './watches'
export type { Commands } from './commandBuffer'
export {
  component,
  tag,
  ComponentValue,
  type AnyComponent,
  type AnyObject,
  type Columns,
  type Component,
  type ComponentOptions,
  type ComponentLike,
  type Ingredient,
  type Input,
  type ObjectComponent,
  type ObjectValue,
  type OrderedTag,
  type ReadonlyColumns,
  type Schema,
  type Storage,
  type Tag,
  type TagOrder,
  type TagOptions,
  type Value,
  type ValueOf,
} from './component'
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
  text,
  vec,
  type Field,
  type ScalarField,
  type VecField,
} from './fields'
export {
  not,
  any,
  optional,
  changed,
  added,
  type Added,
  type AnyOf,
  type Changed,
  type Not,
  type Optional,
  type Term,
} from './terms'
export { resource, type AnyResource, type Resource, type ValueResource } from './resource'
export { Discarded } from './frame'
export { NULL_ENTITY, isNull, type Entity, type EntityArray } from './entity'
export {
  StrataError,
  StrataTypeError,
  DeadEntityError,
  LimitError,
  SystemError,
  isStrataError,
  type ErrorCode,
} from './errors'
export type { Comparison, Chunk, Cursor, Cursors, EachCallback, HeapArrays } from './types'
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
  KernelResource,
  KernelScalars,
  Reduction,
  ResourceParameter,
  ScalarKind,
  ScalarParameter,
} from './kernel'
export type { BoundKernel } from './kernelBinding'
export type { ColumnBinding } from './kernelTypes'
export { createSchedule, Schedule, type ScheduleOptions } from './schedule'
export type {
  Condition,
  System,
  SystemFunction,
  SystemObject,
  SystemOptions,
  SystemReference,
} from './system'
export type { PhaseName, PhaseOptions } from './phase'
export type { Ambiguity } from './ambiguities'
export type { PhaseStats, ScheduleStats, SystemStats } from './scheduleStats'
export type { Driven, DrivenComponent, DriveOptions } from './scheduleDrive'
