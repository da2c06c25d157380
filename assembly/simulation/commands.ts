// Owns the changes that wait for the end of the outermost loop: recording them, applying them in order.
// It must never lose one: a change that fails lets the later ones be made, and the first failure is kept.
//
// Memory may grow while a loop is open, for chunks never move; rows must not.

import { REMOVE } from '../archetypes/archetypes'
import { Bundle } from '../archetypes/bundles'
import { addMatching, destroyMatching, removeMatching } from '../rows/bulk'
import { NO_LOCATION, NULL_ENTITY, entities, indexOf, prepareEntities, recordOf } from '../memory/entities'
import { createReserved } from '../memory/reserving'
import { allocate, release } from '../memory/objects'
import { movesNow } from '../memory/moving'
import { FIRST_COMMANDS } from '../memory/sizes'
import { Query } from '../queries/queries'
import { DESTROY, EXCHANGE, SPAWN } from '../rows/lists'
import { addOrRemove } from '../rows/moves'
import { destroy, exchange, place } from '../rows/rows'
import { DEAD, DONE, NOTHING, OUT_OF_MEMORY } from '../memory/status'
import { world } from '../memory/world'
import { valueOf } from './fields'
import { noteFailure, simulation } from './state'

/** Beside ADD, REMOVE, and the kinds of rows/lists.ts. */
export const SET: u32 = 5
/** A link to a target: JavaScript makes it. */
export const LINK: u32 = 6
/** From here on a command concerns what a query matches when its turn comes. */
export const ADD_TO_ALL: u32 = 7
export const REMOVE_FROM_ALL: u32 = 8
export const DESTROY_ALL: u32 = 9

const FIRST_WAITING_BYTES: u32 = 128

@unmanaged
export class Command {
  /** The value that is set, from the lowest byte on. */
  value: u64
  kind: u32
  /** The entity; of a command for all that match, the query. */
  subject: u32
  /** The bundle to be added, removed or spawned with; the component whose value is set; the relation of a link. */
  what: u32
  /** The bundle that an exchange removes; of a link its target; of a set the field, and which number of a vec, each in 16 bits. */
  more: u32
  /** Bytes of the value. */
  bytes: u32
}

@inline
export function commandAt(index: u32): Command {
  return changetype<Command>(simulation.commands + <usize>index * offsetof<Command>())
}

/** Whether a command that waits concerns the entity, or may do so. */
export function isWaiting(entity: u32): bool {
  if (simulation.commandsForAll != 0) return true
  const index = indexOf(entity)
  if (simulation.commandCount == 0 || index >> 3 >= simulation.waitingBytes) return false
  return ((load<u8>(simulation.waiting + (index >> 3)) >> <u8>(index & 7)) & 1) != 0
}

/** A handle that is alive at once and is spawned later; NULL_ENTITY, with world.status set, when it cannot be. */
export function spawnLater(bundle: Bundle): u32 {
  const status = prepareSpawns(1)
  if (status < 0) {
    world.status = status
    return NULL_ENTITY
  }
  const entity = createReserved()
  push(SPAWN, entity, <u32>changetype<usize>(bundle))
  return entity
}

/** The same for `count` entities: all or none. DONE or a negative status. */
export function spawnManyLater(bundle: Bundle, count: u32): i32 {
  const status = prepareSpawns(count)
  if (status < 0) return status
  for (let i: u32 = 0; i < count; i++) push(SPAWN, createReserved(), <u32>changetype<usize>(bundle))
  return DONE
}

/** Obtains handles, and room for the commands. */
function prepareSpawns(count: u32): i32 {
  const status = prepareEntities(count)
  if (status < 0) return status
  return prepareCommands(count) ? DONE : OUT_OF_MEMORY
}

/** Records a change of one entity. DONE or OUT_OF_MEMORY. */
export function changeLater(kind: u32, entity: u32, bundle: Bundle, removed: Bundle): i32 {
  if (!prepareCommands(1)) return OUT_OF_MEMORY
  push(kind, entity, <u32>changetype<usize>(bundle)).more = <u32>changetype<usize>(removed)
  return DONE
}

/** Records a change of all that match. DONE or OUT_OF_MEMORY. */
export function changeAllLater(kind: u32, query: Query, bundle: Bundle): i32 {
  if (!prepareCommands(1)) return OUT_OF_MEMORY
  const command = changetype<Command>(next())
  command.kind = kind
  command.subject = <u32>changetype<usize>(query)
  command.what = <u32>changetype<usize>(bundle)
  simulation.commandsForAll += 1
  return DONE
}

/** Records a value to be written when the changes before it were made. DONE or OUT_OF_MEMORY. */
export function setLater<T>(entity: u32, component: u32, field: u32, element: u32, value: T): i32 {
  if (!prepareCommands(1)) return OUT_OF_MEMORY
  const command = push(SET, entity, component)
  command.more = field | (element << 16)
  command.bytes = sizeof<T>()
  store<T>(changetype<usize>(command), value, offsetof<Command>('value'))
  return DONE
}

/** Records a link. DONE or OUT_OF_MEMORY. */
export function linkLater(source: u32, relation: u32, target: u32): i32 {
  if (!prepareCommands(1)) return OUT_OF_MEMORY
  push(LINK, source, relation).more = target
  return DONE
}

/** Makes room for `extra` more commands and for a bit of every index; false, and nothing changed, without memory. */
function prepareCommands(extra: u32): bool {
  return reserveCommands(extra) && reserveWaiting((entities.capacity + 7) >> 3)
}

function reserveCommands(extra: u32): bool {
  const needed = simulation.commandCount + extra
  if (!ASC_NO_ASSERT && movesNow(simulation.commandCapacity * offsetof<Command>())) moveCommands(simulation.commandCapacity)
  if (needed <= simulation.commandCapacity) return true
  let capacity = max(simulation.commandCapacity, FIRST_COMMANDS)
  while (capacity < needed) capacity <<= 1
  return moveCommands(capacity)
}

/** Gives the commands another place, with room for so many; false, and they stay, when memory ends. */
function moveCommands(capacity: u32): bool {
  const commands = allocate(capacity * offsetof<Command>())
  if (commands == 0) return false
  memory.copy(commands, simulation.commands, simulation.commandCount * offsetof<Command>())
  release(simulation.commands, simulation.commandCapacity * offsetof<Command>())
  simulation.commands = commands
  simulation.commandCapacity = capacity
  return true
}

function reserveWaiting(needed: u32): bool {
  if (!ASC_NO_ASSERT && movesNow(simulation.waitingBytes)) moveWaiting(simulation.waitingBytes)
  if (needed <= simulation.waitingBytes) return true
  let bytes = max(simulation.waitingBytes, FIRST_WAITING_BYTES)
  while (bytes < needed) bytes <<= 1
  return moveWaiting(bytes)
}

/** Gives the bits of waiting entities another place, so many bytes; false, and they stay, when memory ends. */
function moveWaiting(bytes: u32): bool {
  const waiting = allocate(bytes)
  if (waiting == 0) return false
  memory.copy(waiting, simulation.waiting, simulation.waitingBytes)
  release(simulation.waiting, simulation.waitingBytes)
  simulation.waiting = waiting
  simulation.waitingBytes = bytes
  return true
}

/** The next free command. prepareCommands must have succeeded. */
@inline
function next(): usize {
  assert(simulation.commandCount < simulation.commandCapacity, 'a command is recorded where there is room')
  const command = changetype<usize>(commandAt(simulation.commandCount++))
  memory.fill(command, 0, offsetof<Command>())
  return command
}

function push(kind: u32, entity: u32, what: u32): Command {
  const command = changetype<Command>(next())
  command.kind = kind
  command.subject = entity
  command.what = what
  const byte = simulation.waiting + (indexOf(entity) >> 3)
  store<u8>(byte, load<u8>(byte) | (<u8>1 << <u8>(indexOf(entity) & 7)))
  return command
}

/** Applies all that waits, in order. When one of them traps, the next call goes on behind it. */
export function applyCommands(): void {
  while (simulation.applied < simulation.commandCount) {
    const status = apply(commandAt(simulation.applied++))
    // An entity that was destroyed earlier in the block: destroy wins.
    if (status < 0 && status != DEAD) noteFailure(status)
  }
  forgetCommands()
}

/** Forgets all that waits. Entities that were to be spawned are dead. */
export function dropCommands(): void {
  for (let i = simulation.applied; i < simulation.commandCount; i++) {
    const command = commandAt(i)
    if (command.kind == SPAWN) destroy(command.subject, false)
  }
  forgetCommands()
}

function forgetCommands(): void {
  for (let i: u32 = 0; i < simulation.commandCount; i++) {
    const command = commandAt(i)
    if (command.kind < ADD_TO_ALL) store<u8>(simulation.waiting + (indexOf(command.subject) >> 3), 0)
  }
  simulation.commandCount = 0
  simulation.commandsForAll = 0
  simulation.applied = 0
}

function apply(command: Command): i32 {
  const kind = command.kind
  const entity = command.subject
  const bundle = changetype<Bundle>(<usize>command.what)
  const tick = world.tick
  if (kind == SPAWN) return placeReserved(entity, bundle, tick)
  if (kind <= REMOVE) return addOrRemove(entity, kind, bundle)
  if (kind == EXCHANGE) return exchange(entity, changetype<Bundle>(<usize>command.more), bundle, tick)
  if (kind == DESTROY) return destroy(entity, false)
  if (kind == SET) return applySet(command)
  if (kind == LINK) return NOTHING
  const query = changetype<Query>(<usize>command.subject)
  if (kind == ADD_TO_ALL) return addMatching(query, 0, bundle, tick)
  if (kind == REMOVE_FROM_ALL) return removeMatching(query, 0, bundle, tick)
  return destroyMatching(query, 0)
}

/** Gives a reserved entity its row. Without one no query would find it: then it dies. */
function placeReserved(entity: u32, bundle: Bundle, tick: u32): i32 {
  const status = place(entity, bundle, tick)
  if (status < 0 && status != DEAD && recordOf(indexOf(entity)).location == NO_LOCATION) destroy(entity, false)
  return status
}

/** A value whose component is gone, or did not come, is lost. */
export function applySet(command: Command): i32 {
  const bytes = command.bytes
  const address = valueOf(command.subject, command.what, command.more & 0xffff, bytes, world.tick, true)
  if (address == 0) return NOTHING
  memory.copy(address + (command.more >> 16) * bytes, changetype<usize>(command), bytes)
  return DONE
}
