// Shows how one run gets its context, gives its rows and checkpoints, and ends.

import { describe, expect, it } from 'vitest'
import { Rows } from '../src/columns.ts'
import { checkDefinition } from '../src/define.ts'
import { runOnce } from '../src/runner.ts'
import { STOP, Slot } from '../src/slot.ts'

const RUN = { key: 'k', index: 4, seed: 99, parameters: { r0: 2 } }

/** Runs `run`; returns how it ended, what it kept, and the slot. */
async function play(run, { resumed, stop = STOP.none, columns = { a: 'f64' }, checkpointSeconds = 0 } = {}) {
  const slot = new Slot()
  slot.stop = stop
  const kept = []
  const definition = checkDefinition({ columns, run, checkpointSeconds }, 'here')
  const result = await runOnce(definition, RUN, {
    slot,
    resumed,
    keep: ({ rows, ...rest }) => kept.push({ ...rest, a: [...rows.values.a] }),
  })
  return { result, kept, slot }
}

const valuesOf = async (run) => (await play(run)).result.rows.values.a

describe('a run', () => {
  it('is given its seed, its index and a copy of its parameters', async () => {
    const seen = []
    await play(({ seed, index, parameters }) => {
      parameters.r0 += 1
      seen.push(seed, index, parameters)
      return { a: 0 }
    })
    expect(seen).toEqual([99, 4, { r0: 3 }])
    expect(RUN.parameters).toEqual({ r0: 2 })
  })

  it('may return a row, or rows, or yield them, synchronously or not', async () => {
    expect(await valuesOf(() => ({ a: 1 }))).toEqual([1])
    expect(await valuesOf(async () => ({ a: 1 }))).toEqual([1])
    expect(await valuesOf(() => [{ a: 1 }, { a: 2 }])).toEqual([1, 2])
    expect(await valuesOf(() => [])).toEqual([])
    const yielding = function* () {
      yield { a: 1 }
      yield { a: 2 }
    }
    expect(await valuesOf(yielding)).toEqual([1, 2])
    const slowly = async function* () {
      yield { a: 1 }
      await undefined
      yield { a: 2 }
    }
    expect(await valuesOf(slowly)).toEqual([1, 2])
  })

  it('fails by an error, or by a row that does not fit', async () => {
    const error = new RangeError('no')
    const throwing = () => {
      throw error
    }
    expect((await play(throwing)).result).toMatchObject({ error })
    expect((await play(() => Promise.reject('no'))).result).toMatchObject({ error: { message: 'no' } })
    expect((await play(() => undefined)).result).toMatchObject({ error: { code: 'BAD_ROW' } })
  })

  it.each([
    ['an error of a page', new globalThis.DOMException('no', 'AbortError'), undefined],
    ['an object like an error', { message: 'no', code: 'NO', stack: 'at home' }, 'NO'],
  ])('keeps the stack of %s that it throws', async (_, thrown, code) => {
    const { error } = (await play(() => Promise.reject(thrown))).result
    expect(error).toBeInstanceOf(Error)
    expect([error.message, error.stack, error.code]).toEqual(['no', thrown.stack, code])
  })

  it('reports its progress', async () => {
    const { slot } = await play(({ progress }) => {
      progress(0.5)
      return { a: 1 }
    })
    expect(slot.progress).toBe(0.5)
  })

  it('stops on request at the next row or progress report, and cleans up', async () => {
    const ended = []
    const yielding = function* ({ signal }) {
      try {
        yield { a: 1 }
        yield { a: 2 }
      } finally {
        ended.push(signal.aborted)
      }
    }
    expect((await play(yielding, { stop: STOP.now })).result).toEqual({ stopped: true })
    expect(ended).toEqual([true])
    const speaking = ({ progress }) => {
      progress(0.1)
      return { a: 1 }
    }
    expect((await play(speaking, { stop: STOP.now })).result).toEqual({ stopped: true })
    expect((await play(speaking, { stop: STOP.atCheckpoint })).result.rows.values.a).toEqual([1])
  })
})

describe('a checkpoint', () => {
  const three = function* ({ checkpoint, resumed }) {
    for (let day = resumed?.state.day ?? 0; day < 3; day++) {
      yield { a: day }
      checkpoint(() => ({ save: Uint8Array.of(day), state: { day: day + 1 } }))
    }
  }

  it('holds the rows so far, the state and the save', async () => {
    const { kept, result } = await play(three)
    expect(kept[1]).toEqual({ key: 'k', a: [0, 1], state: { day: 2 }, save: Uint8Array.of(1) })
    expect(result).toMatchObject({ keptSome: true })
  })

  it('is taken no more often than the definition allows', async () => {
    expect((await play(three, { checkpointSeconds: 1000 })).kept).toEqual([])
  })

  it('is where a run that is asked to stop does so, however long ago the last one was', async () => {
    const { kept, result } = await play(three, { checkpointSeconds: 1000, stop: STOP.atCheckpoint })
    expect(result).toEqual({ stopped: true })
    expect(kept).toMatchObject([{ a: [0], state: { day: 1 } }])
  })

  it('is where a run continues, with its rows so far', async () => {
    const rows = new Rows({ a: 'f64' })
    rows.add({ a: 0 })
    const { result } = await play(three, { resumed: { key: 'k', rows, state: { day: 1 }, save: undefined } })
    expect(result.rows.values.a).toEqual([0, 1, 2])
  })
})
