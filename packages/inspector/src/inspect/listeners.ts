// Owns the list of a world's listeners, as the inspection shows it.

import { describeTerms } from '../../../../bindings/components/terms'
import type { WorldState } from '../../../../bindings/state/worldState'
import { heardIn } from './heard'

/** Listeners to one kind of event of one component or query. */
export interface ListenerInfo {
  /**
   * What calls them: 'add', 'remove' and 'set' of a component; 'enter', 'exit' and 'change', which subscribe hears,
   * of a query; 'removals' are the readers of removals of a component; 'restore' concerns the world.
   */
  readonly event: 'add' | 'remove' | 'set' | 'removals' | 'enter' | 'exit' | 'change' | 'restore'
  /** The name of the component, or the terms of the query; '' for 'restore'. */
  readonly component: string
  readonly count: number
}

export function listenersIn(state: WorldState): ListenerInfo[] {
  const heard = heardIn(state)
  if (heard === undefined) return []
  const { components, queries, subscribers, ofRestores } = heard
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
    note('removals', name, watch.logs.length)
  }
  for (const { enter, exit, terms } of queries.values()) {
    note('enter', describeTerms(terms), enter.length)
    note('exit', describeTerms(terms), exit.length)
  }
  for (const { watch, subscriptions } of subscribers.queries.values())
    note('change', describeTerms(watch.terms), subscriptions.size)
  note('restore', '', ofRestores.size)
  return all
}
