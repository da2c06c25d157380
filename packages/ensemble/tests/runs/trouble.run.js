// A run that fails in the way that its parameter names.

import { f64 } from 'strata-ecs'
import { defineRun } from '../../dist/define.js'

const TROUBLES = {
  none: () => ({ value: 1 }),
  nan: () => ({ value: NaN }),
  throw() {
    throw new RangeError('the walker left the map')
  },
  hang() {
    for (;;);
  },
  exit: () => process.exit(0),
  reallyExit: () => process.reallyExit(0),
  // As the system does when memory runs out, or native code when it crashes.
  kill: () => new Promise(() => process.kill(process.pid, 'SIGKILL')),
  slow: () => new Promise((resolve) => setTimeout(() => resolve({ value: 2 }), 300)),
  oddError() {
    throw Object.assign(new Error(), { message: Symbol('odd'), code: () => {} })
  },
  // Nobody waits for what is thrown here: it ends the thread.
  late: () =>
    new Promise(() => {
      setTimeout(() => {
        throw new Error('too late')
      })
    }),
  row: () => ({ value: 'many' }),
  column: () => ({ value: 1, other: 2 }),
  random: () => ({ value: Math.random() }),
  clock: () => ({ value: Date.now() }),
  date: () => ({ value: new Date().getTime() }),
  givenDate: () => ({ value: new Date(5).getTime() }),
}

export default defineRun({
  parameters: { trouble: 'none' },
  columns: { value: f64 },
  run({ parameters, index }) {
    console.log('about to %s, number %d', parameters.trouble, index)
    return TROUBLES[parameters.trouble]()
  },
})
