// Shows that what a thread writes into the memory that it shares with its process is read there, progress and the end of its log
// included.

import { expect, it } from 'vitest'
import { LOADING, STOP, Slot } from '../src/slot.ts'

it('a value written by a thread is read by another over the same memory', () => {
  const thread = new Slot()
  const process = new Slot(thread.memory)
  thread.begin(3)
  thread.progress = 0.25
  thread.write('hello ✓')
  process.stop = STOP.now
  expect([process.current, process.progress, process.readLog(), thread.stop]).toEqual([
    3,
    0.25,
    'hello ✓\n',
    STOP.now,
  ])
  expect(process.elapsed).toBeGreaterThanOrEqual(0)
})

it('a run that starts has no log and no progress', () => {
  const slot = new Slot()
  slot.begin(0)
  slot.write('before')
  slot.progress = 1
  slot.begin(LOADING)
  expect([slot.current, slot.progress, slot.readLog()]).toEqual([LOADING, 0, ''])
})

it.each([
  [-1, 0],
  [2, 1],
  [NaN, 0],
  ['half', 0],
])('progress %j is read as %j', (given, taken) => {
  const slot = new Slot()
  slot.progress = given
  expect(slot.progress).toBe(taken)
})

it('of a long log the end is kept, even of a long line', () => {
  const slot = new Slot()
  slot.begin(0)
  const lines = Array.from({ length: 5000 }, (_, i) => `line ${i}`)
  for (const line of lines) slot.write(line)
  const all = `${lines.join('\n')}\n`
  expect(slot.readLog()).toBe(`…${all.slice(-32 * 1024)}`)
  slot.begin(1)
  slot.write('x'.repeat(100_000) + 'end')
  expect(slot.readLog().endsWith('xxend\n')).toBe(true)
})
