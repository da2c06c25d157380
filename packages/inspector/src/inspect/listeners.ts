// Owns the list of a world's listeners, as the inspection shows it. It must never call one, nor become one.

import { describeTerms } from '../../../../bindings/components/terms'
import type { WorldState } from '../../../../bindings/rows/worldState'
import { type MeasuredCost, copyOf } from './cost'
import { type Counted, heardIn } from './heard'
import { callTimesOf } from './measuring'

/**
 * Listeners to one kind of event of one component or query. While `measure` is on, a run is one event: all of them are called, with
 * what they call and the loops that they walk. What they queue is not their cost. 'removals' are read, not called.
 */
export interface ListenerInfo extends MeasuredCost {
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
  const times = callTimesOf(state)
  const all: ListenerInfo[] = []
  const note = (event: ListenerInfo['event'], component: string, count: number, list?: object) => {
    if (count > 0) all.push({ event, component, count, ...copyOf(list && times?.of(list)) })
  }
  const noteList = (event: ListenerInfo['event'], component: string, list: Counted) =>
    note(event, component, list.length, list)
  for (const watch of components) {
    if (watch === undefined) continue
    const name = watch.definition.componentName
    noteList('add', name, watch.added)
    noteList('remove', name, watch.removed)
    noteList('set', name, watch.set)
    note('removals', name, watch.logs.length)
  }
  for (const { enter, exit, terms } of queries.values()) {
    noteList('enter', describeTerms(terms), enter)
    noteList('exit', describeTerms(terms), exit)
  }
  for (const { watch, subscriptions } of subscribers.queries.values())
    note('change', describeTerms(watch.terms), subscriptions.size, subscriptions)
  note('restore', '', ofRestores.size, ofRestores)
  return all
}
