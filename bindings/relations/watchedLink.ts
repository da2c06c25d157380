// Owns what listeners of one link are told by: whether an entity has the link, as world.has tells it.
// It must never ask a query: queries leave out entities with an excluded tag, and links that were kept past the death of their target.

import type { Definition } from '../components/definition'
import type { Bundle } from '../state/bundle'
import type { LinkToWatch } from '../state/relationHooks'
import type { WorldState } from '../state/worldState'
import type { LinkStore } from './linkStore'

export class WatchedLink implements LinkToWatch {
  readonly meetsHidden = true
  readonly keeps = false
  readonly named: readonly Definition[]

  constructor(
    private readonly state: WorldState,
    private readonly definition: Definition,
    readonly target: number,
  ) {
    this.named = [definition]
  }

  holds(entity: number, gains?: Bundle, losses?: Bundle, given?: readonly unknown[]): boolean {
    const { definition } = this
    const place = gains?.definitions.indexOf(definition) ?? -1
    const ingredient = place < 0 ? undefined : given?.[place]
    const isLost = losses?.contains(definition) === true
    const links = this.state.known(definition)?.links as LinkStore | undefined
    return links?.targetsAfter(entity, isLost, ingredient).includes(this.target) === true
  }

  noteKept(): void {
    // A link that is kept stays where it is.
  }
}
