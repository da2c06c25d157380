// A world with workers inside a module worker, where the end of a run is waited for asleep.

import * as loops from '/node_modules/strata-ecs/dist/compile.js'
import * as library from '/node_modules/strata-ecs/dist/index.js'
import * as workers from '/node_modules/strata-ecs/dist/workers.js'
import { divide } from '/workers.js'

globalThis.postMessage(await divide(library, loops, workers))
