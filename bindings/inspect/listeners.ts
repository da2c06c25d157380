// Owns the list of a world's listeners, as the inspection shows it. It must never call one, nor become one.

import { type ParsedTerm, describeTerms } from '../components/terms'
import { observersOf } from '../events/observersOf'
import type { ComponentWatch } from '../events/watches'
import type { WorldState } from '../rows/worldState'

/** Listeners to one kind of event of one component or query. */
export interface ListenerInfo {
  /**
   * What calls them: 'add', 'remove' and 'set' of a component; 'enter', 'exit' and 'change', which query.subscribe hears,
   * of a query; 'removals' are the readers and lists of removals of a component; 'restore' concerns the world.
   */
  readonly event: 'add' | 'remove' | 'set' | 'removals' | 'enter' | 'exit' | 'change' | 'restore'
  /** The name of the component, or the terms of the query; '' for 'restore'. */
  readonly component: string
  readonly count: number
}

/** Who listens, as far as it is needed here. */
interface Heard {
  readonly components: readonly (ComponentWatch | undefined)[]
  readonly queries: ReadonlyMap<unknown, Watched>
  readonly subscribers: {
    readonly queries: ReadonlyMap<
      unknown,
      { readonly watch: Watched; readonly subscriptions: ReadonlySet<unknown> }
    >
  }
  readonly restored: ReadonlySet<unknown>
}

interface Watched {
  readonly enter: { readonly length: number }
  readonly exit: { readonly length: number }
  readonly terms: readonly ParsedTerm[]
}

export function listenersIn(state: WorldState): ListenerInfo[] {
  const { components, queries, subscribers, restored } = observersOf(state) as unknown as Heard
  const all: ListenerInfo[] = []
  const note = (event: ListenerInfo['event'], component: string, count: number) => {
    if (count > 0) all.push({ event, component, count })
  }
  for (const watch of components) {
    if (watch === undefined) continue
    const name = watch.definition.componentName
    note('add', name, watch.added.length)
    note('remove', name, watch.removed.length)
    note('set', name, watch.set.length)
    note('removals', name, watch.logs.length + (watch.removals === undefined ? 0 : 1))
  }
  for (const { enter, exit, terms } of queries.values()) {
    note('enter', describeTerms(terms), enter.length)
    note('exit', describeTerms(terms), exit.length)
  }
  for (const { watch, subscriptions } of subscribers.queries.values())
    note('change', describeTerms(watch.terms), subscriptions.size)
  note('restore', '', restored.size)
  return all
}
