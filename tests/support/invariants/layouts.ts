// Checks layouts: where the columns and the toggle bits of a chunk begin, small, full or wide.

import { LAYOUT } from '../layout'
import type { Components } from './components'
import { fail } from './failure'
import { LEAST } from './ledger'
import type { Memory } from './memory'

const L = LAYOUT

const COLUMN_ALIGNMENT = 16

/** Bytes of a small chunk, a full one and a large one: a layout key ends with the size. */
export const CHUNK_SIZES = [L.SMALL_CHUNK_BYTES, L.CHUNK_BYTES, L.LARGE_CHUNK_BYTES] as const

/** Bytes of a chunk in front of its rows: the change ticks of its components. */
export function headBytes(memory: Memory, layout: number): number {
  const ticks = memory.word(layout + L.LAYOUT_COMPONENT_COUNT) * L.CHUNK_TICKS_BYTES
  return Math.ceil(ticks / COLUMN_ALIGNMENT) * COLUMN_ALIGNMENT
}

export class Layouts {
  private layouts: number[] = []

  constructor(
    private readonly memory: Memory,
    private readonly components: Components,
  ) {}

  addressOf(id: number): number {
    return this.layouts[id] as number
  }

  check(): void {
    const { memory } = this
    const layouts = memory.listed(memory.word(L.LAYOUTS_ALL), 'the list of layouts')
    this.layouts = layouts
    layouts.forEach((layout, id) => {
      memory.ledger.claim(layout, L.LAYOUT_RECORD_BYTES, 'a layout')
      if (memory.word(layout + L.LAYOUT_ID) !== id)
        fail(`layout ${id} says it is ${memory.word(layout + L.LAYOUT_ID)}`)
      const components = memory.word(layout + L.LAYOUT_COMPONENT_COUNT)
      const columns = memory.word(layout + L.LAYOUT_COLUMN_COUNT)
      memory.ledger.claim(
        memory.word(layout + L.LAYOUT_COMPONENTS),
        components * L.LAYOUT_COMPONENT_BYTES,
        'the components of a layout',
      )
      memory.ledger.claim(
        memory.word(layout + L.LAYOUT_COLUMNS),
        columns * L.COLUMN_BYTES,
        'the columns of a layout',
      )
      this.checkCounts(layout, id)
      if (memory.word(layout + L.LAYOUT_WIDE_BYTES) !== 0) {
        this.checkWide(layout, id)
        return
      }
      CHUNK_SIZES.forEach((bytes, size) => this.checkColumns(layout, id, size, bytes))
    })
    memory.hashed(memory.word(L.LAYOUTS_BY_COMPONENTS), 'the table of layouts')
  }

  /** The numbers by which copies of rows find out that there is nothing to do. */
  private checkCounts(layout: number, id: number): void {
    const { components, memory } = this
    const first = memory.word(layout + L.LAYOUT_COMPONENTS)
    let toggles = 0
    let tracked = 0
    for (let i = 0; i < memory.word(layout + L.LAYOUT_COMPONENT_COUNT); i++) {
      const entry = first + i * L.LAYOUT_COMPONENT_BYTES
      if (components.canToggle(memory.word(entry + L.LAYOUT_COMPONENT_ID))) toggles++
      if (memory.word(entry + L.LAYOUT_COMPONENT_TICK_COLUMN) !== L.NOT_TRACKED) tracked++
    }
    if (toggles !== memory.word(layout + L.LAYOUT_TOGGLE_COUNT))
      fail(`layout ${id} counts ${memory.word(layout + L.LAYOUT_TOGGLE_COUNT)} toggles and has ${toggles}`)
    if (tracked !== memory.word(layout + L.LAYOUT_TRACKED_COUNT))
      fail(
        `layout ${id} counts ${memory.word(layout + L.LAYOUT_TRACKED_COUNT)} tracked components and has ${tracked}`,
      )
  }

  /** Columns follow each other without overlap, aligned, and end where the chunk does. */
  private checkColumns(layout: number, id: number, size: number, bytes: number): void {
    const { components, memory } = this
    const capacity = memory.word(layout + L.LAYOUT_SMALL_CAPACITY + size * 4)
    if (capacity === 0) return
    const columns = memory.word(layout + L.LAYOUT_COLUMNS)
    let end = capacity * 4
    for (let i = 0; i < memory.word(layout + L.LAYOUT_COLUMN_COUNT); i++) {
      const column = columns + i * L.COLUMN_BYTES
      const offset = memory.word(column + L.COLUMN_SMALL_OFFSET + size * 4)
      if (offset % COLUMN_ALIGNMENT !== 0)
        fail(`column ${i} of layout ${id} begins at ${offset}, not aligned to 16`)
      if (offset < end) fail(`column ${i} of layout ${id} begins inside the one before it`)
      end = offset + capacity * memory.word(column + L.COLUMN_WIDTH)
    }
    const first = memory.word(layout + L.LAYOUT_COMPONENTS)
    for (let i = 0; i < memory.word(layout + L.LAYOUT_COMPONENT_COUNT); i++) {
      const entry = first + i * L.LAYOUT_COMPONENT_BYTES
      const offset = memory.word(entry + L.LAYOUT_COMPONENT_SMALL_TOGGLE + size * 4)
      if ((offset !== 0) !== components.canToggle(memory.word(entry + L.LAYOUT_COMPONENT_ID)))
        fail(`component ${i} of layout ${id} has toggle bits at ${offset} against its declaration`)
      if (offset === 0) continue
      if (offset % COLUMN_ALIGNMENT !== 0 || offset < end)
        fail(`the toggle bits of component ${i} of layout ${id} begin at ${offset}`)
      end = offset + Math.ceil(capacity / 8)
    }
    if (headBytes(memory, layout) + end > bytes) fail(`the columns of layout ${id} reach beyond its chunks`)
  }

  /** One row of a resource: its columns follow each other, to the last KiB of the wide chunk. */
  private checkWide(layout: number, id: number): void {
    const { components, memory } = this
    const name = `the wide layout ${id}`
    const bytes = memory.word(layout + L.LAYOUT_WIDE_BYTES)
    const component = memory.word(memory.word(layout + L.LAYOUT_COMPONENTS) + L.LAYOUT_COMPONENT_ID)
    if (
      memory.word(layout + L.LAYOUT_COMPONENT_COUNT) !== 1 ||
      components.storageOf(component) !== L.STORAGE_RESOURCE
    )
      fail(`${name} is not of a resource`)
    if (
      memory.word(layout + L.LAYOUT_SMALL_CAPACITY) !== 1 ||
      memory.word(layout + L.LAYOUT_FULL_CAPACITY) !== 0
    )
      fail(`${name} has room for something else than one row`)
    let end = 4
    for (let i = 0; i < memory.word(layout + L.LAYOUT_COLUMN_COUNT); i++) {
      const column = memory.word(layout + L.LAYOUT_COLUMNS) + i * L.COLUMN_BYTES
      const offset = memory.word(column + L.COLUMN_SMALL_OFFSET)
      if (offset % COLUMN_ALIGNMENT !== 0 || offset < end) fail(`column ${i} of ${name} begins at ${offset}`)
      end = offset + memory.word(column + L.COLUMN_WIDTH)
    }
    end += headBytes(memory, layout)
    if (bytes !== Math.ceil(end / LEAST) * LEAST)
      fail(`${name} ends at ${end}, and its chunk has ${bytes} bytes`)
    if (bytes <= L.CHUNK_BYTES || bytes > L.MAX_BLOCK_BYTES) fail(`${name} has ${bytes} bytes`)
  }
}
