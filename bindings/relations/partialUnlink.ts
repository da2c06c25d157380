// Owns what is given for a relation by a change that ends some links of an entity and leaves it others.
// It must never be given for all of them: then the entity loses the relation.

import type { Definition } from '../components/definition'
import { ComponentValue } from '../components/componentValues'

/** In place of a pair: the entity has the relation, and keeps it, but for the links to these targets. */
export class PartialUnlink extends ComponentValue {
  constructor(
    definition: Definition,
    readonly targets: readonly number[],
  ) {
    super(definition as never, undefined)
  }
}
