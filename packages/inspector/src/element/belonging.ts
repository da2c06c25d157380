// Owns what the inspector reads inside a schedule and a history because they do not expose it: which world they belong to, and
// what determines the order of systems. No other file of the inspector may look inside what the library made.

import type { Schedule } from '../../../../bindings/index'

export const worldOfSchedule = (schedule: Schedule): unknown => schedule['world']

/** The world of a history of createHistory; undefined for a past of the page's own. */
export function worldOfHistory(history: object): unknown {
  // Its type keeps both members for itself; a past of the page's own may have a `world` that means something else.
  const { world, slots } = history as { readonly world?: unknown; readonly slots?: unknown }
  return Array.isArray(slots) ? world : undefined
}

/**
 * All that decides in which order systems run, to be compared item by item: the systems, which do not change while they are there,
 * the chains, which are only ever added to, and the phases. To compare it costs a thousandth of finding the order.
 */
export function decidingIn(schedule: Schedule): readonly unknown[] {
  return [schedule['phases'].all, schedule['chains'].length, ...schedule['systems'].all]
}
