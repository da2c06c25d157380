// Shows the code and the sentence of the errors that users see.

import { expect, it } from 'vitest'
import { EnsembleError, writing } from '../src/errors.ts'

const failing = (code) => () => {
  throw Object.assign(new Error('no'), { code })
}

it('an error has a code, a sentence and a cause', () => {
  const cause = new Error('why')
  expect(new EnsembleError('A_CODE', 'A sentence.', { cause })).toMatchObject({
    name: 'EnsembleError',
    code: 'A_CODE',
    message: 'A sentence.',
    cause,
  })
})

it('written values are returned', () => {
  expect(writing('a', () => 5)).toBe(5)
})

it.each(['ENOSPC', 'EDQUOT', 'EFBIG'])('a full disk (%s) says how to continue', (code) => {
  expect(() => writing('/a/b', failing(code))).toThrow(
    expect.objectContaining({
      code: 'DISK_FULL',
      message: expect.stringMatching(/\/a\/b.*same command again/),
    }),
  )
})

it('another refusal of the file system names the file', () => {
  expect(() => writing('/a/b', failing('EACCES'))).toThrow(
    expect.objectContaining({ code: 'CANNOT_WRITE', message: '/a/b cannot be written (EACCES).' }),
  )
})

it('mistakes of programs and errors with a sentence are passed on unchanged', () => {
  expect(() => writing('a', failing(undefined))).toThrow(/^no$/)
  expect(() =>
    writing('a', () => {
      throw new EnsembleError('A_CODE', 'A sentence.')
    }),
  ).toThrow(expect.objectContaining({ code: 'A_CODE' }))
})
