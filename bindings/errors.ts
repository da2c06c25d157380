// Owns every error a user can meet: its class, its stable code and its sentence.
// It must never decide when an error is due.

import {
  MAX_BLOCK_BYTES,
  STATUS_OUT_OF_COMPONENTS,
  STATUS_OUT_OF_ENTITIES,
  STATUS_ROW_TOO_LARGE,
  STATUS_SIGNATURE_TOO_LONG,
} from '../build/layout'

/** Stable codes: programs may compare them, they do not change between versions. */
export type ErrorCode =
  | 'DEAD_ENTITY'
  | 'MISSING_COMPONENT'
  | 'MISSING_ROW'
  | 'ENTITY_LIMIT'
  | 'MEMORY_LIMIT'
  | 'COMPONENT_LIMIT'
  | 'ROW_LIMIT'
  | 'NOT_A_COMPONENT'
  | 'NOT_A_RESOURCE'
  | 'MISSING_RESOURCE'
  | 'DUPLICATE_COMPONENT'
  | 'UNKNOWN_FIELD'
  | 'INVALID_VALUE'
  | 'INVALID_SCHEMA'
  | 'INVALID_QUERY'
  | 'NOT_A_COLUMN'
  | 'NOT_A_TOGGLE'
  | 'NOT_STABLE'
  | 'NOT_SINGLE'
  | 'QUERY_DISPOSED'
  | 'INVALID_ORDER'
  | 'INVALID_GROUP'
  | 'WORLD_LOCKED'
  | 'WORLD_DISPOSED'
  | 'INVALID_OPTION'
  | 'INVALID_SYSTEM'
  | 'ASYNC_SYSTEM'
  | 'UNKNOWN_SYSTEM'
  | 'UNKNOWN_PHASE'
  | 'SCHEDULE_CYCLE'
  | 'SCHEDULE_RUNNING'
  | 'SYSTEM_FAILED'
  | 'ENDLESS_EVENTS'
  | 'INVALID_KERNEL'
  | 'INVALID_BINDING'
  | 'KERNEL_FAILED'
  | 'WORLD_OBSERVED'
  | 'WASM_REFUSED'
  | 'CHECK_FAILED'

/** Any error of strata-ecs that is neither a wrong argument (StrataTypeError) nor a plain JavaScript error. */
export class StrataError extends Error {
  override readonly name: string = 'StrataError'
  readonly code: ErrorCode
  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** A wrong argument: nothing was changed. A TypeError with a code. */
export class StrataTypeError extends TypeError {
  override readonly name: string = 'StrataTypeError'
  readonly code: ErrorCode
  constructor(code: ErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/** A write to an entity that is not alive: the value would be lost. Nothing was changed. */
export class DeadEntityError extends StrataError {
  override readonly name: string = 'DeadEntityError'
  readonly entity: number
  constructor(entity: number, operation: string) {
    super(
      'DEAD_ENTITY',
      `${operation}: entity ${describeEntity(entity)} is not alive. Ask world.isAlive(entity) before writing to a stored handle.`,
    )
    this.entity = entity
  }
}

/** A limit of the world is reached: the call changed nothing and the world goes on working. */
export class LimitError extends StrataError {
  override readonly name: string = 'LimitError'
}

/** A system of a schedule threw: `cause` is what it threw. The run ended there; the world is unlocked. */
export class SystemError extends StrataError {
  override readonly name: string = 'SystemError'
  readonly system: string
  constructor(system: string, happened: string, cause: unknown) {
    super('SYSTEM_FAILED', `${happened}, with "${messageOf(cause)}". See the cause of this error.`, { cause })
    this.system = system
  }
}

/** What an error, or whatever else was thrown, says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The entity as a person can compare it: index and generation. */
function describeEntity(entity: unknown): string {
  if (typeof entity !== 'number') return String(entity)
  return `${entity} (index ${entity & 0xffffff}, generation ${(entity >>> 24) & 0xff})`
}

/** The error for a negative status of the core. `components` names what was being stored. */
export function limitError(status: number, components: string): LimitError {
  if (status === STATUS_OUT_OF_ENTITIES) {
    return new LimitError(
      'ENTITY_LIMIT',
      'No entity id is left: destroy entities, or create the world with a larger maxEntities (at most 16,777,214).',
    )
  }
  if (status === STATUS_OUT_OF_COMPONENTS) {
    return new LimitError('COMPONENT_LIMIT', 'A world knows at most 65,535 component types.')
  }
  if (status === STATUS_SIGNATURE_TOO_LONG) {
    return new LimitError('COMPONENT_LIMIT', 'An entity can have at most 8,192 table components and tags.')
  }
  if (status === STATUS_ROW_TOO_LARGE) {
    return new LimitError(
      'ROW_LIMIT',
      `One row must fit into a chunk of 16 KiB and does not: ${components}. Make a field smaller, or move a component to storage 'sparse', where it has rows of its own.`,
    )
  }
  return new LimitError(
    'MEMORY_LIMIT',
    'The memory of this world is used up: destroy entities, or create the world with a larger memory.maximum (at most 2 GiB).',
  )
}

/** The error for a resource that no block of memory can hold, or with more fields than can be described at once. */
export function resourceTooLarge(name: string, bytes: number, fields: number): LimitError {
  return new LimitError(
    'ROW_LIMIT',
    `The resource ${name} takes ${bytes} bytes in ${fields} fields. One can take almost ${MAX_BLOCK_BYTES} bytes, in some 2,000 fields: make a vec shorter, join fields in a vec, or declare two resources.`,
  )
}

/** The error for a resource that finds no room. */
export function noRoomForResource(name: string, bytes: number): LimitError {
  return new LimitError(
    'MEMORY_LIMIT',
    `The memory of this world has no room for the resource ${name}, which takes ${bytes} bytes: destroy entities, or create the world with a larger memory.maximum (at most 2 GiB).`,
  )
}
