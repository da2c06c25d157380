// Shows how any JavaScript value is written: cut to a length, and without running its getters.

import { describe, expect, it } from 'vitest'
import { floatText, nameText, numberText, shortNumber, shownName } from '../../src/element/format'
import { cut, preview } from '../../src/element/preview'

describe('a value in a line', () => {
  class Ship {
    hull = 5
    get speed(): number {
      throw new Error('must not run')
    }
  }
  const circle: unknown[] = []
  circle.push(circle, [circle])
  const cases: [unknown, string][] = [
    [undefined, 'undefined'],
    [null, 'null'],
    [true, 'true'],
    [0, '0'],
    [-0, '-0'],
    [NaN, 'NaN'],
    [-Infinity, '-Infinity'],
    [12n, '12n'],
    [10n ** 5000n, 'a bigint of more than 256 bits'],
    ['a text', 'a text'],
    [Symbol('mark'), 'Symbol(mark)'],
    [function named() {}, 'function named'],
    [() => {}, 'function'],
    [[], ''],
    [[1, 'two', [3, 4], { five: 5 }], "1, 'two', [2], object"],
    [[1, , 3], '1, nothing, 3'],
    [Float32Array.of(0.5, -0), '0.5, -0'],
    [new Uint8Array(1000), `${Array<number>(16).fill(0).join(', ')}, … (1,000)`],
    [{}, '{ }'],
    [{ difficulty: 'hard' }, "{ difficulty: 'hard' }"],
    [new Ship(), 'Ship { hull: 5 }'],
    [new Map([[1, 2]]), 'Map of 1'],
    [new Set([1, 2, 3]), 'Set of 3'],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [new Date(NaN), 'Invalid Date'],
    [Object.create(null), '{ }'],
    [{ inside: new Map([[1, 2]]) }, '{ inside: Map of 1 }'],
    [circle, '[2], [1]'],
  ]
  it.each(cases)('%# describes it', (value, text) => {
    expect(preview(value)).toBe(text)
  })

  it('names getters and setters, and runs none: its own, of its class, of a list', () => {
    let ran = 0
    const count = () => ++ran
    const hostile = {
      get mine() {
        return count()
      },
      set yours(_: unknown) {
        count()
      },
      get constructor(): never {
        count()
        throw new Error('constructor')
      },
      toString: count,
      toJSON: count,
      [Symbol.toPrimitive]: count,
    }
    const list = Object.defineProperty([1, 2], 1, { get: count })
    class Static {
      static get name(): string {
        count()
        return 'Wrong'
      }
    }
    expect(preview(hostile)).toBe(
      '{ mine: (getter), yours: (setter), constructor: (getter), toString: function count, toJSON: function count }',
    )
    expect(preview(list)).toBe('1, (getter)')
    expect(preview(new Static())).toBe('{ }')
    expect(ran).toBe(0)
  })

  it('of a proxy that throws, and of a revoked one, says that it cannot be read', () => {
    const refuse = () => {
      throw new Error('no')
    }
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    for (const hostile of [new Proxy({}, { ownKeys: refuse, getPrototypeOf: refuse }), proxy])
      expect(preview(hostile)).toBe('a value that cannot be read')
  })

  it('is short whatever the value holds, and shows how much there is', () => {
    const long = 'line of the log\n'.repeat(200_000)
    expect(preview(long)).toMatch(/^line of the log\n[^]{384}… \(3,200,000 characters\)$/)
    const large = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`key ${i}`, i]))
    expect(preview(large)).toMatch(/^\{ key 0: 0, .*, key 23: 23, … \(100,000 keys\) \}$/)
    for (const value of [{ [long]: long }, [long, long], new Error(long), { deep: { large } }, [[large]]])
      expect(preview(value).length).toBeLessThan(1000)
  })

  it('lists the keys of a large object once, and reads their values in each refresh', () => {
    const large: Record<string, number> = {}
    for (let i = 0; i < 1_000_000; i++) large[`k${i}`] = i
    preview(large)
    let listed = 0
    const { keys } = Object
    Object.keys = (object: object) => {
      listed++
      return keys(object)
    }
    try {
      large['k0'] = 77
      expect(preview(large)).toMatch(/^\{ k0: 77, .*\(1,000,000 keys when first listed\) \}$/)
      expect(listed).toBe(0)
    } finally {
      Object.keys = keys
    }
  })

  it('cuts between characters', () => {
    expect(cut('ab😀cd', 3)).toBe('ab… (6 characters)')
    expect(cut('ab😀cd', 4)).toBe('ab😀… (6 characters)')
  })
})

describe('numbers', () => {
  it.each([
    [0.1, '0.1'],
    [-0, '-0'],
    [1e-45, '1e-45'],
    [16777216, '16777216'],
    [3.4028234663852886e38, '3.4028235e+38'],
    [NaN, 'NaN'],
  ])('%d in an f32 is short and is restored from its text', (value, text) => {
    const stored = Math.fround(value)
    expect(floatText(stored)).toBe(text)
    expect(Math.fround(Number(floatText(stored)))).toBe(stored)
  })

  it('any of 20,000 f32 is restored from its text', () => {
    const bits = new Uint32Array(1)
    const float = new Float32Array(bits.buffer)
    let state = 42
    for (let i = 0; i < 20_000; i++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      bits[0] = state
      expect(Math.fround(Number(floatText(float[0]!)))).toBe(float[0])
    }
  })

  it('are short for display, and distinguish -0 and NaN', () => {
    expect([1 / 3, -0, NaN, 1e21, 123456789].map(shortNumber)).toEqual([
      '0.333333',
      '-0',
      'NaN',
      '1e+21',
      '123456789',
    ])
    expect(numberText(-0)).toBe('-0')
  })
})

describe('names', () => {
  it.each([
    ['Position', 'Position'],
    ['Größe', 'Größe'],
    ['1abc', '`1abc`'],
    ['a`b', '`a``b`'],
    ['order', '`order`'],
    ['', '``'],
  ])('%j is written in a filter as %s', (name, text) => {
    expect(nameText(name)).toBe(text)
  })

  it.each([
    ['Position', 'Position'],
    ['a\nb', "'a\\u{a}b'"],
    ['‮evil‬', "'\\u{202e}evil\\u{202c}'"],
    [' ', "' '"],
    ['👩‍👩‍👧', '👩‍👩‍👧'],
    ['\ud800', "'\\u{d800}'"],
  ])('%j is shown as %s', (name, text) => {
    expect(shownName(name)).toBe(text)
  })

  it('is cut when it is long', () => {
    expect(shownName('n'.repeat(10_000)).length).toBeLessThan(100)
  })
})
