// Owns the proof of where the graph of systems puts things: what runs later stands lower, nothing overlaps, and what follows from
// other constraints is not drawn. It must never need a page.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  BOX_HEIGHT,
  MOST_DASHES,
  type GraphLayout,
  type Pair,
  layOut,
  reduced,
} from '../../inspector/systemLayout'
import { proofLength } from '../support/proofs'

const WIDTH = 80
const systemsOf = (...phases: string[]) => phases.map((phase) => ({ phase, width: WIDTH }))
const lay = (count: number, constraints: Pair[], undecided: Pair[] = [], width = 600) =>
  layOut({ systems: systemsOf(...Array<string>(count).fill('update')), constraints, undecided, width })
const yOf = (layout: GraphLayout, i: number) => layout.boxes[i]?.y as number
const xOf = (layout: GraphLayout, i: number) => layout.boxes[i]?.x as number
const pairsOf = (lines: GraphLayout['arrows']) => lines.map(({ pair }) => pair)
/** Where a path ends. */
const endOf = (path: string) =>
  path
    .match(/[\d.-]+/g)
    ?.slice(-2)
    .map(Number)

describe('constraints that follow from others', () => {
  it('are left out, over any number of systems', () => {
    const all: Pair[] = [
      [0, 1],
      [0, 2],
      [0, 3],
      [1, 2],
      [2, 3],
    ]
    expect(reduced(all, 4)).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
    ])
    expect(pairsOf(lay(4, all).arrows)).toEqual(reduced(all, 4))
  })

  it('are the only ones left out', () => {
    const diamond: Pair[] = [
      [0, 1],
      [0, 2],
      [1, 3],
      [2, 3],
    ]
    expect(reduced([...diamond, [0, 3]], 4)).toEqual(diamond)
    expect(reduced([], 3)).toEqual([])
  })
})

describe('the layout', () => {
  it('is empty without systems, and one band with one box for one', () => {
    expect(lay(0, [])).toMatchObject({ height: 0, bands: [], boxes: [], arrows: [], dashes: [] })
    const one = lay(1, [])
    expect(one.bands).toMatchObject([{ phase: 'update', y: 0, height: one.height }])
    expect(yOf(one, 0) + BOX_HEIGHT).toBeLessThan(one.height)
  })

  it('has a band for each phase from top to bottom, each with its own systems', () => {
    const { bands, boxes } = layOut({
      systems: systemsOf('first', 'update', 'update', 'last'),
      constraints: [[1, 2]],
      undecided: [],
      width: 400,
    })
    expect(bands.map(({ phase }) => phase)).toEqual(['first', 'update', 'last'])
    const bandOf = [0, 1, 1, 2]
    boxes.forEach(({ y }, i) => {
      const band = bands[bandOf[i] as number]
      expect(y).toBeGreaterThan(band?.y as number)
      expect(y + BOX_HEIGHT).toBeLessThan((band?.y as number) + (band?.height as number))
    })
    expect(bands[1]?.y).toBeGreaterThan((bands[0]?.y as number) + (bands[0]?.height as number))
  })

  it('puts a system below the last of those that must run before it', () => {
    const layout = lay(4, [
      [0, 1],
      [1, 3],
      [2, 3],
    ])
    expect(yOf(layout, 0)).toBe(yOf(layout, 2))
    expect(yOf(layout, 1)).toBeGreaterThan(yOf(layout, 0))
    expect(yOf(layout, 3)).toBeGreaterThan(yOf(layout, 1))
  })

  it('stands a chain in a straight line, whose arrows end at the middle of the next box', () => {
    const layout = lay(3, [
      [0, 1],
      [1, 2],
    ])
    expect(new Set(layout.boxes.map(({ x }) => x)).size).toBe(1)
    expect(layout.arrows.map(({ path }) => endOf(path))).toEqual(
      [1, 2].map((i) => [xOf(layout, i) + WIDTH / 2, yOf(layout, i)]),
    )
  })

  it('sorts a row so that lines do not cross where they need not', () => {
    const crossed = lay(4, [
      [0, 3],
      [1, 2],
    ])
    expect(xOf(crossed, 0) < xOf(crossed, 1)).toBe(xOf(crossed, 3) < xOf(crossed, 2))
  })

  it('stands undecided systems of a row side by side, with a straight dashed line between them', () => {
    const layout = lay(3, [], [[0, 2]])
    const [left, right] = [xOf(layout, 0), xOf(layout, 2)].sort((a, b) => a - b) as [number, number]
    expect([xOf(layout, 1)].filter((x) => x > left && x < right)).toEqual([])
    expect(layout.dashes[0]?.path).toMatch(/^M[\d.]+ [\d.]+H[\d.]+$/)
  })

  it('breaks rows that are wider than the picture, which is no narrower than a box', () => {
    const layout = lay(9, [], [], 360)
    expect(new Set(layout.boxes.map(({ y }) => y)).size).toBe(3)
    expect(layout.width).toBe(360)
    const narrow = lay(3, [], [], 50)
    expect(new Set(narrow.boxes.map(({ y }) => y)).size).toBe(3)
    expect(narrow.width).toBeGreaterThan(WIDTH)
  })

  it('leads a long line past the boxes of the rows between', () => {
    const chain: Pair[] = [
      [0, 1],
      [1, 2],
    ]
    const layout = lay(4, [...chain, [2, 3]], [])
    const long = lay(5, [...chain, [2, 4], [3, 4]], [])
    expect(layout.arrows).toHaveLength(3)
    const { path } = long.arrows.find(({ pair }) => pair[0] === 3) as { path: string }
    // It goes straight down beside each of the two rows that it passes.
    const lanes = [...path.matchAll(/([\d.]+) [\d.]+V/g)].map(([, x]) => Number(x))
    expect(lanes).toHaveLength(2)
    for (const [k, x] of lanes.entries()) {
      const box = xOf(long, k + 1)
      expect(x < box || x > box + WIDTH, `${x} beside ${box}`).toBe(true)
    }
  })

  it('leaves no two boxes on each other and none outside, whatever the constraints are', () => {
    const pair = fc.tuple(fc.nat(29), fc.nat(29)).filter(([a, b]) => a !== b)
    const sorted = pair.map(([a, b]): Pair => [Math.min(a, b), Math.max(a, b)])
    const pairs = fc.uniqueArray(sorted, { selector: String, maxLength: 50 })
    fc.assert(
      fc.property(pairs, pairs, fc.integer({ min: 60, max: 1200 }), (constraints, undecided, width) => {
        const layout = lay(30, constraints, undecided, width)
        layout.boxes.forEach((a, i) => {
          expect(a.x).toBeGreaterThanOrEqual(0)
          expect(a.x + WIDTH).toBeLessThanOrEqual(layout.width)
          for (const b of layout.boxes.slice(i + 1))
            expect(a.y !== b.y || Math.abs(a.x - b.x) >= WIDTH).toBe(true)
        })
        for (const [first, second] of constraints)
          expect(yOf(layout, second)).toBeGreaterThan(yOf(layout, first))
        expect(layout.dashes).toHaveLength(undecided.length)
        expect(layout.arrows.map(({ path }) => path).join()).not.toContain('NaN')
      }),
      { numRuns: proofLength(100), seed: 11 },
    )
  })

  it('is not moved by undecided pairs that are too many to follow', () => {
    const all = Array.from({ length: 16 }, (_, i) => i)
    const undecided = all.flatMap((i) => all.slice(i + 1).map((k): Pair => [i, k]))
    expect(undecided.length).toBeGreaterThan(MOST_DASHES)
    expect(lay(16, [], undecided).boxes.map(({ x }) => x)).toEqual(lay(16, []).boxes.map(({ x }) => x))
  })
})
