// Owns the numbers of entities: the next one, and those that are free again. It must never tell a dead id from a living
// one that got the same number; a library needs generations for that.

export class Ids {
  /** One more than the largest id there ever was. */
  end = 0
  free = []

  get alive() {
    return this.end - this.free.length
  }

  take() {
    return this.free.length > 0 ? this.free.pop() : this.end++
  }

  release(id) {
    this.free.push(id)
  }
}
