// The graph of frame times and its legend, on a canvas of its own: stacked areas straight from the rings of frames.times, where
// a library wants them copied and added up ten times a second, and would weigh a quarter of the page.

import type { FrameTimes } from '../frameTimes.ts'
import { element, make, say } from './element.ts'

/** Milliseconds of a frame at 60 a second, and those that means are taken over. */
const BUDGET = 1000 / 60
const RECENT = 2000
const HEIGHTS = [20, 40, 80, 160, 320, 640, 1280]

export function createGraph(times: FrameTimes) {
  const canvas = element('graph', HTMLCanvasElement)
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  const summary = element('frame-summary', HTMLParagraphElement)
  const entries = times.parts.map((name, part) => {
    const [swatch, mean] = [make('i'), make('b')]
    if (name === 'drawing' || name === 'other') swatch.className = name
    swatch.style.setProperty('--place', String(part / times.parts.length))
    swatch.classList.toggle('odd', part % 2 === 1)
    return { item: make('li', swatch, make('span', name), mean), swatch, mean, colour: '' }
  })
  element('legend', HTMLUListElement).append(...entries.map(({ item }) => item))
  /** Where the top of each frame's pile is so far, in milliseconds. */
  const pile = new Float32Array(times.capacity)
  let [ink, line] = ['', '']

  /** Takes the colours of the page as they are now. */
  function recolour() {
    for (const entry of entries) entry.colour = getComputedStyle(entry.swatch).backgroundColor
    const style = getComputedStyle(canvas)
    ;[ink, line] = [style.color, style.outlineColor]
  }

  /** Pixels of the screen, as many as the canvas covers now. */
  function fit() {
    const width = Math.round(canvas.clientWidth * devicePixelRatio)
    const height = Math.round(canvas.clientHeight * devicePixelRatio)
    if (canvas.width !== width) canvas.width = width
    if (canvas.height !== height) canvas.height = height
  }

  function drawArea(part: number, across: number, up: number) {
    const { width, height } = canvas
    const { length } = times
    context.beginPath()
    for (let back = 0; back < length; back++) context.lineTo(width - back * across, height - pile[back] * up)
    for (let back = length - 1; back >= 0; back--) {
      pile[back] += times.part(part, back)
      context.lineTo(width - back * across, height - pile[back] * up)
    }
    context.fill()
  }

  function drawBudget(up: number) {
    const { width, height } = canvas
    const density = devicePixelRatio
    const y = Math.round(height - BUDGET * up) + 0.5
    context.strokeStyle = line
    context.lineWidth = density
    context.setLineDash([4 * density, 3 * density])
    context.beginPath()
    context.moveTo(0, y)
    context.lineTo(width, y)
    context.stroke()
    context.font = `${11 * density}px system-ui, sans-serif`
    context.fillStyle = ink
    // Below its line, where there is room.
    context.fillText('16.7 ms', 6 * density, y + (height - y > 20 * density ? 14 : -5) * density)
  }

  function draw() {
    fit()
    const recent = times.within(RECENT)
    const work = times.meanWork(recent)
    const tallest = Math.max(BUDGET * 1.15, work * 1.5)
    const up = canvas.height / (HEIGHTS.find((height) => height >= tallest) ?? tallest)
    context.clearRect(0, 0, canvas.width, canvas.height)
    pile.fill(0)
    entries.forEach(({ colour, mean }, part) => {
      context.fillStyle = colour
      drawArea(part, canvas.width / (times.capacity - 1), up)
      // As many decimals as there is room for beside a name.
      const ms = times.meanOf(part, recent)
      say(mean, ms.toFixed(ms < 10 ? 2 : ms < 100 ? 1 : 0))
    })
    drawBudget(up)
    say(summary, `${work.toFixed(1)} of ${BUDGET.toFixed(1)} ms in all: means of ${RECENT / 1000} seconds.`)
  }

  return { draw, recolour }
}
