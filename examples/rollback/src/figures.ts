// What a player's session says of itself: a table of figures, and the depths of the last rollbacks as bars.

import { element, fit, hex, say } from '../../page/page.ts'
import type { Colours } from './arena.ts'
import type { Player } from './match.ts'
import { MOST_AHEAD } from './net/session.ts'

/** Frames of the clock that the bars show, and that rates are of. */
const SHOWN = 240
const SECOND = 60

export class Figures {
  /** How deep the rollback of each of the last frames was, and whether that frame waited. */
  private readonly past: { readonly depth: number; readonly waited: boolean }[] = []
  private count = 0
  private rollbacks = 0
  private againBefore = 0
  private againRate = 0

  constructor(private readonly section: HTMLElement) {}

  /** Notes what a frame of the clock came to; once for each. */
  note({ session, last }: Player): void {
    const { rollbacks, lastDepth, resimulated } = session.stats
    this.past.unshift({ depth: rollbacks === this.rollbacks ? 0 : lastDepth, waited: last !== 'played' })
    this.past.length = Math.min(this.past.length, SHOWN)
    this.rollbacks = rollbacks
    if (++this.count % SECOND !== 0) return
    this.againRate = resimulated - this.againBefore
    this.againBefore = resimulated
  }

  show({ session, link }: Player): void {
    const { lastDepth, deepest, rollbacks, totalMs, stalled, yielded } = session.stats
    const rows = {
      'Last rollback': lastDepth === 1 ? '1 frame' : `${lastDepth} frames`,
      Deepest: `${deepest} of ${MOST_AHEAD}`,
      'Frames played again a second': this.againRate,
      'A rollback takes, on average': rollbacks === 0 ? '–' : `${(totalMs / rollbacks).toFixed(2)} ms`,
      'Frames guessed now': session.guessed,
      'Frames waited': stalled + yielded,
      'Packets sent, lost': `${link.sent}, ${link.lost}`,
      'Digest of the last confirmed state': `${hex(session.verifiedDigest)} (${session.verified})`,
    }
    const list = element('.figures', HTMLDListElement, this.section)
    Object.entries(rows).forEach(([name, figure], row) => {
      if (list.children.length <= 2 * row)
        list.append(document.createElement('dt'), document.createElement('dd'))
      say(list.children[2 * row], name)
      say(list.children[2 * row + 1], String(figure))
    })
  }

  /** A bar for each frame of the clock: up for a rollback, a mark at the top for a wait. */
  draw(colours: Colours, player: number): void {
    const canvas = element('.depths', HTMLCanvasElement, this.section)
    const density = fit(canvas)
    const context = canvas.getContext('2d') as CanvasRenderingContext2D
    const { width, height } = canvas
    const step = width / SHOWN
    context.clearRect(0, 0, width, height)
    this.past.forEach(({ depth, waited }, back) => {
      const x = width - (back + 1) * step
      const tall = (depth / MOST_AHEAD) * (height - 4 * density)
      context.fillStyle = colours.players[player]
      context.fillRect(x, height - tall, Math.max(1, step - 0.5), tall)
      context.fillStyle = colours.ink
      if (waited) context.fillRect(x, 0, Math.max(1, step - 0.5), 3 * density)
    })
  }
}
