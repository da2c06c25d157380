// Owns the refusal of values that only the links of a relation have, each link its own. The declaration of the relation brings
// the sentence.

import type { Definition } from './definition'

/** What a relation with many targets has: their values are those of links, and in no row. */
interface Untargeted {
  readonly isExclusive: boolean
  refuseUntargeted(): void
}

/** Throws where values were asked for that only links have, each its own: the sentence says how to name one. */
export function refuseUntargeted(definition: Partial<Definition> | undefined): void {
  ;(definition?.details?.relating as Untargeted | undefined)?.refuseUntargeted()
}
