// Owns the list of all that people did to a swarm, in order, and how far it has been done. With the seed it is all that
// one needs to come to the same world again.

import type { Entry, Input } from './inputs.ts'

/** Who does more than this loses the beginning, and with it the link to now. */
export const MOST_ENTRIES = 1000

export class Journal {
  /** By tick, each not before the one in front of it. */
  entries: Entry[] = []
  /** The first one that is not done yet: in the past, the later ones wait for their ticks. */
  next = 0
  /** False when the beginning was forgotten. */
  isWhole = true
  /** Called when something is done now: what was recorded for later is gone. */
  onAdd: () => void = () => {}

  /** Notes what was done after so many steps. */
  add(tick: number, input: Input): void {
    this.cut()
    this.entries.push({ ...input, tick })
    if (this.entries.length > MOST_ENTRIES) {
      this.entries.shift()
      this.isWhole = false
    }
    this.next = this.entries.length
    this.onAdd()
  }

  /** The next entry when it is due after so many steps; it then counts as done. */
  take(tick: number): Entry | undefined {
    const entry = this.entries[this.next]
    if (entry === undefined || entry.tick > tick) return undefined
    this.next++
    return entry
  }

  /** Goes back to the moment just after so many steps: what came then, and later, is not done yet. */
  returnTo(tick: number): void {
    const first = this.entries.findIndex((entry) => entry.tick >= tick)
    this.next = first === -1 ? this.entries.length : first
  }

  /** Forgets what is not done yet. */
  cut(): void {
    this.entries.length = this.next
  }
}
