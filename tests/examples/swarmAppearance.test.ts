// Owns the proof that agents stay readable from a thousand to a million of them, on a phone as on a desk.

import { describe, expect, test } from 'vitest'
import { SIZE } from '../../examples/swarm/src/simulation/settings'
import { dartLength, exposureOf } from '../../examples/swarm/src/view/appearance'
import { PALETTES, ink, linear } from '../../examples/swarm/src/view/colours'

describe('dartLength', () => {
  const sides = [844, 1920, 3840]
  test.each(sides)('is a few pixels on a view of %d, more for fewer agents', (side) => {
    const lengths = [1e6, 2e5, 5e4, 1000, 1].map((agents) => dartLength(agents, side / SIZE, 1))
    expect(lengths).toEqual([...lengths].sort((a, b) => a - b))
    expect(lengths[0]).toBeGreaterThan(3)
    expect(lengths[1]).toBeLessThan(8)
    expect(lengths[4]).toBeLessThanOrEqual(72)
  })

  test('grows when one comes near, more slowly than the square does', () => {
    const far = dartLength(2e5, 1.875, 1)
    const near = dartLength(2e5, 1.875, 10)
    expect(near).toBeGreaterThan(far * 3)
    expect(near).toBeLessThan(far * 10)
  })
})

test('the more of the view is covered, the less light is let through; never none', () => {
  const exposures = [0, 1000, 2e5, 1e6].map((agents) => exposureOf(agents, 5, 1.875))
  expect(exposures).toEqual([...exposures].sort((a, b) => b - a))
  expect(exposures[3]).toBeGreaterThan(0.05)
})

describe('colours', () => {
  test('linear light of CSS colours', () => {
    expect(linear('#000000')).toEqual([0, 0, 0])
    expect(linear('#ffffff')).toEqual([1, 1, 1])
    const [red, green, blue] = linear('#ff8000')
    expect(red).toBe(1)
    expect(green).toBeCloseTo(0.2159, 4)
    expect(blue).toBe(0)
  })

  test('one stroke of ink on paper shows as its colour', () => {
    const paper = PALETTES.light.ground
    const density = ink('#22606b')
    const shown = density.map((d, k) => paper[k]! * Math.exp(-d))
    linear('#22606b').forEach((channel, k) => expect(shown[k]).toBeCloseTo(channel))
  })

  test.each(['light', 'dark'] as const)('no ink of the %s theme gives light back', (theme) => {
    for (const channel of [...PALETTES[theme].headings, ...PALETTES[theme].fire])
      expect(channel).toBeGreaterThanOrEqual(0)
  })
})
