// Owns the picture of the last frames: a bar for each, divided into what each system took. It is given what each frame took, and
// paints the bar of a frame once while the scale stays.

import { make, say } from './dom'
import { milliseconds } from './format'

/** Frames that are kept and drawn. */
export const FRAMES = 300
/** Pixels of the page. */
const HEIGHT = 120
/** Pixels of the screen for one of the page, at most. */
const FINEST = 2
/** Milliseconds that the picture reaches to, at least. */
const LEAST_TOP = 0.05
/** The share of frames that fit into the picture: one that took long, such as the first one, must not make all others flat. */
const FITTING = 0.98
/** Steps of the scale, which stays while it fits: another one means to paint all bars again. */
const STEPS = [1, 1.5, 2, 3, 5, 7, 10]

/** Colours of systems, in turn: seen on light and on dark, neighbours differ in lightness. */
const COLOURS = [
  '#2f7de1',
  '#e08a1e',
  '#1fa187',
  '#d1477a',
  '#8a5cd1',
  '#b5a11c',
  '#5b9bd5',
  '#c4623a',
  '#3d8f4f',
  '#9a6d9f',
]

export const colourOf = (system: number): string => COLOURS[system % COLOURS.length] as string

/** The colours as a picture has them in memory: red in the lowest byte, then green, blue, and 255 for what is not transparent. */
const PIXELS = Uint32Array.from(COLOURS, (colour) => {
  const code = Number.parseInt(colour.slice(1), 16)
  return ((255 << 24) | ((code & 255) << 16) | (code & 0xff00) | (code >> 16)) >>> 0
})

export class SystemChart {
  readonly root: HTMLElement
  private readonly canvas = make('canvas', { role: 'img' })
  private readonly scale = make('p', { class: 'quiet' })
  /** Milliseconds of each system, by the places of frames: a ring, whose next place is `count % FRAMES`. */
  private readonly frames: Float32Array[] = []
  private readonly totals = new Float32Array(FRAMES)
  /** Frames since the beginning, and how many of these are painted. */
  private count = 0
  private painted = 0
  /** Milliseconds that the picture reaches to. */
  private top = LEAST_TOP
  /** The bars, one pixel wide, from bottom to top: by the places of frames. */
  private bars = new Uint32Array(0)
  private picture: ImageData | undefined

  constructor() {
    this.root = make('div', {}, this.canvas, this.scale)
    this.canvas.style.height = `${HEIGHT}px`
  }

  /** Keeps what each system took in one more frame. */
  add(frame: Float32Array): void {
    const place = this.count++ % FRAMES
    this.frames[place] = frame
    this.totals[place] = frame.reduce((sum, ms) => sum + ms, 0)
  }

  clear(): void {
    this.count = 0
    this.painted = -1
  }

  /** Draws the frames that came since it was drawn; without any, nothing. */
  draw(): void {
    const { canvas } = this
    const density = Math.min(FINEST, canvas.ownerDocument.defaultView?.devicePixelRatio ?? 1)
    const width = Math.max(FRAMES, Math.round((canvas.clientWidth || 440) * density))
    const height = Math.round(HEIGHT * Math.max(1, density))
    const isNew = canvas.width !== width || canvas.height !== height || this.picture === undefined
    if (!isNew && this.painted === this.count) return
    if (isNew) {
      canvas.width = width
      canvas.height = height
    }
    const shown = Math.min(this.count, FRAMES)
    const totals = this.totals.slice(0, shown).sort()
    const needed = Math.max(LEAST_TOP, (totals[Math.floor(shown * FITTING)] ?? 0) * 1.15)
    const isScaled = needed > this.top || needed < this.top / 2.5
    if (isScaled) this.top = roundedUp(needed)
    this.paint(height, isNew || isScaled || this.painted < 0)
    this.assemble(width, height, shown)
    this.describe(totals)
  }

  /** Paints the bars of new frames, or of all. */
  private paint(height: number, isAll: boolean): void {
    if (isAll && this.bars.length !== FRAMES * height) this.bars = new Uint32Array(FRAMES * height)
    const first = Math.max(isAll ? 0 : this.painted, this.count - FRAMES)
    const pixelsOfMs = (height - 2) / this.top
    for (let i = first; i < this.count; i++) {
      const place = i % FRAMES
      const bar = this.bars.subarray(place * height, (place + 1) * height).fill(0)
      let [y, sum, system] = [0, 0, 0]
      for (const ms of this.frames[place] as Float32Array) {
        sum += ms
        const end = Math.min(height, Math.round(sum * pixelsOfMs))
        if (end > y) bar.fill(PIXELS[system % PIXELS.length] as number, y, end)
        y = Math.max(y, end)
        system++
      }
    }
    this.painted = this.count
  }

  /** Puts the bars beside each other, the newest at the right edge. */
  private assemble(width: number, height: number, shown: number): void {
    const context = this.canvas.getContext('2d')
    if (context === null) return
    if (this.picture?.width !== width || this.picture.height !== height)
      this.picture = context.createImageData(width, height)
    const pixels = new Uint32Array(this.picture.data.buffer)
    const { bars, count } = this
    for (let x = 0; x < width; x++) {
      const age = FRAMES - 1 - Math.floor((x * FRAMES) / width)
      const bar = age >= shown ? -1 : ((count - 1 - age) % FRAMES) * height
      for (let y = 0, at = (height - 1) * width + x; y < height; y++, at -= width)
        pixels[at] = bar < 0 ? 0 : (bars[bar + y] as number)
    }
    context.putImageData(this.picture, 0, 0)
  }

  /** @param totals ascending */
  private describe(totals: Float32Array): void {
    const mean = totals.length === 0 ? 0 : totals.reduce((sum, ms) => sum + ms, 0) / totals.length
    const most = totals.at(-1) ?? 0
    const text = `The last ${totals.length} frames: ${milliseconds(mean)} on average, ${milliseconds(most)} at most; the picture reaches to ${milliseconds(this.top)}`
    say(this.scale, text)
    this.canvas.setAttribute('aria-label', `${text}. The list below has each system.`)
  }
}

/** The least step of the scale that is not below. */
function roundedUp(ms: number): number {
  const power = 10 ** Math.floor(Math.log10(ms))
  return power * (STEPS.find((step) => step * power >= ms) ?? 10)
}
