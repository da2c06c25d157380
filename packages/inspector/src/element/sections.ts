// Owns a list of sections of a page, one for each of some things: those whose thing stays keep their elements, and with them
// what a person is typing. It must never move or rebuild a section that stays.

/** What shows one of the things. */
export interface Section<T> {
  readonly root: Element
  show(item: T): void
  /** Called before it is removed: from then on it must write nothing. */
  close?(): void
}

export class Sections<T> {
  private shown = new Map<string, Section<T>>()

  /** @param keyOf different for different things, whatever their names have in them */
  constructor(
    private readonly list: Element,
    private readonly keyOf: (item: T) => string,
    private readonly create: (item: T) => Section<T>,
  ) {}

  get all(): Iterable<Section<T>> {
    return this.shown.values()
  }

  show(items: readonly T[]): void {
    const keys = items.map((item) => this.keyOf(item))
    this.keep(new Set(keys))
    const kept = new Map<string, Section<T>>()
    let place = this.list.firstElementChild
    items.forEach((item, i) => {
      const key = keys[i] as string
      let section = this.shown.get(key)
      if (section !== undefined && section.root === place) place = place.nextElementSibling
      else {
        // One that stands elsewhere is rebuilt: a field that is moved loses its focus all the same.
        this.remove(section)
        section = this.create(item)
        this.list.insertBefore(section.root, place)
      }
      kept.set(key, section)
      section.show(item)
    })
    this.shown = kept
  }

  clear(): void {
    this.keep(new Set())
  }

  private keep(keys: ReadonlySet<string>): void {
    for (const [key, section] of this.shown) {
      if (keys.has(key)) continue
      this.remove(section)
      this.shown.delete(key)
    }
  }

  private remove(section: Section<T> | undefined): void {
    // Chromium takes the removal of a field for its end, and reports what was typed so far as its value.
    section?.close?.()
    section?.root.remove()
  }
}
