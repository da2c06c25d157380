// Owns random access to one component by handle: one reused cursor, seated where the entity's row is.
// It must never hand out a cursor for an entity that is dead or lacks the component: the value would be lost.

import type { Definition } from './component'
import { type SeatedCursor, createCursor } from './cursor'
import { DeadEntityError, StrataError } from './errors'
import type { Registration } from './registration'
import type { WorldState } from './worldState'

export class ComponentAccessor {
  private readonly seated: SeatedCursor
  private registration: Registration | undefined
  private generation = -1

  constructor(
    private readonly state: WorldState,
    private readonly definition: Definition,
  ) {
    this.seated = createCursor(definition, state.heap)
  }

  /** Stands the cursor on the entity's row. */
  of(entity: number): object {
    const registration = this.generation === this.state.generation ? this.registration : this.resolve()
    if (registration === undefined || !registration.locateHandle(entity)) return this.elsewhere(entity)
    registration.seat(this.seated.seat)
    return this.seated.cursor
  }

  /** An entity without a row of this component: dead, or lacking it. */
  private elsewhere(entity: number): object {
    const { state, definition } = this
    if (!state.isAlive(entity)) {
      state.refuseDisposed()
      throw new DeadEntityError(entity, `accessor(${definition.componentName}).of`)
    }
    // A component without fields has no row to stand on.
    if (state.known(definition)?.isTag === true && state.known(definition)?.isOn(entity))
      return this.seated.cursor
    throw this.missing(entity)
  }

  private resolve(): Registration | undefined {
    this.registration = this.state.known(this.definition)
    if (this.registration !== undefined) this.generation = this.state.generation
    return this.registration
  }

  private missing(entity: number): StrataError {
    const name = this.definition.componentName
    return new StrataError(
      'MISSING_COMPONENT',
      `accessor(${name}).of: entity ${entity} has no ${name}: add it first, or ask world.has(entity, ${name}).`,
    )
  }
}
