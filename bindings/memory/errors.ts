// Owns the classes of errors, their codes, and the sentences that several places share. Other sentences stand where the mistake
// is found.

import {
  CHUNK_BYTES,
  MAX_BLOCK_BYTES,
  STATUS_OUT_OF_COMPONENTS,
  STATUS_OUT_OF_ENTITIES,
  STATUS_ROW_TOO_LARGE,
  STATUS_SIGNATURE_TOO_LONG,
} from '../../build/layout'
import { messageOf } from './realms'

/**
 * The codes of all errors. Compare codes, not messages: codes do not change between versions. Each is explained in
 * docs/errors.md.
 */
export type ErrorCode =
  | 'DEAD_ENTITY'
  | 'HANDLE_TAKEN'
  | 'MISSING_COMPONENT'
  | 'MISSING_ROW'
  | 'ENTITY_LIMIT'
  | 'MEMORY_LIMIT'
  | 'COMPONENT_LIMIT'
  | 'ROW_LIMIT'
  | 'NOT_A_COMPONENT'
  | 'NOT_AN_ENTITY'
  | 'NOT_A_RELATION'
  | 'NOT_A_RESOURCE'
  | 'MISSING_RESOURCE'
  | 'DUPLICATE_COMPONENT'
  | 'DUPLICATE_NAME'
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
  | 'INVALID_FILTER'
  | 'INVALID_GROUP'
  | 'WORLD_LOCKED'
  | 'WORLD_DISPOSED'
  | 'NO_WORLD'
  | 'INVALID_OPTION'
  | 'INVALID_SYSTEM'
  | 'ASYNC_SYSTEM'
  | 'ASYNC_CALLBACK'
  | 'UNKNOWN_SYSTEM'
  | 'UNKNOWN_PHASE'
  | 'SCHEDULE_CYCLE'
  | 'SCHEDULE_RUNNING'
  | 'SYSTEM_FAILED'
  | 'ENDLESS_EVENTS'
  | 'STALE_COMMANDS'
  | 'STALE_CURSOR'
  | 'INVALID_SNAPSHOT'
  | 'SAVE_REFUSED'
  | 'MISSING_MIGRATION'
  | 'MIGRATION_FAILED'
  | 'INVALID_KERNEL'
  | 'INVALID_BINDING'
  | 'KERNEL_FAILED'
  | 'COMPILE_REFUSED'
  | 'WASM_REFUSED'
  | 'RELATION_CYCLE'
  | 'CHECK_FAILED'

/** Marks every error of this package, whichever copy of the package made it. */
const BRAND = /* @__PURE__ */ Symbol.for('strata-ecs.error')

/**
 * The base of all errors of strata-ecs. Each has a stable `code`, and a message that says what to do.
 * `instanceof StrataError` also holds for a StrataTypeError, which is a TypeError as well.
 */
export class StrataError extends Error {
  override get name(): string {
    return 'StrataError'
  }
  /** What went wrong, for programs: it does not change between versions. See docs/errors.md. */
  readonly code: ErrorCode
  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }

  /** @internal A class has one parent only, and a wrong argument is to be a TypeError. Subclasses ask as usual. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return this === StrataError ? isStrataError(value) : super[Symbol.hasInstance](value)
  }

  /** @internal */
  get [BRAND](): true {
    return true
  }
}

/**
 * A wrong argument: a mistake in the program. Nothing was changed, except by a callback or system that returned a
 * promise. It is both a StrataError and a TypeError.
 */
export class StrataTypeError extends TypeError {
  override get name(): string {
    return 'StrataTypeError'
  }
  /** What went wrong, for programs: it does not change between versions. See docs/errors.md. */
  readonly code: ErrorCode
  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }

  /** @internal */
  get [BRAND](): true {
    return true
  }
}

/**
 * Whether a caught value is an error of strata-ecs, including one thrown by another copy of the package. Takes any
 * value and never throws.
 *
 * @example try { … } catch (error) { if (isStrataError(error) && error.code === 'DEAD_ENTITY') forget(ship) }
 */
export function isStrataError(error: unknown): error is StrataError {
  try {
    return (error as { readonly [BRAND]?: unknown })[BRAND] === true
  } catch {
    return false
  }
}

/** A write to an entity that is not alive. Nothing was changed. `entity` is the stale handle. */
export class DeadEntityError extends StrataError {
  override get name(): string {
    return 'DeadEntityError'
  }
  /** The stale handle that the call was given. */
  readonly entity: number
  constructor(entity: number, operation: string) {
    super(
      'DEAD_ENTITY',
      `${operation}: entity ${describeEntity(entity)} is not alive. Ask world.isAlive(entity) before writing to a stored handle.`,
    )
    this.entity = entity
  }
}

/** A limit of the world was reached: entities, memory, components or the size of a row. The world keeps working. */
export class LimitError extends StrataError {
  override get name(): string {
    return 'LimitError'
  }

  /**
   * The error for what a host threw while a core was compiled, given memory or instantiated. A policy throws a CompileError, or an
   * EvalError, and a lack of memory or of address space a RangeError, whichever realm made them; Firefox throws the bare text
   * 'out of memory'. What else is thrown says by itself what is wrong, and is returned as it is. Here, because all entries share
   * this class and not the files around it.
   *
   * @internal
   */
  static orOf(cause: unknown): unknown {
    const text = String(cause)
    if (/^(Compile|Eval)Error/.test(text))
      return new StrataError(
        'WASM_REFUSED',
        "The host does not let a page compile WebAssembly: allow it (in a content security policy by script-src 'wasm-unsafe-eval'), or create the world with a compiled { core }.",
        { cause },
      )
    // That of the stack is the caller's.
    if (!/^RangeError(?!.*stack)|^out of memory/.test(text)) return cause
    return new LimitError(
      'MEMORY_LIMIT',
      'The host gives no memory or address space for another world: dispose() of others, or create the world with a smaller memory.initial.',
      { cause },
    )
  }
}

/**
 * A system of a schedule threw: `system` is its name, `cause` what it threw. The run ended there, and the world is
 * unlocked.
 */
export class SystemError extends StrataError {
  override get name(): string {
    return 'SystemError'
  }
  /** Name of the system that threw. */
  readonly system: string
  constructor(system: string, happened: string, cause: unknown) {
    super('SYSTEM_FAILED', `${happened}, with "${messageOf(cause)}". See the cause of this error.`, { cause })
    this.system = system
  }
}

/** The entity as a person can compare it: index and generation. */
function describeEntity(entity: number): string {
  return `${entity} (index ${entity & 0xffffff}, generation ${(entity >>> 24) & 0xff})`
}

/** The error for a handle that is to come alive, and whose index is alive already, as `alive`. */
export function handleTaken(entity: number, alive: number, operation: string): StrataError {
  return new StrataError(
    'HANDLE_TAKEN',
    `${operation}: the index of ${describeEntity(entity)} is alive, as entity ${describeEntity(alive)}: destroy that one first; in a loop or buffer destruction waits.`,
  )
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
    return new LimitError(
      'COMPONENT_LIMIT',
      'An entity has at most 8,192 tags and table components, and a call names at most 8,192 components.',
    )
  }
  if (status === STATUS_ROW_TOO_LARGE) {
    return new LimitError(
      'ROW_LIMIT',
      `One row must fit into a chunk of ${CHUNK_BYTES} bytes (16 KiB) and does not: ${components}. A component takes 8 bytes and each of its fields, rounded up to 16; the entity takes 16. Join fields of one type in a vec, or move a component to storage 'sparse'.`,
    )
  }
  return new LimitError(
    'MEMORY_LIMIT',
    'The memory of this world is used up: destroy entities, or create the world with a larger memory.maximum (at most 2 GiB).',
  )
}

/** The error for a resource that no block of memory can hold. */
export function resourceTooLarge(name: string, bytes: number, fields: number): LimitError {
  return new LimitError(
    'ROW_LIMIT',
    `The resource ${name} takes ${bytes} bytes in ${fields} fields. One can take almost ${MAX_BLOCK_BYTES / 2 ** 30} GiB: make a vec shorter, or declare two resources.`,
  )
}

/** The error for a resource that finds no room. */
export function noRoomForResource(name: string, bytes: number): LimitError {
  return new LimitError(
    'MEMORY_LIMIT',
    `The memory of this world has no room for the resource ${name}, which takes ${bytes} bytes: destroy entities, or create the world with a larger memory.maximum (at most 2 GiB).`,
  )
}
