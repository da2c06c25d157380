// Owns giving back what the core keeps of archetypes without rows: their records, the ways that lead to them, their places in
// lists. No row moves, what stays keeps its order, and no memory is needed.

import {
  Archetype,
  EMPTY_ARCHETYPE,
  archetypeAt,
  archetypes,
  fileSignature,
  forgetTransitions,
  releaseArchetype,
} from '../archetypes/archetypes'
import { bundleAt, bundles, dropBundles } from '../archetypes/bundles'
import { forgetLoosePaths } from '../archetypes/looseBundles'
import { componentAt, components } from '../components/components'
import { blocks } from '../memory/blocks'
import { List } from '../memory/list'
import { releaseSlabs } from '../memory/objects'
import { MatchList, NO_MATCH, matchAt, tightenMatches } from '../queries/matches'
import { Query, queries } from '../queries/queries'
import { chunkAt } from '../tables/chunks'
import { forgetLastMoves } from './moves'

/** In place of an id: the archetype goes. */
const DROPPED: u32 = 0xffffffff

/**
 * Drops every archetype without rows but that of entities without components, and what leads to it. Those that stay are
 * given new ids, without gaps and in their order; all bundles go with the others. Returns how many archetypes went. Costs a look at
 * each archetype and each of its matches.
 */
export function trimArchetypes(): u32 {
  forgetWays()
  const before = archetypes.all.count
  const kept = number()
  if (kept != before) {
    dropBundles()
    keepInLists()
    release()
    archetypes.all.count = kept
    archetypes.bySignature.restart(kept)
    for (let id: u32 = 0; id < kept; id++) fileSignature(archetypeAt(id))
  }
  tighten()
  releaseSlabs()
  blocks.epoch += 1
  return before - kept
}

/** Forgets all that leads from one archetype to another: it is found again when it is wanted. */
function forgetWays(): void {
  archetypes.transitions.restart(0)
  forgetLastMoves()
  for (let id: u32 = 0; id < archetypes.all.count; id++) forgetTransitions(archetypeAt(id))
  for (let id: u32 = 0; id < bundles.all.count; id++) bundleAt(id).spawnArchetype = changetype<Archetype>(0)
  forgetLoosePaths()
}

/** Gives each archetype the id that it will have, or DROPPED; how many stay. Lists still name them by the old ones. */
function number(): u32 {
  let kept: u32 = 0
  for (let id: u32 = 0; id < archetypes.all.count; id++) {
    const archetype = archetypeAt(id)
    archetype.owner = archetype.rows != 0 || id == EMPTY_ARCHETYPE ? kept++ : DROPPED
  }
  return kept
}

function keepInLists(): void {
  for (let id: u32 = 0; id < components.count; id++) keepListed(componentAt(id).archetypes)
  keepMatches(queries.archetypes)
  for (let i: u32 = 0; i < queries.all.count; i++) keepMatches(changetype<Query>(<usize>queries.all.at(i)))
}

function keepListed(list: List): void {
  let kept: u32 = 0
  for (let i: u32 = 0; i < list.count; i++) {
    const id = archetypeAt(list.at(i)).owner
    if (id != DROPPED) list.set(kept++, id)
  }
  list.count = kept
}

/** The versions of what goes stay in the list's sum: a version must not come twice. What goes has no rows, and is not in the chain. */
function keepMatches(list: MatchList): void {
  let kept: u32 = 0
  for (let i: u32 = 0; i < list.count; i++) {
    const match = matchAt(list, i)
    const archetype = archetypeAt(match.archetype)
    if (archetype.owner != DROPPED) archetype.matches.set((match.pair << 1) + 1, kept++)
  }
  renumberChain(list)
  for (let i: u32 = 0; i < list.count; i++) {
    const match = matchAt(list, i)
    const archetype = archetypeAt(match.archetype)
    if (archetype.owner == DROPPED) continue
    const place = matchAt(list, placeAhead(list, i))
    place.archetype = archetype.owner
    place.pair = match.pair
    place.next = match.next
    place.previous = match.previous
  }
  list.count = kept
}

/** Where a match will be. */
function placeAhead(list: MatchList, place: u32): u32 {
  if (place == NO_MATCH) return NO_MATCH
  const match = matchAt(list, place)
  return archetypeAt(match.archetype).matches.at((match.pair << 1) + 1)
}

function renumberChain(list: MatchList): void {
  let next: u32 = 0
  for (let place = list.first; place != NO_MATCH; place = next) {
    const match = matchAt(list, place)
    next = match.next
    match.next = placeAhead(list, next)
    match.previous = placeAhead(list, match.previous)
  }
  list.first = placeAhead(list, list.first)
  list.last = placeAhead(list, list.last)
}

/** Gives back what goes; what stays moves up in the list of all, and its chunks learn its id. */
function release(): void {
  const all = archetypes.all
  for (let id: u32 = 0; id < all.count; id++) {
    const archetype = archetypeAt(id)
    const kept = archetype.owner
    if (kept == DROPPED) releaseArchetype(archetype)
    else if (kept != id) {
      all.set(kept, <u32>changetype<usize>(archetype))
      for (let i: u32 = 0; i < archetype.chunks.count; i++) chunkAt(archetype.chunks.at(i)).owner = kept
    }
  }
}

/** Lets lists have the memory that they need now, where there is memory for that. */
function tighten(): void {
  archetypes.all.tighten()
  for (let id: u32 = 0; id < components.count; id++) componentAt(id).archetypes.tighten()
  tightenMatches(queries.archetypes)
  for (let i: u32 = 0; i < queries.all.count; i++) tightenMatches(changetype<Query>(<usize>queries.all.at(i)))
}
