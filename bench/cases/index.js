// Owns the list of cases, in the order of the table. A case says what the work is, at which sizes, and what
// the result must be; it must never import a library, so that every adapter answers to the same reference.
import addRemove from './add-remove.js'
import { callCases } from './calls.js'
import { ddmillsCases } from './ddmills.js'
import deferred, { deferredFour } from './deferred.js'
import changed from './changed.js'
import destroy from './destroy.js'
import { fragmentedCases } from './fragmentation.js'
import mixedFrame from './frame.js'
import garbage from './garbage.js'
import get from './get.js'
import group from './group.js'
import { inspectCases } from './inspect.js'
import loop from './loop.js'
import loopAfterForty from './loop-after-forty.js'
import lookup from './lookup.js'
import memory from './memory.js'
import noctAddRemove from './noct-add-remove.js'
import noctEntityCycle from './noct-entity-cycle.js'
import { fragCases } from './noct-frag-iter.js'
import noctPacked5 from './noct-packed-5.js'
import noctSimpleIter from './noct-simple-iter.js'
import observed, { observedSpawn } from './observed.js'
import particles from './particles.js'
import { partsCases } from './parts.js'
import { queryCases } from './queries.js'
import { relationCases } from './relations.js'
import { rustCases } from './rust.js'
import set from './set.js'
import sorted from './sorted.js'
import spawn from './spawn.js'
import spawnKill from './spawn-kill.js'
import startup from './startup.js'
import tag from './tag.js'
import * as timeTravel from './time-travel.js'
import toggle from './toggle.js'
import { treeCases } from './tree.js'
import { whereCases } from './where.js'

export const cases = [
  loop,
  loopAfterForty,
  particles,
  get,
  set,
  spawn,
  destroy,
  spawnKill,
  addRemove,
  ...callCases,
  noctPacked5,
  noctSimpleIter,
  ...fragCases,
  ...fragmentedCases,
  ...queryCases,
  noctEntityCycle,
  noctAddRemove,
  ...ddmillsCases,
  mixedFrame,
  ...rustCases,
  deferred,
  deferredFour,
  observed,
  observedSpawn,
  tag,
  toggle,
  ...whereCases,
  changed,
  sorted,
  group,
  ...partsCases,
  ...relationCases,
  ...treeCases,
  lookup,
  timeTravel.save,
  timeTravel.restore,
  timeTravel.rewind,
  timeTravel.writeFile,
  timeTravel.readFile,
  ...inspectCases,
  memory,
  garbage,
  startup,
]
