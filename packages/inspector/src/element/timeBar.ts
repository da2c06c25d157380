// Owns pausing and going through time: the pause button, the slider over a history, and going on from there.

import { make, mark, say } from './dom'
import { grouped } from './format'
import type { Clock, Session } from './session'

/** Which bar paused a world at last: several may show it. */
const pausedBy = new WeakMap<Clock, TimeBar>()

export class TimeBar {
  readonly root: HTMLElement
  private readonly pause = make('button', { type: 'button', class: 'pause' })
  private readonly back = make('button', { type: 'button', 'aria-label': 'One frame back' }, '‹')
  private readonly forward = make('button', { type: 'button', 'aria-label': 'One frame forward' }, '›')
  private readonly range = make('input', { type: 'range', step: 1, 'aria-label': 'Moment' })
  private readonly when = make('output', { class: 'quiet' })
  private readonly goOn = make('button', { type: 'button' }, 'Go on from here')
  private readonly slider: HTMLElement
  /** Where a person wants to go. A past that takes its time is there some frames later. */
  private wanted: number | undefined

  constructor(private readonly session: Session) {
    this.slider = make('div', { class: 'slider' }, this.back, this.range, this.forward, this.when, this.goOn)
    this.root = make('section', { class: 'time', 'aria-label': 'Time' }, this.pause, this.slider)
    this.pause.addEventListener('click', () => session.channel.attempt(() => this.turn()))
    this.range.addEventListener('input', () =>
      session.channel.attempt(() => this.goTo(Number(this.range.value))),
    )
    this.back.addEventListener('click', () => session.channel.attempt(() => this.move(-1)))
    this.forward.addEventListener('click', () => session.channel.attempt(() => this.move(1)))
    this.goOn.addEventListener('click', () => session.channel.attempt(() => this.resume()))
  }

  /** Whether this bar was the last to pause the world, and it has not gone on since. */
  get hasPaused(): boolean {
    const { clock } = this.session
    return clock?.paused === true && pausedBy.get(clock) === this
  }

  refresh(): void {
    const { clock, history } = this.session
    this.root.hidden = clock === undefined && history === undefined
    this.pause.hidden = clock === undefined
    this.slider.hidden = history === undefined || history.oldest < 0
    if (clock !== undefined) {
      say(this.pause, clock.paused ? 'Play' : 'Pause')
      if (!clock.paused) this.wanted = undefined
      // The next to pause it may be the program.
      if (!clock.paused) pausedBy.delete(clock)
    }
    if (history === undefined || this.slider.hidden) return
    const { frame, oldest, newest } = history
    if (frame === this.wanted) this.wanted = undefined
    const shown = this.wanted ?? frame
    mark(this.range, 'min', String(oldest))
    mark(this.range, 'max', String(newest))
    if (Number(this.range.value) !== shown) this.range.value = String(shown)
    const text = this.describe(shown, newest)
    say(this.when, text)
    mark(this.range, 'aria-valuetext', text)
    this.back.disabled = shown <= oldest
    this.forward.disabled = shown >= newest
    this.goOn.disabled = frame >= newest
  }

  private describe(frame: number, newest: number): string {
    const { secondsPerFrame } = this.session.history ?? {}
    const back = newest - frame
    if (back === 0) return 'now'
    if (secondsPerFrame !== undefined) return `${(back * secondsPerFrame).toFixed(1)} s ago`
    return back === 1 ? '1 frame ago' : `${grouped(back)} frames ago`
  }

  private turn(): void {
    const { clock } = this.session
    if (clock === undefined) return
    clock.paused = !clock.paused
    pausedBy.set(clock, this)
    this.session.channel.tell(clock.paused ? 'Paused' : 'Playing')
    this.refresh()
  }

  private move(by: number): void {
    const { history } = this.session
    if (history !== undefined) this.goTo((this.wanted ?? history.frame) + by)
  }

  private goTo(frame: number): void {
    const { clock, history } = this.session
    if (history === undefined) return
    if (clock !== undefined && !clock.paused) {
      clock.paused = true
      pausedBy.set(clock, this)
    }
    const to = Math.min(Math.max(frame, history.oldest), history.newest)
    this.wanted = to
    history.goTo(to)
    this.refresh()
  }

  private resume(): void {
    const { clock, history, channel } = this.session
    this.wanted = undefined
    history?.cut()
    if (clock !== undefined) clock.paused = false
    channel.tell('Another future begins here.')
    this.refresh()
  }
}
