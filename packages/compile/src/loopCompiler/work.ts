// Owns the bound on the work of one compile. Code that goes through something whose size the source decides counts the steps
// where it does so: nodes that are carried out, variables and cells that are copied and joined, scopes that are searched, values
// that are made, walked and written. So no source takes long, however it is written, on a fast machine or a slow one.

/** Of steps that take a fifth of a microsecond at most: about a second. */
const MOST_STEPS = 5_000_000

/** Thrown when more work is needed than one compile may take; as the stack ends in a RangeError, too. */
export class TooLarge extends RangeError {}

export class Work {
  constructor(private left = MOST_STEPS) {}

  /** Called before so many steps are made. */
  spend(steps: number): void {
    if ((this.left -= steps) < 0) throw new TooLarge()
  }
}
