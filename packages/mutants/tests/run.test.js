// Shows which tests and which lines run.js gives to StrykerJS.

import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { someLines, testsOfRoom } from '../run.js'

it('A room and a file in it have the tests of the room, and the proof that runs with every room', () => {
  const tests = ['tests/relations/**/*.test.ts', 'tests/whole/owed.*test.ts', 'tests/whole/calls.*test.ts']
  expect(testsOfRoom('bindings/relations')).toEqual(tests)
  expect(testsOfRoom('bindings/relations/cascadeLevels.ts')).toEqual(tests)
})

it('A room of packages/compile has the tests of the same name there', () => {
  expect(testsOfRoom('packages/compile/src/loopCompiler')).toEqual([
    'packages/compile/tests/loopCompiler/**/*.test.ts',
  ])
})

it('Every room of bindings/ has tests', () => {
  const rooms = readdirSync('bindings', { withFileTypes: true }).filter((entry) => entry.isDirectory())
  for (const { name } of rooms) {
    expect(testsOfRoom(`bindings/${name}`)[0]).toBe(`tests/${name}/**/*.test.ts`)
    expect(readdirSync(`tests/${name}`).some((file) => file.endsWith('.test.ts'))).toBe(true)
  }
})

it.each([
  '',
  'bindings',
  'bindings/index.ts',
  'bindings/nowhere',
  'bindings/values/nowhere.ts',
  'assembly/rows',
  'packages/arrow/src',
])(
  "'%s' is refused, because it is not a room of bindings/ or packages/compile, nor a file in one",
  (target) => {
    expect(() => testsOfRoom(target)).toThrow(
      'Name a room of bindings/ or packages/compile, or a file in one',
    )
  },
)

it('A share of lines is the same for the same seed, about as large as was asked, and has no empty lines', () => {
  const text = Array.from({ length: 4000 }, (_, i) => (i % 2 === 0 ? `line ${i}` : '')).join('\n')
  const chosen = someLines(['a.ts', 'b.ts'], 0.1, 7, () => text)
  expect(someLines(['a.ts', 'b.ts'], 0.1, 7, () => text)).toEqual(chosen)
  expect(someLines(['a.ts', 'b.ts'], 0.1, 8, () => text)).not.toEqual(chosen)
  expect(Math.abs(chosen.length - 400)).toBeLessThan(80)
  for (const range of chosen) expect(range).toMatch(/^[ab]\.ts:(\d*[13579])-\1$/)
})
