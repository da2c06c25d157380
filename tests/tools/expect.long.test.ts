// Shows that the expect of these tests lets nothing pass that vitest's would not, and nothing fail. Each test gets vitest's own
// by its context.

import { expect as quick, describe, it } from 'vitest'

const circle: Record<string, unknown> = {}
circle['self'] = circle
const named = Object.assign([1, 2], { name: 'list' })
const marked = { [Symbol('mark')]: 1 }

/** Values that are alike in one way or another; each is compared with each. */
const VALUES: readonly unknown[] = [
  ...[0, -0, 1, 2, NaN, Infinity, 1n, '', '1', true, false, null, undefined, Symbol.iterator],
  ...[[], [1, 2], [1, 2, 3], [1, , 3], [1, undefined, 3], [[1], [2]], named, [0], [-0], [NaN]],
  ...[{}, { a: 1 }, { a: 1, b: undefined }, { b: undefined }, { a: { b: [1, { c: 2 }] } }, marked, circle],
  ...[
    Object.create(null),
    Object.create({ a: 1 }),
    new (class Point {
      a = 1
    })(),
  ],
  ...[
    Uint8Array.of(1, 2),
    Uint8Array.of(1, 2, 3),
    Float32Array.of(1, 2),
    Float32Array.of(0),
    Float32Array.of(-0),
  ],
  ...[
    new Uint8Array(200),
    Object.assign(new Uint8Array(200), { name: 'bytes' }),
    new Uint8Array(200).fill(1),
  ],
  ...[new DataView(new ArrayBuffer(2)), new ArrayBuffer(2), Buffer.of(1, 2), Float32Array.of(NaN)],
  ...[new Map([[1, 2]]), new Map([[1, 3]]), new Set([1]), new Set([2]), new Date(0), new Date(1), /a/, /b/],
  ...[new Error('a'), new Error('b'), new TypeError('a'), () => 1, Object(1), Object('1')],
  ...[quick.any(Number), quick.objectContaining({ a: 1 }), quick.arrayContaining([1]), quick.anything()],
]

type Assertions = Record<string, (...given: unknown[]) => void>

/** What an assertion says where it fails. */
function complaintOf(assertion: Assertions, name: string, ...given: unknown[]): string | undefined {
  try {
    assertion[name]!(...given)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

describe.each(['toBe', 'toEqual', 'toContain'])('%s', (name) => {
  it('passes and complains as that of vitest does, whatever is compared', ({ expect }) => {
    const different: string[] = []
    VALUES.forEach((value, i) =>
      VALUES.forEach((expected, k) => {
        const ours = complaintOf(quick(value) as unknown as Assertions, name, expected)
        const theirs = complaintOf(expect(value) as unknown as Assertions, name, expected)
        if (ours !== theirs)
          different.push(`value ${i} and ${k}: ${ours ?? 'passed'}, not ${theirs ?? 'passed'}`)
      }),
    )
    expect(different).toEqual([])
  })
})

describe.each(['toBeGreaterThan', 'toBeGreaterThanOrEqual', 'toBeLessThan', 'toBeLessThanOrEqual'])(
  '%s',
  (name) => {
    it('passes and complains as that of vitest does, whatever is compared', ({ expect }) => {
      const values = [-1, 0, -0, 1, 2, NaN, Infinity, 1n, 2n, '1', null, undefined, {}]
      for (const value of values)
        for (const bound of values)
          expect(complaintOf(quick(value) as unknown as Assertions, name, bound)).toBe(
            complaintOf(expect(value) as unknown as Assertions, name, bound),
          )
    })
  },
)

describe('not', () => {
  it('passes and complains as that of vitest does, whatever is compared', ({ expect }) => {
    for (const value of VALUES)
      for (const expected of VALUES)
        expect(complaintOf(quick(value).not as unknown as Assertions, 'toBe', expected)).toBe(
          complaintOf(expect(value).not as unknown as Assertions, 'toBe', expected),
        )
  })
})

describe('the expect of these tests', () => {
  it('has every assertion that vitest has, with the message it was given', async ({ expect }) => {
    for (const ask of [quick, expect]) {
      expect(complaintOf(ask(1, 'one and two') as unknown as Assertions, 'toBe', 2)).toMatch(/one and two.*2/)
      ask(undefined).toBeUndefined()
      expect(() => ask(null).toBeUndefined()).toThrow(/undefined/)
      ask(1).not.toBe(2)
      expect(() => ask(1).not.toEqual(1)).toThrow(/not/)
      ask(() => {
        throw new RangeError('far')
      }).toThrow(RangeError)
      await ask(Promise.resolve(3)).resolves.toBe(3)
      await expect(ask(Promise.resolve(3)).rejects.toBe(3)).rejects.toThrow(/resolved/)
    }
  })

  it('complains about an unknown assertion', ({ expect }) => {
    for (const ask of [quick, expect])
      expect(() => (ask(1) as unknown as Assertions)['toBeee']!(1)).toThrow(/toBeee/)
  })

  it('compares long lists to the last item', ({ expect }) => {
    const [a, b] = [new Uint32Array(5000), new Uint32Array(5000)]
    b[4999] = 7
    expect(() => quick(a).toEqual(b)).toThrow()
    b[4999] = 0
    quick(a).toEqual(b)
  })
})
