// Whether two players come to the same states: each keeps the digests of its last ones, and hears of one of the other's now and then.

/** Digests of so many states are kept. */
const KEPT = 128

export interface Mismatch {
  readonly state: number
  readonly here: number
  readonly there: number
}

export class Agreement {
  mismatch: Mismatch | undefined
  /** The last confirmed state whose digest was taken. */
  verified = 0
  private readonly digests = new Uint32Array(KEPT)
  /** A digest of the other player's for a state that is not confirmed here yet. */
  private claimed: { readonly state: number; readonly digest: number } | undefined

  /** @param every only every so many states are looked at */
  constructor(
    private readonly every: number,
    public digest: number,
    private readonly onConfirmed: (state: number, digest: number) => void = () => {},
  ) {
    this.digests[0] = digest
  }

  /** A state was come to; it may still change. */
  played(state: number, game: { digest(): number }): void {
    if (state % this.every === 0) this.digests[state % KEPT] = game.digest()
  }

  /** A state cannot change any more. */
  confirm(state: number): void {
    if (state % this.every !== 0) return
    this.verified = state
    this.digest = this.digests[state % KEPT]
    this.onConfirmed(state, this.digest)
  }

  /** The other player says what one of its states is. */
  claim(state: number, digest: number): void {
    this.claimed ??= { state, digest }
  }

  /** Compares the claimed state with what it was here, as soon as it is confirmed. */
  compare(confirmed: number, frame: number): void {
    if (this.claimed === undefined || this.claimed.state > confirmed) return
    const { state, digest } = this.claimed
    this.claimed = undefined
    if (state % this.every !== 0 || state <= frame - KEPT || this.mismatch) return
    const here = this.digests[state % KEPT]
    if (here !== digest) this.mismatch = { state, here, there: digest }
  }
}
