// Shows when the progress line is written, to a terminal and elsewhere.

import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createProgressLine, describeProgress } from '../src/progressLine.ts'

describe('the progress line', () => {
  const progress = { total: 100, done: 10, failed: 0, running: 2, underWay: 0, began: 0 }

  it.each([
    [progress, 1000, '10 of 100 done, 2 running, 9 s left'],
    [{ ...progress, failed: 10 }, 20_000, '10 of 100 done, 10 failed, 2 running, 1 min 20 s left'],
    [{ ...progress, done: 50, began: 40 }, 3600_000, '50 of 100 done, 2 running, 5 h 0 min left'],
    [{ ...progress, done: 0, underWay: 0.5 }, 100, '0 of 100 done, 2 running, 20 s left'],
    [{ ...progress, done: 0 }, 100, '0 of 100 done, 2 running, unknown left'],
    [{ ...progress, done: 100, running: 0 }, 100, '100 of 100 done, 0 running, ready'],
  ])('of %j after %i ms is "%s"', (given, ms, line) => {
    expect(describeProgress(given, ms)).toBe(line)
  })

  it('is written at its beginning and its end without a terminal, however often it changes', () => {
    const stream = new PassThrough()
    const line = createProgressLine(stream, () => 0)
    for (let done = 0; done <= 100; done++) line.update({ ...progress, done })
    line.stop()
    const written = stream.read().toString()
    expect(written.match(/of 100 done/g).length).toBeLessThanOrEqual(2)
    expect(written).toContain('100 of 100 done')
  })

  it('continues when its reader has gone', () => {
    const stream = new PassThrough()
    const line = createProgressLine(stream, () => 0)
    line.update(progress)
    expect(stream.emit('error', new Error('EPIPE'))).toBe(true)
    stream.destroy()
    line.update({ ...progress, done: 11 })
    line.stop()
  })

  it('that was never started is not ended', () => {
    const stream = new PassThrough()
    createProgressLine(stream).stop()
    expect(stream.read()).toBeNull()
  })
})
