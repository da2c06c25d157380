// Owns the program of the process in which runs are done: it hands tasks from outside to threads, and their results back.
// It must never run anything of a module in its main thread, nor outlive the program that started it.

import { EnsembleError } from './errors.js'
import type { Order, Report } from './host.js'
import { Threads } from './threads.js'

const PROGRESS_MS = 250

let threads: Threads | undefined
let hadProgress = false

// Whoever is told may be gone, which 'disconnect' says.
const send = (report: Report) => process.connected && process.send?.(report, () => {})

/** What is done for each order. */
type Orders = { [What in Order['what']]: (order: Extract<Order, { what: What }>) => void }

const ORDERS: Orders = {
  open({ options }) {
    threads = new Threads(options)
  },
  execute: (order) => void execute(order),
  stopAtCheckpoints: () => threads!.stopAtCheckpoints(),
}

async function execute({
  id,
  runs,
  how: { keeps, ...how },
}: Extract<Order, { what: 'execute' }>): Promise<void> {
  const keep = keeps ? (key: string, bytes: Uint8Array) => send({ what: 'keep', id, key, bytes }) : undefined
  try {
    send({ what: 'result', id, result: await threads!.execute(runs, { ...how, keep }) })
  } catch (error) {
    const { message, stack } = error as Error
    if (error instanceof EnsembleError) send({ what: 'refused', id, code: error.code, message })
    else send({ what: 'refused', id, code: 'THREAD_LOST', message: stack ?? message })
  }
}

const end = () => process.kill(process.pid, 'SIGKILL')

process.on('message', (order: Order) => (ORDERS[order.what] as (order: Order) => void)(order))
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
