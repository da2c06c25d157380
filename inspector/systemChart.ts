// Owns the picture of the last frames: a bar for each, divided into what each system took.
// It must never read the world or the schedule: it is told what a frame took.

import { make } from './dom'
import { milliseconds } from './format'

/** Frames that are kept and drawn. */
export const FRAMES = 300
const HEIGHT = 120

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

export class SystemChart {
  readonly root: HTMLElement
  private readonly canvas = make('canvas', { role: 'img' })
  private readonly scale = make('p', { class: 'quiet' })
  /** Milliseconds of each system in each of the last frames: a ring of rows. */
  private frames: Float32Array[] = []

  constructor() {
    this.root = make('div', {}, this.canvas, this.scale)
  }

  /** Keeps what each system took in one more frame. */
  add(frame: Float32Array): void {
    this.frames.push(frame)
    if (this.frames.length > FRAMES) this.frames.shift()
  }

  clear(): void {
    this.frames = []
  }

  draw(): void {
    const { canvas, frames } = this
    const width = Math.max(FRAMES, Math.round((canvas.clientWidth || 440) * Math.min(2, devicePixelRatio)))
    if (canvas.width !== width) canvas.width = width
    if (canvas.height !== HEIGHT * 2) canvas.height = HEIGHT * 2
    canvas.style.height = `${HEIGHT}px`
    const context = canvas.getContext('2d')
    if (context === null) return
    context.clearRect(0, 0, width, canvas.height)
    const totals = frames.map((frame) => frame.reduce((sum, ms) => sum + ms, 0))
    const most = Math.max(0, ...totals)
    // One frame that took long, such as the first one, must not make all others flat.
    const sorted = [...totals].sort((a, b) => a - b)
    const top = Math.max(0.05, (sorted[Math.floor(sorted.length * 0.98)] ?? 0) * 1.15)
    const bar = width / FRAMES
    frames.forEach((frame, i) => {
      let y = canvas.height
      frame.forEach((ms, system) => {
        const height = (ms / top) * (canvas.height - 4)
        context.fillStyle = colourOf(system)
        context.fillRect((FRAMES - frames.length + i) * bar, y - height, Math.max(1, bar - 0.5), height)
        y -= height
      })
    })
    const mean = totals.length === 0 ? 0 : totals.reduce((sum, ms) => sum + ms, 0) / totals.length
    const text = `The last ${frames.length} frames: ${milliseconds(mean)} on average, ${milliseconds(most)} at most; the picture reaches to ${milliseconds(top)}`
    if (this.scale.textContent !== text) this.scale.textContent = text
    canvas.setAttribute('aria-label', `${text}. The table below has each system.`)
  }
}
