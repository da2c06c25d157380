// Owns the promises of scripts/mutants.js: which places and which tests a name stands for, and that no place is broken blindly.

import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { BINDING_PLACES } from '../../mutants/bindingPlaces.js'
import { CORE_PLACES } from '../../mutants/corePlaces.js'
import { placesIn, testsOfRoom } from '../../scripts/mutants.js'

const place = (file, find) => ({ file, find, replace: '', breaks: 'It breaks.', tests: [] })
const places = [place('assembly/rows/moves.ts', 'mark()'), place('assembly/rowsOfOthers/moves.ts', 'mark()')]

it('A house, a room and a file stand for the places in them, and for no others', () => {
  const countIn = (target) => placesIn(target, places, () => 'a; mark(); b').length
  expect(['assembly', 'assembly/rows', 'assembly/rows/moves.ts', 'bindings'].map(countIn)).toEqual([
    2, 1, 1, 0,
  ])
})

it('A place whose text is no longer there, or more than once, is refused with its file and what it breaks', () => {
  expect(() => placesIn('assembly/rows', places, () => 'a; b')).toThrow(
    "This text is no longer in assembly/rows/moves.ts, where it must be once for 'It breaks.': mark()",
  )
  expect(() => placesIn('assembly/rows', places, () => 'mark(); mark()')).toThrow(
    'This text is 2 times in assembly/rows/moves.ts',
  )
})

it('Each place names tests that exist, beside those of its room', () => {
  const missing = [...CORE_PLACES, ...BINDING_PLACES]
    .flatMap(({ file, tests }) => [...tests.map((name) => `tests/${name}.test.ts`), ...testsOfRoom(file)])
    .filter((path) => !existsSync(path))
  expect(missing).toEqual([])
})
