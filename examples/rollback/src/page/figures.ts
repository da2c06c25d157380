// What a player's session says of itself: a table of figures, and the depths of the last rollbacks as bars.

import type { Player } from '../match.ts'
import { MOST_AHEAD, type RollbackStats } from '../net/session.ts'
import { fit, type Colours } from './arena.ts'
import { element, say } from './element.ts'

/** Frames of the clock that the bars show. */
const SHOWN = 240
/** Frames of the clock that rates are of. */
const SECOND = 60

const ROWS = {
  depth: 'Last rollback',
  deepest: 'Deepest',
  again: 'Frames played again a second',
  time: 'A rollback takes, on average',
  guessed: 'Frames guessed now',
  waits: 'Frames waited',
  packets: 'Packets sent, lost',
  digest: 'Digest of the last confirmed state',
} as const

export class Figures {
  private readonly cells: Readonly<Record<keyof typeof ROWS, Element>>
  private readonly canvas: HTMLCanvasElement
  /** How deep the rollback of each of the last frames was, and whether that frame waited. */
  private readonly depths = new Uint8Array(SHOWN)
  private readonly waits = new Uint8Array(SHOWN)
  private count = 0
  private rollbacks = 0
  private againBefore = 0
  private againRate = 0

  constructor(section: HTMLElement) {
    const list = element('.figures', HTMLDListElement, section)
    const cells = Object.entries(ROWS).map(([key, name]) => {
      const [term, figure] = [document.createElement('dt'), document.createElement('dd')]
      term.textContent = name
      list.append(term, figure)
      return [key, figure]
    })
    this.cells = Object.fromEntries(cells) as Record<keyof typeof ROWS, Element>
    this.canvas = element('.depths', HTMLCanvasElement, section)
  }

  /** Notes what a frame of the clock came to; once for each. */
  note({ session, last }: Player): void {
    const { stats } = session
    const at = this.count++ % SHOWN
    this.depths[at] = stats.rollbacks === this.rollbacks ? 0 : stats.lastDepth
    this.waits[at] = last === 'played' ? 0 : 1
    this.rollbacks = stats.rollbacks
    if (this.count % SECOND !== 0) return
    this.againRate = stats.resimulated - this.againBefore
    this.againBefore = stats.resimulated
  }

  show({ session, link }: Player): void {
    const { stats } = session
    const { cells } = this
    say(cells.depth, frames(stats.lastDepth))
    say(cells.deepest, `${stats.deepest} of ${MOST_AHEAD}`)
    say(cells.again, String(this.againRate))
    say(cells.time, meanTime(stats))
    say(cells.guessed, String(session.guessed))
    say(cells.waits, String(stats.stalled + stats.yielded))
    say(cells.packets, `${link.sent}, ${link.lost}`)
    say(cells.digest, `${hex(session.verifiedDigest)} (${session.verified})`)
  }

  /** A bar for each frame of the clock: up for a rollback, a dot for a wait. */
  draw(colours: Colours, player: number): void {
    const { canvas } = this
    const density = fit(canvas)
    const context = canvas.getContext('2d') as CanvasRenderingContext2D
    const { width, height } = canvas
    const step = width / SHOWN
    context.clearRect(0, 0, width, height)
    for (let back = 0; back < Math.min(SHOWN, this.count); back++) {
      const at = (this.count - 1 - back) % SHOWN
      const x = width - (back + 1) * step
      const tall = (this.depths[at] / MOST_AHEAD) * (height - 4 * density)
      context.fillStyle = colours.players[player]
      context.fillRect(x, height - tall, Math.max(1, step - 0.5), tall)
      if (this.waits[at] === 0) continue
      context.fillStyle = colours.ink
      context.fillRect(x, 0, Math.max(1, step - 0.5), 3 * density)
    }
  }
}

export const hex = (digest: number) => digest.toString(16).padStart(8, '0')

function frames(count: number): string {
  return count === 1 ? '1 frame' : `${count} frames`
}

function meanTime({ rollbacks, totalMs }: RollbackStats): string {
  return rollbacks === 0 ? '–' : `${(totalMs / rollbacks).toFixed(2)} ms`
}
