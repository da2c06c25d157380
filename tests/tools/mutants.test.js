// Shows which places and which tests a name stands for in scripts/mutants.js, and that no place is broken blindly.

import { existsSync, readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { BINDING_PLACES } from '../../mutants/bindingPlaces.js'
import { CORE_PLACES } from '../../mutants/corePlaces.js'
import { placesIn, someLines, testsOfRoom } from '../../scripts/mutants.js'
import { stemOf } from '../../scripts/test-names.js'

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

it('Each place is there, once', () => {
  expect(placesIn('assembly').length + placesIn('bindings').length).toBe(
    CORE_PLACES.length + BINDING_PLACES.length,
  )
})

it('Each place names tests that exist, beside those of its room', () => {
  const places = [...CORE_PLACES, ...BINDING_PLACES]
  const stems = readdirSync('tests', { recursive: true })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => stemOf(path.replaceAll('\\', '/')))
  expect(places.flatMap(({ tests }) => tests).filter((name) => !stems.includes(name))).toEqual([])
  expect(places.flatMap(({ file }) => testsOfRoom(file)).filter((path) => !existsSync(path))).toEqual([])
})

it('A share of lines is the same for the same seed, about as large as was asked, and has no empty lines', () => {
  const text = Array.from({ length: 4000 }, (_, i) => (i % 2 === 0 ? `line ${i}` : '')).join('\n')
  const chosen = someLines(['a.ts', 'b.ts'], 0.1, 7, () => text)
  expect(someLines(['a.ts', 'b.ts'], 0.1, 7, () => text)).toEqual(chosen)
  expect(someLines(['a.ts', 'b.ts'], 0.1, 8, () => text)).not.toEqual(chosen)
  expect(Math.abs(chosen.length - 400)).toBeLessThan(80)
  for (const range of chosen) expect(range).toMatch(/^[ab]\.ts:(\d*[13579])-\1$/)
})
