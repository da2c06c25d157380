// Owns the tab of queries and listeners. It must never count the matches of more queries than are listed.

import { make, makeTable, say } from '../dom'
import { grouped } from '../format'
import type { Panel, Session } from '../session'

/** Queries that are listed; a count of each is read at every look. */
const MOST_LISTED = 100
/** Refreshes from one look to the next: to count what matches may need a look at every row. */
const LOOK_EVERY = 10

export class QueriesPanel implements Panel {
  readonly root: HTMLElement
  private readonly queries = makeTable('Queries', ['terms', '#matches', '#archetypes', '#listeners'])
  private readonly rest = make('p', { class: 'quiet' })
  private readonly listeners = makeTable('Listeners', ['of', 'event', '#count'])
  private readonly silent = make('p', { class: 'quiet' }, 'Nothing listens to this world.')
  private looks = 0

  constructor(private readonly session: Session) {
    this.root = make('div', {}, this.queries.root, this.rest, this.listeners.root, this.silent)
  }

  refresh(): void {
    if (this.looks++ % LOOK_EVERY !== 0) return
    const { view } = this.session
    const queries = view.queries()
    this.queries.fill(
      queries
        .slice(0, MOST_LISTED)
        .map(({ terms, matches, archetypes, active, subscribers }) => [
          terms === '' ? 'all entities' : terms,
          matches === undefined ? '–' : grouped(matches),
          archetypes === 0 ? 'a pool' : `${grouped(active)} of ${grouped(archetypes)}`,
          subscribers === 0 ? '' : grouped(subscribers),
        ]),
    )
    say(this.rest, queries.length > MOST_LISTED ? `And ${grouped(queries.length - MOST_LISTED)} more.` : '')
    const listeners = view.listeners()
    this.listeners.fill(
      listeners.map(({ event, component, count }) => [component || 'the world', event, grouped(count)]),
    )
    this.silent.hidden = listeners.length > 0
  }
}
