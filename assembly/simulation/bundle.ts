// Owns how a simulation names what it spawns, adds and removes: ids of components, and sets of them.
// It must never make a second bundle of the same components: the core keeps one.

import { Bundle as CoreBundle, findOrCreateBundle } from '../archetypes/bundles'
import { components } from '../components/components'
import { SCRATCH_ADDRESS } from '../memory/map'

/** The id of a component in this world: JavaScript passes it to a function of the module. */
export type Component = u32

/** No component: what is left out of a list of arguments. */
export const NONE: u32 = 0xffffffff

/**
 * Components that are spawned with, added or removed in one move. There is no object: the core's own bundle is meant,
 * so `Bundle.of` with the same components, in any order, gives the same one. It is kept for ever: make bundles of fixed
 * components, at the start. After world.reset() in JavaScript, or a restore to before they were made, they are gone:
 * make them again.
 */
@unmanaged
export class Bundle {
  /**
   * The bundle of up to eight components. Null when memory ends, or when one of the ids is no component; whatever is
   * asked of a null bundle fails with OUT_OF_MEMORY and changes nothing. Cost: a look into a hash table.
   *
   * @example const spark = Bundle.of(Position, Velocity)
   */
  static of(
    a: Component = NONE,
    b: Component = NONE,
    c: Component = NONE,
    d: Component = NONE,
    e: Component = NONE,
    f: Component = NONE,
    g: Component = NONE,
    h: Component = NONE,
  ): Bundle {
    let count: u32 = 0
    count = take(a, count)
    count = take(b, count)
    count = take(c, count)
    count = take(d, count)
    count = take(e, count)
    count = take(f, count)
    count = take(g, count)
    count = take(h, count)
    if (count == NONE) return changetype<Bundle>(0)
    return changetype<Bundle>(findOrCreateBundle(SCRATCH_ADDRESS, count))
  }

  /** No bundle: what a variable holds before its bundle is made. */
  @inline
  static get none(): Bundle {
    return changetype<Bundle>(0)
  }

  /** Whether there is no such bundle. */
  get isNull(): bool {
    return changetype<usize>(this) == 0
  }
}

/** The core's bundle behind one of the above. */
@inline
export function bundleOf(bundle: Bundle): CoreBundle {
  return changetype<CoreBundle>(bundle)
}

/** Writes a component behind the others in scratch, once; the new count, or NONE when it is none. */
function take(component: Component, count: u32): u32 {
  if (component == NONE || count == NONE) return count
  if (component >= components.count) return NONE
  for (let i: u32 = 0; i < count; i++) {
    if (load<u32>(SCRATCH_ADDRESS + (<usize>i << 2)) == component) return count
  }
  store<u32>(SCRATCH_ADDRESS + (<usize>count << 2), component)
  return count + 1
}
