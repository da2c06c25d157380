// Owns the tab of queries and listeners, with what they cost: it has the world measure them while it is shown, and only then. It
// must never count the matches of more queries than are listed.

import type { MeasuredCost } from '../../inspect/inspect'
import { make, makeTable } from '../dom'
import { grouped, milliseconds, shownName } from '../format'
import { cut } from '../preview'
import type { Panel, Session } from '../session'

/** Characters of the terms of a query. */
const MOST_OF_TERMS = 300
/** Refreshes from one look to the next: to count what matches may need a look at every row. */
const LOOK_EVERY = 10

/** The heads of what MeasuredCost tells. */
const COSTS = ['#runs', '#last', '#mean']

export class QueriesPanel implements Panel {
  readonly root: HTMLElement
  private readonly queries = makeTable('Queries', [
    'terms',
    '#matches',
    '#archetypes',
    '#listeners',
    ...COSTS,
  ])
  private readonly listeners = makeTable('Listeners', ['of', 'event', '#count', ...COSTS])
  private readonly silent = make('p', { class: 'quiet' }, 'Nothing listens to this world.')
  private readonly note = make(
    'p',
    { class: 'quiet' },
    'Measured while this tab is shown. The time of a loop includes its body and the loops inside it.',
  )
  private looks = 0
  private stop: (() => void) | undefined

  constructor(private readonly session: Session) {
    this.root = make('div', {}, this.queries.root, this.listeners.root, this.silent, this.note)
  }

  follow(isShown: boolean): void {
    this.stop?.()
    this.stop = isShown ? this.session.view.measure() : undefined
    this.looks = 0
  }

  refresh(): void {
    if (this.looks++ % LOOK_EVERY !== 0) return
    const { view } = this.session
    const queries = costliestFirst(view.queries())
    // What matches is counted when it is asked for.
    this.queries.fill(queries, (query) => [
      query.terms === '' ? 'all entities' : cut(query.terms, MOST_OF_TERMS),
      query.matches === undefined ? '–' : grouped(query.matches),
      query.archetypes === 0 ? 'a pool' : `${grouped(query.active)} of ${grouped(query.archetypes)}`,
      query.subscribers === 0 ? '' : grouped(query.subscribers),
      ...cellsOf(query),
    ])
    const listeners = costliestFirst(view.listeners())
    this.listeners.fill(listeners, (one) => [
      one.component === '' ? 'the world' : shownName(one.component),
      one.event,
      grouped(one.count),
      ...cellsOf(one),
    ])
    this.silent.hidden = listeners.length > 0
  }
}

function cellsOf({ runs, lastMs, meanMs }: MeasuredCost): string[] {
  return runs === 0 ? ['', '', ''] : [grouped(runs), milliseconds(lastMs), milliseconds(meanMs)]
}

/**
 * Those first that took most in all since the tab was opened: of the last run alone the order would change at every look. Equal
 * ones stay in the order in which they were made.
 */
function costliestFirst<T extends MeasuredCost>(all: readonly T[]): readonly T[] {
  return [...all].sort((a, b) => b.totalMs - a.totalMs)
}
