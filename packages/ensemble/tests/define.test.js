// Shows which definitions of a run are accepted, and how the others are refused.

import { f32, f64, text, vec } from 'strata-ecs'
import { describe, expect, it } from 'vitest'
import { KINDS, checkDefinition, defineRun } from '../src/define.ts'

const run = () => ({ a: 1 })
const good = { parameters: { r0: 2.5 }, columns: { a: f64 }, run }

describe('a definition', () => {
  it('is returned as it was given', () => {
    expect(defineRun(good)).toBe(good)
  })

  it('has its columns as names of kinds, and defaults for omitted options', () => {
    expect(checkDefinition({ columns: { a: f64, b: text, c: 'u8' }, run }, 'here')).toEqual({
      parameters: {},
      columns: { a: 'f64', b: 'text', c: 'u8' },
      axis: undefined,
      version: '',
      checkpointSeconds: 10,
      run,
    })
  })

  it.each(KINDS)('can have columns of the kind %s', (kind) => {
    expect(checkDefinition({ columns: { a: kind }, run }, 'here').columns).toEqual({ a: kind })
  })

  it.each([
    ['nothing', undefined, 'no run function'],
    ['no run', { columns: { a: f64 } }, 'no run function'],
    ['no columns', { run }, 'no columns'],
    ['a column of several values', { columns: { a: vec(f32, 2) }, run }, `column 'a'`],
    ['a column of an unknown kind', { columns: { a: 'u64' }, run }, `column 'a'`],
    ['a column that every row has', { columns: { seed: f64 }, run }, `'seed' is a column that every row has`],
    ['a column that is also a parameter', { parameters: { a: 1 }, columns: { a: f64 }, run }, 'both'],
    ['a parameter without a value', { ...good, parameters: { a: null } }, `parameter 'a'`],
    ['a parameter that is not a number', { ...good, parameters: { a: NaN } }, `parameter 'a'`],
    ['a name with an equals sign', { ...good, parameters: { 'a=b': 1 } }, 'is no name'],
    ['a parameter that is infinite', { ...good, parameters: { a: -Infinity } }, 'not -Infinity'],
    ['a parameter that UTF-8 cannot hold', { ...good, parameters: { a: '\ud800' } }, `parameter 'a'`],
    ['a name that is a prototype', { ...good, parameters: { ['__proto__']: 1 } }, `'__proto__' is no name`],
    ['a name that ends in a space', { ...good, parameters: { 'b ': 1 } }, `'b ' is no name`],
    ['an axis that all objects know', { ...good, axis: 'constructor' }, `axis is 'constructor'`],
    ['an axis that is a symbol', { ...good, axis: Symbol('a') }, 'axis is Symbol(a)'],
    ['a version that is always the same text', { ...good, version: { data: 1 } }, 'version is { data: 1 }'],
    ['an axis that is not a column', { ...good, axis: 'day' }, `axis is 'day'`],
    ['an axis of texts', { columns: { a: text }, axis: 'a', run }, 'no column of numbers'],
    ['checkpoints that go back in time', { ...good, checkpointSeconds: -1 }, 'checkpointSeconds'],
  ])('with %s is refused by a sentence that names the module', (_, given, sentence) => {
    const refused = expect.objectContaining({
      code: 'BAD_DEFINITION',
      message: expect.stringContaining(sentence),
    })
    expect(() => checkDefinition(given, 'here.run.js')).toThrow(refused)
    expect(() => checkDefinition(given, 'here.run.js')).toThrow(/^here\.run\.js: /)
  })
})
