// Owns telling queries of a new archetype. A query is filed under its rarest required component, so that an archetype visits only
// queries that name one of its own components (or none at all).

import { Archetype, EMPTY_ARCHETYPE, archetypeAt, signatureAt } from '../archetypes/archetypes'
import { componentAt } from '../components/components'
import { List } from '../memory/list'
import { addMatch, matchAt, reserveMatch } from './matches'
import { Query, matches, queries } from './queries'

/** Enters the archetype that is there from the beginning. */
export function initAnnouncements(): bool {
  const empty = archetypeAt(EMPTY_ARCHETYPE)
  if (!prepareAnnouncement(empty)) return false
  announce(empty)
  return true
}

/** Makes room in every query that matches a new archetype; false when memory ends. Commit with announce. */
export function prepareAnnouncement(archetype: Archetype): bool {
  if (!reserveMatch(queries.archetypes)) return false
  let count: u32 = 1
  for (let i: u32 = 0; i < audienceSize(archetype); i++) {
    const list = audienceAt(archetype, i)
    for (let k: u32 = 0; k < list.count; k++) {
      const query = changetype<Query>(<usize>list.at(k))
      if (!matches(query, archetype)) continue
      if (!reserveMatch(query)) return false
      count += 1
    }
  }
  return archetype.matches.reserve(count << 1)
}

/** Tells every matching query of a new archetype. */
export function announce(archetype: Archetype): void {
  addMatch(queries.archetypes, archetype)
  for (let i: u32 = 0; i < audienceSize(archetype); i++) {
    const list = audienceAt(archetype, i)
    for (let k: u32 = 0; k < list.count; k++) {
      const query = changetype<Query>(<usize>list.at(k))
      // A query of alternatives is filed under each of them, and is notified twice of an archetype with two of them.
      if (matches(query, archetype) && !knows(query, archetype)) addMatch(query, archetype)
    }
  }
}

/** Lists of queries to tell: those filed under each component of the archetype, and those filed everywhere. */
@inline
function audienceSize(archetype: Archetype): u32 {
  return archetype.signatureCount + 1
}

@inline
function audienceAt(archetype: Archetype, index: u32): List {
  if (index == archetype.signatureCount) return queries.everywhere
  return componentAt(signatureAt(archetype, index)).queries
}

/** Whether the query lists the archetype, which is the newest: it has no rows, so it can only be the last one. */
@inline
function knows(query: Query, archetype: Archetype): bool {
  return query.count != 0 && matchAt(query, query.count - 1).archetype == archetype.owner
}
