// Owns the program of the process in which runs are done: it hands tasks from outside to threads, and their results back.
// It must never run anything of a module in its main thread, nor outlive the program that started it.

import { EnsembleError } from './errors.js'
import { Threads } from './threads.js'

const PROGRESS_MS = 250

/** @type {Threads} */
let threads
let hadProgress = false

// Whoever is told may be gone, which 'disconnect' says.
const send = (message) => process.connected && process.send?.(message, () => {})

const ORDERS = {
  open({ options }) {
    threads = new Threads(options)
  },
  execute,
  stopAtCheckpoints: () => threads.stopAtCheckpoints(),
}

/** @param {{ id: number, runs: import('./plan.js').Run[], how: any }} order */
async function execute({ id, runs, how: { keeps, ...how } }) {
  const keep = keeps ? (key, bytes) => send({ what: 'keep', id, key, bytes }) : undefined
  try {
    send({ what: 'result', id, result: await threads.execute(runs, { ...how, keep }) })
  } catch (error) {
    const { code, message, stack } = /** @type {any} */ (error)
    const isMeant = error instanceof EnsembleError
    send({
      what: 'refused',
      id,
      code: isMeant ? code : 'THREAD_LOST',
      message: isMeant ? message : (stack ?? message),
    })
  }
}

const end = () => process.kill(process.pid, 'SIGKILL')

process.on('message', (/** @type {any} */ message) => ORDERS[message.what](message))
// The program that started it is gone, and nobody would write down what is done here.
process.on('disconnect', end)
// It may be gone since before this was loaded.
if (!process.connected) end()
// Ctrl-C reaches all processes of a terminal: what it means is decided outside.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})

setInterval(() => {
  const progress = threads?.progress ?? []
  if (progress.length > 0 || hadProgress) send({ what: 'progress', progress })
  hadProgress = progress.length > 0
}, PROGRESS_MS)
