// Owns a number that tells whether rows of one component came, went, moved or were switched, where no query says so. It costs a
// look at each archetype that has the component.

import { TABLE_VERSION } from '../../build/layout'
import type { Definition } from '../components/definition'
import { opened } from '../components/terms'
import { Plan } from '../queryPlan/plan'
import type { Registration } from '../state/registration'
import type { WorldState } from '../state/worldState'

export class ComponentVersion {
  /** All archetypes with the component: their versions tell that a row has moved. */
  private plan: Plan | undefined

  constructor(
    private readonly state: WorldState,
    private readonly definition: Definition,
  ) {}

  /** A number that differs from before whenever an entity got or lost the component, or its row moved or was switched. */
  read(): number {
    const { state } = this
    const registration = state.known(this.definition)
    if (registration === undefined) return state.versionsBefore
    return registration.pooled ? this.ofPool(registration) : this.planned().version()
  }

  private ofPool(registration: Registration): number {
    const { heap, versionsBefore } = this.state
    return heap.word(registration.pool + TABLE_VERSION) + versionsBefore
  }

  private planned(): Plan {
    const { state, plan } = this
    if (
      plan !== undefined &&
      plan.generation === state.generation &&
      plan.groupings === state.groupings &&
      (plan.address !== 0 || (state.locks > 0 && plan.loop === state.loop))
    )
      return plan
    const { definition } = this
    // All rows count, also of those that tags keep out of queries.
    const hiding = state.hiding.filter((tag) => tag !== definition)
    return (this.plan = new Plan(state, [
      opened(definition, 'required', undefined),
      ...hiding.map((tag) => opened(tag, 'optional', undefined)),
    ]))
  }
}
