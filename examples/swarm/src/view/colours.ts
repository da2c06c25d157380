// Every colour that is drawn on the canvas, for both themes.

import type { Theme } from '../../../page/page.ts'

/** Red, green and blue of linear light, each from 0 up to 1; what is brighter than paper or white may be beyond. */
export type Colour = [red: number, green: number, blue: number]

export interface Palette {
  /** Whether agents take from the ground's light, as ink does, or give light of their own. */
  readonly isInk: boolean
  readonly ground: Colour
  /** Three of the flock by heading: right, down or up, left. What is between is mixed. */
  readonly headings: number[]
  /** Three of what burns: just lit, half burnt, nearly out. */
  readonly fire: number[]
  /** What a hunter throws around itself. */
  readonly halo: Colour
  /** These are painted over all else: a hunter and its rim. */
  readonly hunter: Colour
  readonly rim: Colour
}

const PAPER = linear('#f4ecdc')

export const PALETTES: Readonly<Record<Theme, Palette>> = {
  dark: {
    isInk: false,
    ground: linear('#05070f'),
    headings: [...linear('#19d3ff'), ...linear('#3a7dff'), ...linear('#a257ff')],
    fire: [...linear('#ffc24d'), ...linear('#ff6a1a'), ...linear('#a81404')],
    halo: linear('#ff3040'),
    hunter: linear('#fff6ea'),
    rim: linear('#ff2238'),
  },
  light: {
    isInk: true,
    ground: PAPER,
    headings: [...ink('#22606b'), ...ink('#31437d'), ...ink('#6a3a67')],
    fire: [...ink('#ef4a1c'), ...ink('#d8330f'), ...ink('#8e2a14')],
    halo: ink('#b98b82'),
    hunter: linear('#240306'),
    rim: linear('#8f0b16'),
  },
}

/** The light of a colour as CSS writes it, '#rrggbb'. */
export function linear(css: string): Colour {
  const channel = (k: number) => {
    const v = parseInt(css.slice(1 + 2 * k, 3 + 2 * k), 16) / 255
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4
  }
  return [channel(0), channel(1), channel(2)]
}

/**
 * What a stroke of ink takes from the paper, so that one stroke shows as the colour in CSS: a density, of which e to the
 * minus is what is left of the light. Densities of strokes that lie on each other add up.
 */
export function ink(css: string): Colour {
  const [red, green, blue] = linear(css)
  return [Math.log(PAPER[0] / red), Math.log(PAPER[1] / green), Math.log(PAPER[2] / blue)]
}
