// Shows which titles of tests scripts/title-words.js refuses, and that it reads every form of them and nothing else.

import { describe, expect, it } from 'vitest'
import { refusedTitles } from '../../scripts/title-words.js'

describe('a title', () => {
  it.each([
    `it('is told', () => {})`,
    `test("is told", () => {})`,
    'describe(`is told`, () => {})',
    'it(`${name} is told`, () => {})',
    `it.each([1])('is told', () => {})`,
    `it.skipIf(windows).each([1])('is told', () => {})`,
    `describe.each([1])('a list', () => { it('is told', () => {}) })`,
  ])('is refused in each form: %s', (source) => {
    expect(refusedTitles(source)).toEqual([expect.stringMatching(/^1 {2}.*is told\n {4}told: say called/)])
  })

  it.each([
    'calls the listener again',
    'leaves nothing behind, whatever happens',
    'takes no more than two arguments',
    'is no longer called, and told apart from others',
    'stands for a resource that there is none of',
    'is refused if there is no memory, and has none of the values',
  ])('may be: %s', (title) => {
    expect(refusedTitles(`it('${title}', () => {})`)).toEqual([])
  })

  it('is named with its line', () => {
    expect(refusedTitles(`\n\nit('is no list', () => {})`)).toEqual([
      '3  is no list\n    is no: say is not a',
    ])
  })
})

it('Only titles are read: a list of cases, a body and a comment may have any words', () => {
  const source = `// Nobody is told.
it.each(['nobody'])('waits for %s', () => expect('nobody').toBe(told('anew')))`
  expect(refusedTitles(source)).toEqual([])
})
