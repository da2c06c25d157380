// Shows that saving, going back and going on leave no garbage, frame after frame. V8 compiles and collects in one thread, so the
// bytes are the same in each run.

import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const PROGRAM = fileURLToPath(new URL('./bytesOfFrames.js', import.meta.url))
const FLAGS = ['--predictable', '--no-flush-bytecode', '--expose-gc']

/**
 * Bytes that V8 itself may leave of a frame. Of a loop that it does not put into its function, up to 64; writing a snapshot again
 * is not compiled whole in one thread, and leaves some 800 in lists of names and boxes of numbers.
 */
const MOST_BYTES = {
  saving: 128,
  restoring: 128,
  'looping after a rewind': 3 * 64 + 128,
  'writing a snapshot again': 1_200,
}

const bytes = JSON.parse(execFileSync(process.execPath, [...FLAGS, PROGRAM], { encoding: 'utf8' }))

describe('in steady state there is no garbage of', () => {
  it.each(Object.entries(MOST_BYTES))('%s', (name, most) => {
    expect(bytes[name]).toBeLessThan(most)
  })

  it('finding everything again, which this would notice', () => {
    expect(bytes['finding everything anew']).toBeGreaterThan(2 * Math.max(...Object.values(MOST_BYTES)))
  })
})
