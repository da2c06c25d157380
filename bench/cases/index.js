// The list of cases, in the order of the tables. A case is what is done (`name`, `title`, `sizes`), what must come of it
// (`reference(size, runs)`), and by whom: `ways` has for each library and way a function that takes the size and gives `run`,
// `result`, and where needed `before` and `runMany(n)`. A library is imported by the way that needs it, never before. Each way has a
// loop of its own: in one that all shared, V8 compiled what it calls in another way, and rows moved by a tenth up to a half.
import addRemove from './add-remove.js'
import compiled from './compiled.js'
import garbage from './garbage.js'
import get from './get.js'
import loops from './loop.js'
import observed from './observed.js'
import parts from './parts.js'
import relations from './relations.js'
import set from './set.js'
import spawnKill from './spawn-kill.js'
import startup from './startup.js'
import timeTravel from './time-travel.js'
import trees from './tree.js'

export const cases = [
  loops,
  compiled,
  get,
  set,
  spawnKill,
  addRemove,
  observed,
  relations,
  trees,
  timeTravel,
  parts,
  garbage,
  startup,
].flat()
