// Owns the resources of one world and the calls on them: the cursor on the row of each one with fields, the values of the others.
// What is in the fields is in linear memory, in a table with one row (assembly/tables/resources.ts). A world reaches the classes
// here by way of a declaration: a program without resources carries only the calls.

import { takeValues } from '../components/copiedValues'
import { DeclarationNames } from '../components/declarationNames'
import { type Definition, rowBytes } from '../components/definition'
import { isZeroByDefault, storeDefault } from '../components/fieldMemory'
import { isVec } from '../components/fields'
import { ResourceDeclaration, isWide, notAResource } from '../components/resourceDeclaration'
import { type SeatedCursor, createCursor } from '../cursors/cursor'
import type { RowRef } from '../cursors/rowRef'
import { rareOf } from '../memory/coreParts'
import { StrataError, StrataTypeError, noRoomForResource } from '../memory/errors'
import { type Registration, onlyRowOf } from '../state/registration'
import type { ParticipantState, WorldParticipant } from '../state/worldParticipants'
import type { WorldResources, WorldState } from '../state/worldState'
import { readRow, writeRow } from '../values/rowValues'

export class Resources implements WorldParticipant, WorldResources {
  /** By the number of the declaration. */
  private readonly holders: (Holder | undefined)[] = []
  /** What `save` gave for each value that has it, by the number of the declaration, while a snapshot is made. */
  private readonly saved: unknown[] = []
  private readonly names = new DeclarationNames()

  constructor(private readonly state: WorldState) {
    // A row may have moved or gone: a cursor that was kept must find the row again, or nothing.
    state.heap.readers.add({ memoryMoved: () => this.seatAll() })
    state.participants.add(this)
  }

  /** The cursor on a resource with fields, made when it is missing; the value of another one. */
  content(resource: unknown): unknown {
    const holder = this.holders[(resource as ResourceDeclaration | undefined)?.number as number]
    if (holder !== undefined && holder.declaration === resource && holder.present) return holder.content
    return this.require(resource, 'resource').made()
  }

  /** Writes the named fields, or replaces the value; makes the resource when it is missing. */
  set(resource: unknown, value: unknown): void {
    this.require(resource, 'setResource').write(value)
  }

  /** A copy of the fields, or the value; undefined when it is missing. */
  get(resource: unknown): unknown {
    return this.require(resource, 'getResource').read()
  }

  has(resource: unknown): boolean {
    return this.require(resource, 'hasResource').present
  }

  /** Takes the resource away; false when it was missing. */
  remove(resource: unknown): boolean {
    return this.require(resource, 'removeResource').remove()
  }

  /** What stays takes its name back: see seatAll. */
  restart(): void {
    this.names.forget()
  }

  // By index, here and below: in each frame of a rollback an iterator would be garbage.
  prepare(): void {
    const { holders } = this
    for (let number = 0; number < holders.length; number++) {
      const holder = holders[number]
      if (holder?.saves) this.saved[number] = holder.save()
    }
  }

  keep(kept: ParticipantState | undefined): KeptValues {
    const values = kept instanceof KeptValues ? kept : new KeptValues(this)
    values.count = 0
    const { holders } = this
    for (let number = 0; number < holders.length; number++) {
      const holder = holders[number]
      if (holder?.saves) values.push(holder.declaration, this.saved[number])
    }
    return values
  }

  forget(): void {
    this.removeValuesBut(undefined)
  }

  /** Gives this world the values of a snapshot, and takes away those that were not there. */
  load(values: KeptValues): void {
    this.removeValuesBut(values)
    for (let i = 0; i < values.count; i++) {
      const declaration = values.declarations[i] as ResourceDeclaration
      try {
        this.require(declaration, 'restoreWorld').write(declaration.options?.load(values.states[i]))
      } catch (error) {
        this.state.fail(error)
      }
    }
  }

  /** Removes all resources that are JavaScript values, and returns these. */
  takeValues(): [ResourceDeclaration, unknown][] {
    return this.holders.flatMap((holder) => {
      if (holder?.present !== true || holder.declaration.definition !== undefined) return []
      const { content, declaration } = holder
      holder.remove()
      return [[declaration, content]]
    })
  }

  declarations(): ResourceDeclaration[] {
    return this.holders.flatMap((holder) => holder?.declaration ?? [])
  }

  savedValues(chosen: (declaration: ResourceDeclaration) => boolean): [ResourceDeclaration, unknown][] {
    return this.holders.flatMap((holder) =>
      holder?.saves === true && chosen(holder.declaration) ? [[holder.declaration, holder.save()]] : [],
    )
  }

  private removeValuesBut(values: KeptValues | undefined): void {
    const { holders } = this
    for (let number = 0; number < holders.length; number++) {
      const holder = holders[number]
      if (holder?.saves && values?.has(holder.declaration) !== true) holder.remove()
    }
  }

  private seatAll(): void {
    const { holders } = this
    for (let number = 0; number < holders.length; number++) {
      const holder = holders[number]
      if (holder === undefined) continue
      holder.refresh()
      // A restore may have forgotten the names; what stays keeps its own.
      const { declaration, present } = holder
      if (present && this.names.ownerOf(declaration.resourceName) === undefined)
        this.names.claim(declaration.resourceName, declaration)
    }
  }

  private require(resource: unknown, operation: string): Holder {
    this.state.refuseDisposed()
    if (!(resource instanceof ResourceDeclaration)) throw notAResource(resource, operation)
    while (this.holders.length <= resource.number) this.holders.push(undefined)
    const known = this.holders[resource.number]
    if (known?.present === true) return known
    this.names.claim(resource.resourceName, resource)
    const holder = known ?? holderOf(this.state, resource)
    this.holders[resource.number] = holder
    return holder
  }
}

/** The values of resources as a snapshot holds them. */
class KeptValues implements ParticipantState {
  count = 0
  readonly declarations: ResourceDeclaration[] = []
  readonly states: unknown[] = []

  constructor(readonly participant: Resources) {}

  push(declaration: ResourceDeclaration, state: unknown): void {
    this.declarations[this.count] = declaration
    this.states[this.count++] = state
  }

  has(declaration: ResourceDeclaration): boolean {
    const place = this.declarations.indexOf(declaration)
    return place >= 0 && place < this.count
  }

  restore(state: WorldState): void {
    resourcesOf(state).load(this)
  }
}

/** The resources of a world, which has none of this until the first one is asked for. */
export function resourcesOf(state: WorldState): Resources {
  return (state.resources ??= new Resources(state)) as Resources
}

function holderOf(state: WorldState, declaration: ResourceDeclaration): Holder {
  const definition = declaration.definition
  return definition === undefined
    ? new ValueHolder(state, declaration)
    : new RowHolder(state, declaration, createCursor(definition, state.heap))
}

/** What a world has of one resource. */
abstract class Holder {
  /** Whether the resource is there. */
  present = false
  /** The cursor, or the value. */
  content: unknown

  constructor(
    protected readonly state: WorldState,
    readonly declaration: ResourceDeclaration,
  ) {}

  /** Whether it is there and a snapshot copies it, beside what linear memory has. */
  get saves(): boolean {
    return false
  }

  /** A copy of the value, for a snapshot. */
  save(): unknown {
    return undefined
  }

  /** The content; of a resource with fields also when it was missing. */
  abstract made(): unknown
  abstract read(): unknown
  abstract write(value: unknown): void
  abstract remove(): boolean
  /** Called when addresses may have changed, and after the world started over. */
  abstract refresh(): void
}

class ValueHolder extends Holder {
  /** How often the world had started over when it got the value. */
  private resets = 0

  override get saves(): boolean {
    return this.present && this.declaration.options !== undefined
  }

  override save(): unknown {
    return this.declaration.options?.save(this.content)
  }

  made(): unknown {
    return this.content
  }

  read(): unknown {
    return this.content
  }

  write(value: unknown): void {
    this.resets = this.state.resets
    this.present = true
    this.content = value
  }

  remove(): boolean {
    const { present } = this
    this.present = false
    this.content = undefined
    return present
  }

  refresh(): void {
    if (this.state.disposed || this.resets !== this.state.resets) this.remove()
  }
}

class RowHolder extends Holder {
  private readonly seated: SeatedCursor
  private readonly isWide: boolean
  /** Where the row lies in memory; 0 while there is no row. */
  private address = 0

  constructor(state: WorldState, declaration: ResourceDeclaration, seated: SeatedCursor) {
    super(state, declaration)
    this.seated = seated
    this.isWide = isWide(declaration.definition as Definition)
    this.content = seated.cursor
    this.refresh()
  }

  made(): unknown {
    if (!this.present) this.make('resource')
    return this.content
  }

  read(): unknown {
    const ref = this.locate()
    return ref && readRow(ref)
  }

  write(given: unknown): void {
    const definition = this.declaration.definition as Definition
    const values = takeValues(definition, given)
    this.state.refuseDisposed()
    const { texts } = this.state
    const made = texts.prepare(definition, values)
    try {
      if (!this.present) this.make('setResource')
    } catch (error) {
      texts.takeBack(made)
      throw error
    }
    writeRow(this.locate() as RowRef, values)
  }

  remove(): boolean {
    const registration = this.registration()
    if (registration === undefined || onlyRowOf(registration) === undefined) return false
    rareOf(this.state).resourceRemove(registration.id)
    this.refresh()
    // A loop still uses its arrays: all of them end with it. Until then nothing is made where the row was.
    if (this.state.locks === 0) this.state.heap.endLeftBehind()
    return true
  }

  refresh(): void {
    const ref = this.locate()
    this.present = ref !== undefined
    const address = ref === undefined ? 0 : ref.data
    if (this.address !== address) this.leave()
    this.address = address
    if (ref === undefined) this.seated.seat.park()
    else this.seated.seat.stand(ref)
  }

  /** Arrays over the row may be kept for longer than the row is there. Where none was given out, ending them costs nothing. */
  private leave(): void {
    const { seat } = this.seated
    if (seat.gaveArray) this.state.heap.leftBehind = this.state.owed = true
    seat.gaveArray = false
  }

  private registration(): Registration | undefined {
    return this.state.known(this.declaration.definition as Definition)
  }

  /** Its row; undefined when there is none. */
  private locate(): RowRef | undefined {
    return onlyRowOf(this.registration())
  }

  /** Makes the row, with the defaults. */
  private make(operation: string): void {
    const { state, declaration } = this
    const definition = declaration.definition as Definition
    if (state.locks > 0) {
      throw new StrataError(
        'WORLD_LOCKED',
        `${operation}(${declaration.resourceName}): the resource is not there yet, and inside a query loop, a batch or a listener no memory can be taken for it. Call world.resource(${declaration.resourceName}) once before the loop.`,
      )
    }
    const status = rareOf(state).resourceMake(state.register(definition).id)
    state.heap.check()
    if (status < 0) throw noRoomForResource(declaration.resourceName, rowBytes(definition))
    if (this.isWide) this.writeListDefaults(this.locate() as RowRef)
    this.refresh()
  }

  /** The core made them zeros: long lists are kept once, with the declaration. */
  private writeListDefaults({ heap, definition, data, placement }: RowRef): void {
    definition.fields.forEach((field, k) => {
      if (isVec(field) && !isZeroByDefault(field))
        storeDefault(heap, field, data + (placement.offsets[k] as number))
    })
  }
}

/** What holds the resources of a world, made for the first one. */
export function resourcesFor(state: WorldState, resource: unknown, operation: string): Resources {
  return (state.resources as Resources | undefined) ?? begin(state, resource, operation)
}

function begin(state: WorldState, resource: unknown, operation: string): Resources {
  state.refuseDisposed()
  // Not by its class, which a program without resources does not carry.
  const { resourcesOf: begin, strataCopy: copy } = Object(resource) as Partial<ResourceDeclaration>
  if (begin === undefined || copy !== StrataTypeError) throw notAResource(resource, operation)
  return (begin as typeof resourcesOf)(state)
}

/** world.setResource */
export function setResource(state: WorldState, resource: unknown, value: unknown): void {
  resourcesFor(state, resource, 'setResource').set(resource, value)
  wrote(state, resource)
}

/** world.removeResource */
export function removeResource(state: WorldState, resource: unknown): boolean {
  const removed = resourcesFor(state, resource, 'removeResource').remove(resource)
  if (removed) wrote(state, resource)
  return removed
}

function wrote(state: WorldState, resource: unknown): void {
  if (state.reporting?.subscribers.wrote(resource as ResourceDeclaration) === true) state.settle()
}
