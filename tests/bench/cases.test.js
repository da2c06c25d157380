// Shows that every way of every case comes to the result that its reference asks for, and that an idle one would not.

import { expect, it } from 'vitest'
import { universe } from 'koota'
import { cases } from '../../bench/cases/index.js'
import { measureRow } from '../../bench/measurement.js'
import { buildNative } from '../../bench/native/build.js'

const SIZE = 200
const native = buildNative()
const ways = cases.flatMap((work) =>
  Object.entries(work.ways)
    .filter(([library]) => library !== 'c' || native.path)
    .flatMap(([library, own]) => Object.entries(own).map(([way, make]) => [work, library, way, make])),
)

it.each(ways.map(([work, library, way, make]) => [`${work.name}: ${library}, ${way}`, work, make]))(
  '%s',
  async (_, work, make) => {
    // Refuses what is not equal to the reference.
    const { runs } = await measureRow({ work, make, size: SIZE, milliseconds: 0 })
    expect(runs).toBe(work.once ? 1 : 2)
    // koota has room for 16 worlds in a process.
    universe.reset()
  },
)

it.each(['loop', 'set', 'garbage'])('%s changes from run to run', (name) => {
  const { reference } = cases.find((work) => work.name === name)
  expect(reference(100, 1)).not.toEqual(reference(100, 0))
  expect(reference(100, 2)).not.toEqual(reference(100, 1))
})

it('refuse more runs than f32 can count', () => {
  const [loop, set] = ['loop', 'set'].map((name) => cases.find((work) => work.name === name))
  const most = loop.mostRuns()
  expect(loop.reference(1_000, most).every((value) => Object.is(Math.fround(value), value))).toBe(true)
  expect(() => loop.reference(1_000, most + 1)).toThrow(RangeError)
  expect(() => set.reference(1_000, 2 ** 24)).toThrow(RangeError)
})
