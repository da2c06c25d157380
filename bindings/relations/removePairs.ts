// Owns the end of single links: world.remove with pairs. What an entity loses as a whole, including relations, is reported at
// once; links that it loses while it keeps others are reported after it, relation by relation.

import { perform } from '../changes/applyChange'
import { ADD } from '../changes/commandLog'
import type { Definition } from '../components/definition'
import { ComponentValue } from '../components/componentValues'
import { notAComponent } from '../components/notAComponent'
import { targetIn } from '../components/pair'
import { relatedIn } from '../components/terms'
import { refuseOther } from '../memory/arguments'
import type { Relating, RemovingWorld } from '../state/relationHooks'
import type { WorldState } from '../state/worldState'
import type { LinkReader } from './linkStore'
import { PartialUnlink } from './linkList'

/** Removes components, and the links that pairs among them name. Returns whether anything was, or will be, removed. */
export function removePairs(
  state: WorldState,
  world: RemovingWorld,
  entity: number,
  components: readonly unknown[],
): boolean {
  refuseOther(entity, 'remove')
  const whole: unknown[] = []
  const severed = new Map<Definition, Set<number>>()
  for (const one of components) {
    if (!(one instanceof ComponentValue)) {
      whole.push(one)
      continue
    }
    const relating = relatedIn(one) as Relating | undefined
    if (relating === undefined) throw notAComponent(one, 'remove')
    if (!relating.holds(state, entity, one)) continue
    const definition = one.component as unknown as Definition
    const targets = severed.get(definition) ?? new Set()
    severed.set(definition, targets.add(targetIn(one) as number))
  }
  const found = severed.size > 0
  for (const [definition, targets] of severed) {
    const links = state.known(definition)?.links as unknown as LinkReader | undefined
    // Whose links are all named ends as a whole; one that is named itself, too, does so once.
    if (targets.size >= (links?.targetCount(entity) ?? 0) && !whole.includes(definition))
      whole.push(definition)
  }
  if (state.locks !== 0) {
    // Which links there are by then is decided then.
    const removed = found || whole.some((one) => state.known(one as Definition)?.isOn(entity) === true)
    state.commands.later(() => void removePairs(state, world, entity, components))
    return state.isAlive(entity) && removed
  }
  return state.together(() => {
    // For the bundle of nothing a full world may have no memory.
    const removed = (whole.length > 0 || !found) && world.remove(entity, ...(whole as never[]))
    for (const [definition, targets] of severed) {
      if (whole.includes(definition)) continue
      const bundle = state.bundles.with(definition, 'remove')
      perform(state, ADD, entity, bundle, undefined, [new PartialUnlink(definition, [...targets]) as never])
    }
    return removed || found
  })
}
