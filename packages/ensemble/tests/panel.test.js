// Shows the axes, ticks, lines and bands of a chart in the SVG that is drawn of it.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawChart } from '../src/drawing.ts'
import { drawable, panelOf } from '../src/panel.ts'

const PREFIXES = { k: 1e3, M: 1e6, G: 1e9, T: 1e12 }

/** A chart of one group with these values, each the quantiles of a place: all alike where it is a number. */
async function draw(values, places = values.map((_, i) => i), titles = { x: 'day', y: 'v' }) {
  const points = values.map((value, i) => ({
    x: places[i],
    group: 0,
    quantiles: Array.isArray(value) ? value : Array(5).fill(value),
  }))
  const panel = panelOf(points, { ...titles, hasMarks: false, groups: 1 })
  const { svg } = await drawChart({ names: ['all'], panel })
  const [x, y] = [...svg.matchAll(/role-axis-label.*?<\/g>/gs)].map(([group]) => labelsIn(group))
  return { svg, x, y, read: svg.match(/aria-label="[^"]*"/g) }
}

const labelsIn = (group) =>
  [...group.matchAll(/translate\(([^,]*),([^)]*)\)[^>]*>([^<]*)</g)].map(([, x, y, text]) => ({
    at: [Number(x), Number(y)],
    text,
    value: readNumber(text),
  }))

function readNumber(text) {
  const [, number, prefix] = /^([^kMGT]*)([kMGT]?)$/.exec(text.replaceAll(',', '').replace(/−/g, '-'))
  return Number(number) * (PREFIXES[prefix] ?? 1)
}

/** How far the labels of a linear axis are from where their numbers are, at most, in pixels. */
function farthest(labels, side) {
  const [first, last] = [labels[0], labels.at(-1)]
  const span = last.value / 2 - first.value / 2
  return Math.max(
    ...labels.map(({ at, value }) => {
      const share = (value / 2 - first.value / 2) / span
      return Math.abs(first.at[side] + share * (last.at[side] - first.at[side]) - at[side])
    }),
  )
}

/** Numbers of every size, and numbers that differ little. */
const sizes = fc.tuple(
  fc.double({ min: 1, max: 10, noNaN: true }),
  fc.integer({ min: -299, max: 299 }),
  fc.boolean(),
)
const numbers = sizes.map(
  ([digits, power, isNegative]) => (isNegative ? -1 : 1) * Number(`${digits.toFixed(12)}e${power}`),
)
const near = fc.tuple(numbers, fc.integer({ min: -11, max: 0 }), fc.double({ min: 0.1, max: 1, noNaN: true }))
const ranges = fc.oneof(
  fc.tuple(numbers, numbers),
  near.map(([value, power, part]) => [value, value + Math.abs(value) * part * 10 ** power]),
  fc.tuple(fc.integer(), fc.integer()),
)

describe('the axes of a chart', () => {
  it('have labels that are the numbers of their places, all different, whatever their size', async () => {
    const cases = { linear: 0, wide: 0 }
    for (const [one, other] of fc.sample(ranges, { seed: 43, numRuns: 250 })) {
      if (one === other) continue
      const { x, y, svg } = await draw(
        [one, other],
        [one, other].sort((a, b) => a - b),
      )
      const isWide = svg.includes('(logarithmic)')
      cases[isWide ? 'wide' : 'linear']++
      for (const [labels, side, isLinear] of [
        [x, 0, true],
        [y, 1, !isWide],
      ]) {
        // prettier-ignore
        const sentence = `${one} to ${other}: ${labels.map(({ text }) => text).join(' ')}`
        expect(new Set(labels.map(({ text }) => text)).size, sentence).toBe(labels.length)
        expect(labels.length, sentence).toBeLessThan(15)
        for (const { value } of labels) expect(value, sentence).not.toBeNaN()
        if (isLinear && labels.length > 2) expect(farthest(labels, side), sentence).toBeLessThan(0.3)
      }
      expect(svg).not.toMatch(/NaN|Infinity|undefined/)
    }
    console.log(`labels of ${cases.linear} linear axes and of ${cases.wide} wide ones`)
    expect(cases.linear).toBeGreaterThan(120)
    expect(cases.wide).toBeGreaterThan(20)
  })

  it.each([
    [[0, 1e285], '0 1 1e+36 1e+72 1e+108 1e+144 1e+180 1e+216 1e+252'],
    [[1, 4000], '1 10 100 1k'],
    [[0, 0.25], '0 0.05 0.10 0.15 0.20 0.25'],
    [[5, 5], '3 4 5 6 7'],
    [[0, 0], '−1.0 −0.5 0 0.5 1.0'],
    [[20_000, 30_000], '20k 22k 24k 26k 28k 30k'],
  ])('of %j are labelled %s', async (values, labels) => {
    const texts = (await draw(values)).y.map(({ text }) => text)
    expect(texts.join(' ')).toBe(labels)
  })

  it('are read aloud with the numbers at their ends', async () => {
    const { read } = await draw([0.0123456, 0.125], [0.012, 0.0143])
    expect(read).toEqual([
      'aria-label="day, from 0.012 to 0.0143"',
      'aria-label="v, from 0.0123456 to 0.125"',
    ])
  })

  it.each(['constructor', 'toString', 'valueOf', 'hasOwnProperty'])('can have the title %s', async (name) => {
    const { svg } = await draw([1, 2], [1, 2], { x: name, y: name })
    expect(svg.match(new RegExp(`>${name}</text>`, 'g'))).toHaveLength(2)
  })

  it('have no labels if nothing can be drawn', async () => {
    expect((await draw([null, null])).y.map(({ text }) => text)).toEqual([''])
  })
})

describe('a line', () => {
  const lineIn = (svg) => [...svg.matchAll(/<path d="([^"]*)"[^>]*stroke-width="2"/g)].map(([, d]) => d)

  it('ends before a place without a value, and starts again after it', async () => {
    const { svg } = await draw([1, 2, null, 3, 4, null, 5])
    expect(lineIn(svg)).toHaveLength(2)
    // The last place is alone.
    expect(svg).toContain('role-mark layer_5_marks')
    expect(svg.match(/mark-symbol[^]*?<\/g>/)[0].match(/<path/g)).toHaveLength(1)
  })

  it('continues where only a band has no value', async () => {
    const { svg } = await draw([[1, 2, 3, 4, 5], [1, 2, 3, 4, null], [1, 2, 3, 4, 5]]) // prettier-ignore
    expect(lineIn(svg)).toHaveLength(1)
  })

  it('of 130,000 places has few, including all that stand out', async () => {
    const values = Array.from({ length: 130_000 }, (_, i) => Math.sin(i / 5000))
    values[77_777] = 40
    values[77_778] = -40
    const { svg, x, y } = await draw(values)
    expect(svg.length).toBeLessThan(200_000)
    expect(x.at(-1).text).toBe('120k')
    expect(y.map(({ text }) => text)).toEqual(['−40', '−20', '0', '20', '40'])
    const heights = lineIn(svg)[0]
      .match(/,([\d.]+)/g)
      .map((text) => Number(text.slice(1)))
    expect(Math.min(...heights)).toBe(0)
    expect(Math.max(...heights)).toBeGreaterThan(230)
  })
})

it.each([
  [1, 1],
  [-0, 0],
  [1e300, 1e300],
  [-1.1e300, null],
  [Infinity, null],
  [NaN, null],
  [5e-324, 0],
])('the number %d is drawn as %s', (value, drawn) => {
  expect(drawable(value)).toBe(drawn)
})
