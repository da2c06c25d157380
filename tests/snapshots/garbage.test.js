// Owns the promise that saving, going back and going on leave no garbage, frame after frame. It must never judge by what a
// busy machine does: V8 compiles and collects in one thread, so the bytes are the same in each run.

import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const PROGRAM = fileURLToPath(new URL('./bytesOfFrames.js', import.meta.url))
const FLAGS = ['--predictable', '--no-flush-bytecode', '--expose-gc']

/** What V8 itself may leave of a frame, as long as it has not compiled all of it: numbers in boxes, lists of arguments. */
const MOST_BYTES = 1_200

const bytes = JSON.parse(execFileSync(process.execPath, [...FLAGS, PROGRAM], { encoding: 'utf8' }))

describe('in steady state there is no garbage of', () => {
  it.each(['saving', 'writing a snapshot again', 'restoring', 'looping after a rewind'])('%s', (name) => {
    expect(bytes[name]).toBeLessThan(MOST_BYTES)
  })

  it('finding everything anew, which this would notice', () => {
    expect(bytes['finding everything anew']).toBeGreaterThan(2 * MOST_BYTES)
  })
})
