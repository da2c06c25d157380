// Owns the tab of queries and listeners. Only the matches of queries that are listed are counted.

import { make, makeTable } from '../dom'
import { grouped, shownName } from '../format'
import { cut } from '../preview'
import type { Panel, Session } from '../session'

/** Characters of the terms of a query. */
const MOST_OF_TERMS = 300
/** Refreshes from one look to the next: to count what matches may need a look at every row. */
const LOOK_EVERY = 10

export class QueriesPanel implements Panel {
  readonly root: HTMLElement
  private readonly queries = makeTable('Queries', ['terms', '#matches', '#archetypes', '#listeners'])
  private readonly listeners = makeTable('Listeners', ['of', 'event', '#count'])
  private readonly silent = make('p', { class: 'quiet' }, 'Nothing listens to this world.')
  private looks = 0

  constructor(private readonly session: Session) {
    this.root = make('div', {}, this.queries.root, this.listeners.root, this.silent)
  }

  refresh(): void {
    if (this.looks++ % LOOK_EVERY !== 0) return
    const { view } = this.session
    const queries = view.queries()
    // What matches is counted when it is asked for.
    this.queries.fill(queries, (query) => [
      query.terms === '' ? 'all entities' : cut(query.terms, MOST_OF_TERMS),
      query.matches === undefined ? '–' : grouped(query.matches),
      query.archetypes === 0 ? 'a pool' : `${grouped(query.active)} of ${grouped(query.archetypes)}`,
      query.subscribers === 0 ? '' : grouped(query.subscribers),
    ])
    const listeners = view.listeners()
    this.listeners.fill(listeners, (one) => [
      one.component === '' ? 'the world' : shownName(one.component),
      one.event,
      grouped(one.count),
    ])
    this.silent.hidden = listeners.length > 0
  }
}
