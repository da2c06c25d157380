// A world with workers inside a module worker, where the end of a run is waited for asleep. It says when the browser is asked for a
// worker, and when it has given one.

import * as loops from '/node_modules/strata-ecs/dist/compile.js'
import * as library from '/node_modules/strata-ecs/dist/index.js'
import * as workers from '/node_modules/strata-ecs/dist/workers.js'
import { divide } from '/workers.js'

globalThis.Worker = new Proxy(globalThis.Worker, {
  construct(Worker, given) {
    globalThis.postMessage('makes a worker')
    const worker = Reflect.construct(Worker, given)
    globalThis.postMessage('made a worker')
    return worker
  },
})

globalThis.postMessage(await divide(library, loops, workers))
