// Owns what a loop knows of the components it was asked for: where each of them can be reached.
// It must never find rows: that is for the plan and the loops.

import type { Definition } from '../components/definition'
import type { Registration } from '../state/registration'

/** How the components of a loop can be reached. */
export interface ColumnAccess {
  readonly definitions: readonly Definition[]
  /** Undefined for a component this world has not met: it is nowhere. */
  readonly registrations: readonly (Registration | undefined)[]
  /** Whether the component lies in columns of the chunks that are walked. */
  readonly isColumn: readonly boolean[]
  /** Whether the chunks are those of a pool, not of an archetype. */
  readonly walksPool: boolean
  /** What is walked, for sentences. */
  readonly describe: () => string
}
