// A bad network: packets that arrive late, out of order, twice or never. Equal seeds lose the same packets.

import { randomFloat } from 'strata-ecs/kernel'

export interface LinkOptions {
  /** Milliseconds that every packet takes. */
  latency: number
  /** Milliseconds that a packet takes longer at most: with it, packets overtake each other. */
  jitter: number
  /** The share of packets that never arrive, 0 to 1. */
  loss: number
  /** The share of packets that arrive twice, 0 to 1. */
  duplicates: number
}

/** One direction of a network. */
export class Link {
  sent = 0
  lost = 0
  private readonly underway: { due: number; bytes: Uint8Array }[] = []
  private drawn = 0

  /** @param options may be changed at any time: they count for packets that are sent from then on */
  constructor(
    private readonly options: Readonly<LinkOptions>,
    private readonly seed: number,
  ) {}

  /** @param now milliseconds of whatever clock `receive` is given, too */
  send(bytes: Uint8Array, now: number): void {
    this.sent++
    if (this.draw() < this.options.loss) this.lost++
    else this.carry(bytes, now)
    if (this.draw() < this.options.duplicates) this.carry(bytes, now)
  }

  /** What has arrived since it was asked last, in the order of arrival. */
  receive(now: number): Uint8Array[] {
    const arrived = this.underway.filter(({ due }) => due <= now).sort((a, b) => a.due - b.due)
    for (const one of arrived) this.underway.splice(this.underway.indexOf(one), 1)
    return arrived.map(({ bytes }) => bytes)
  }

  private carry(bytes: Uint8Array, now: number): void {
    const { latency, jitter } = this.options
    this.underway.push({ due: now + latency + jitter * this.draw(), bytes: bytes.slice() })
  }

  private draw(): number {
    return randomFloat(this.seed, this.drawn++)
  }
}
