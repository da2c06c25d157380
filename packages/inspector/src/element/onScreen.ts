// Owns which elements of a long list are on the screen: these are brought up to date at each refresh, the others in turn, so that
// what is scrolled to, or read aloud, is never older than a second. It must never force a layout to find out.

/** Refreshes in which each of the elements that are not seen has its turn. */
const TURNS = 10

export class OnScreen {
  private readonly seen = new WeakSet<Element>()
  private readonly numbers = new WeakMap<Element, number>()
  private readonly observer: IntersectionObserver | undefined
  private count = 0
  private turn = 0

  constructor() {
    if (globalThis.IntersectionObserver === undefined) return
    this.observer = new IntersectionObserver((changes) => {
      for (const { target, isIntersecting } of changes)
        if (isIntersecting) this.seen.add(target)
        else this.seen.delete(target)
    })
  }

  /** An element that is thrown away is forgotten by itself. */
  watch(element: Element): void {
    this.numbers.set(element, this.count++)
    this.observer?.observe(element)
  }

  /** Another refresh begins. */
  next(): void {
    this.turn = (this.turn + 1) % TURNS
  }

  /** Whether an element is to be brought up to date at this refresh. */
  isDue(element: Element): boolean {
    return this.seen.has(element) || (this.numbers.get(element) ?? 0) % TURNS === this.turn
  }
}
