// Checks what a simulation inside wasm keeps between two calls: loops to use again, and the queue of changes.

import { LAYOUT } from '../layout'
import { fail } from './failure'
import type { Memory } from './memory'

const L = LAYOUT

/** Loops and waiting changes of a simulation inside wasm: between two calls nothing is open and nothing waits. */
export function checkSimulation(memory: Memory): void {
  if (memory.word(L.SIMULATION_LOCKS) !== 0) fail('a loop inside wasm is open between two calls')
  if (memory.word(L.SIMULATION_OPEN_LOOP) !== 0) fail('a loop inside wasm was not taken off')
  if (memory.word(L.SIMULATION_COMMAND_COUNT) !== 0) fail('changes wait inside wasm between two calls')
  let loop = memory.word(L.SIMULATION_SPARE_LOOP)
  for (; loop !== 0; loop = memory.word(loop + L.SIMULATION_LOOP_OUTER))
    memory.ledger.claim(loop, L.SIMULATION_LOOP_BYTES, 'a loop to be used again')
  const commands = memory.word(L.SIMULATION_COMMAND_CAPACITY)
  if (commands > 0)
    memory.ledger.claim(
      memory.word(L.SIMULATION_COMMANDS),
      commands * L.COMMAND_BYTES,
      'the queue of changes inside wasm',
    )
  const waiting = memory.word(L.SIMULATION_WAITING)
  const bytes = memory.word(L.SIMULATION_WAITING_BYTES)
  if (bytes > 0) memory.ledger.claim(waiting, bytes, 'the marks of entities that wait')
  for (let i = 0; i < bytes; i += 4)
    if (memory.word(waiting + i) !== 0) fail('an entity is marked as waiting between two calls')
}
