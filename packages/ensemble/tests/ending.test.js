// Shows the code and the sentence that a call ends with.

import { CommanderError } from 'commander'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { endOf } from '../src/ending.ts'
import { EnsembleError } from '../src/errors.ts'

const said = vi.spyOn(console, 'error').mockImplementation(() => {})
afterEach(() => said.mockClear())

/** Errors of a file system, as Node throws them. */
const refusal = Object.assign(new Error(`EACCES: permission denied, open '/x'`), {
  code: 'EACCES',
  syscall: 'open',
  path: '/x',
})

describe('the end of a call', () => {
  it.each([
    [new EnsembleError('BAD_OPTION', 'Name a folder.'), 'Name a folder.'],
    [refusal, '/x cannot be read (EACCES).'],
    [new TypeError('x is not a function\n    at y'), 'not foreseen: x is not a function (NODE_DEBUG'],
    [null, 'not foreseen: null'],
    [undefined, 'not foreseen: undefined'],
    ['a text', 'not foreseen: a text'],
    [{ message: Symbol('odd') }, 'not foreseen: Symbol(odd)'],
    [Object.create(null), 'not foreseen: '],
  ])('by %s is a sentence and code 2', (error, sentence) => {
    expect(endOf(error)).toBe(2)
    expect(said).toHaveBeenCalledTimes(1)
    expect(said.mock.calls[0][0]).toContain(sentence)
    expect(said.mock.calls[0][0]).not.toMatch(/^ +at /m)
  })

  it('after a message of commander is only a code', () => {
    expect(endOf(new CommanderError(0, 'commander.helpDisplayed', ''))).toBe(0)
    expect(endOf(new CommanderError(1, 'commander.unknownOption', ''))).toBe(2)
    expect(said).not.toHaveBeenCalled()
  })
})
