// Owns what listeners of one link are told by: whether an entity has the link, as world.has tells it.
// It must never ask a query: queries leave out entities with an excluded tag, and links that were kept past the death of their target.

import type { Definition } from '../components/definition'
import type { Bundle } from '../rows/bundle'
import type { LinkToWatch } from '../rows/relating'
import type { WorldState } from '../rows/worldState'
import type { LinkStore } from './keeping'

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
