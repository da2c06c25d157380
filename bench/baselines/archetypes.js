// Owns archetypes: entities with the same components lie together, in chunks of typed arrays. Good: a loop meets only
// what it looks for, all fields in step and without holes; nothing is copied to grow. Bad: adding or removing a component
// moves the entity with all it has; many combinations make many half empty chunks; 32 components.
import { Columns, grown } from './components.js'
import { Ids } from './ids.js'

const CHUNK_ROWS = 1_024

class Chunk {
  count = 0
  ids = new Uint32Array(CHUNK_ROWS)
  columns = []

  constructor(components) {
    for (const component of components) this.columns[component.number] = new Columns(component, CHUNK_ROWS)
  }

  /** Arrays by the name of the field. Good for as long as the chunk. */
  fields(component) {
    return this.columns[component.number].byName
  }
}

class Archetype {
  count = 0
  chunks = []
  /** The archetypes that differ by one component, by its number: where adding or removing it leads. */
  neighbours = []

  constructor(mask, components) {
    this.mask = mask
    this.components = components
  }

  /** Returns the new row. Its fields hold what was left there. */
  addRow(id) {
    const row = this.count++
    const index = Math.floor(row / CHUNK_ROWS)
    if (index === this.chunks.length) this.chunks.push(new Chunk(this.components))
    const chunk = this.chunks[index]
    chunk.ids[chunk.count++] = id
    return row
  }

  chunkOf(row) {
    return this.chunks[Math.floor(row / CHUNK_ROWS)]
  }

  /** The last row fills the hole. Returns the id that moved, which may be the one that leaves. */
  removeRow(row) {
    const last = --this.count
    const from = this.chunkOf(last)
    const to = this.chunkOf(row)
    const at = row % CHUNK_ROWS
    from.count--
    for (const { number } of this.components) {
      to.columns[number].copyRow(at, from.columns[number], last % CHUNK_ROWS)
    }
    to.ids[at] = from.ids[last % CHUNK_ROWS]
    return to.ids[at]
  }
}

export class ArchetypeWorld {
  ids = new Ids()
  empty = new Archetype(0, [])
  archetypes = [this.empty]
  /** Where each id lies. */
  homes = []
  rows = new Uint32Array(1_024)

  constructor(components) {
    this.components = components
  }

  create() {
    const id = this.ids.take()
    if (id === this.rows.length) this.rows = grown(this.rows, id * 2)
    this.homes[id] = this.empty
    this.rows[id] = this.empty.addRow(id)
    return id
  }

  destroy(id) {
    this.leave(id)
    this.homes[id] = undefined
    this.ids.release(id)
  }

  add(id, component) {
    if (!this.has(id, component)) this.move(id, component)
  }

  remove(id, component) {
    if (this.has(id, component)) this.move(id, component)
  }

  chunkOf(id) {
    return this.homes[id].chunkOf(this.rows[id])
  }

  /** The entity's row in its chunk. */
  rowOf(id) {
    return this.rows[id] % CHUNK_ROWS
  }

  has(id, component) {
    return (this.homes[id].mask & component.bit) !== 0
  }

  /** Those that have all the components now; to be asked again when others came up. */
  matching(...components) {
    const wanted = components.reduce((mask, { bit }) => mask | bit, 0)
    return this.archetypes.filter(({ mask }) => (mask & wanted) === wanted)
  }

  /** To the archetype on the other side of the component: with it where it was missing, without it where it was not. */
  move(id, component) {
    const from = this.homes[id]
    const to = from.neighbours[component.number] ?? this.meet(from, component)
    const source = from.chunkOf(this.rows[id])
    const sourceRow = this.rows[id] % CHUNK_ROWS
    const row = to.addRow(id)
    const target = to.chunkOf(row)
    for (const { number } of from.components) {
      target.columns[number]?.copyRow(row % CHUNK_ROWS, source.columns[number], sourceRow)
    }
    this.leave(id)
    this.homes[id] = to
    this.rows[id] = row
  }

  leave(id) {
    const row = this.rows[id]
    this.rows[this.homes[id].removeRow(row)] = row
  }

  meet(from, component) {
    const mask = from.mask ^ component.bit
    let to = this.archetypes.find((archetype) => archetype.mask === mask)
    if (to === undefined) {
      const components = this.components.filter(({ bit }) => (mask & bit) !== 0)
      to = new Archetype(mask, components)
      this.archetypes.push(to)
    }
    from.neighbours[component.number] = to
    to.neighbours[component.number] = from
    return to
  }
}
