// Owns one sparse set for each component: rows without holes, found by id. Good: adding and removing touch one set and
// no other; a loop over one component is as dense as can be. Bad: a loop over several walks one set and jumps about in
// the others; destroying an entity asks every set; each set has an index as long as the largest id.
import { Columns, grown } from './components.js'
import { Ids } from './ids.js'

export class SparseSet {
  count = 0
  /** The id in each row. */
  ids = new Uint32Array(64)
  /** The row of each id, -1 where there is none. */
  rows = new Int32Array(64).fill(-1)

  constructor(component) {
    this.component = component
    this.columns = new Columns(component, this.ids.length)
  }

  has(id) {
    return id < this.rows.length && this.rows[id] >= 0
  }

  /** Returns the row; the fields of a new one hold what was left there. */
  add(id) {
    if (this.has(id)) return this.rows[id]
    if (id >= this.rows.length) this.growIndex(id)
    if (this.count === this.ids.length) this.growRows()
    const row = this.count++
    this.ids[row] = id
    this.rows[id] = row
    return row
  }

  /** The last row fills the hole. */
  remove(id) {
    if (!this.has(id)) return
    const row = this.rows[id]
    const last = --this.count
    const moved = this.ids[last]
    this.columns.copyRow(row, this.columns, last)
    this.ids[row] = moved
    this.rows[moved] = row
    this.rows[id] = -1
  }

  growIndex(id) {
    const before = this.rows.length
    this.rows = grown(this.rows, Math.max(before * 2, id + 1))
    this.rows.fill(-1, before)
  }

  growRows() {
    this.ids = grown(this.ids, this.ids.length * 2)
    this.columns = this.columns.grownTo(this.component, this.ids.length)
  }
}

export class SparseSetWorld {
  ids = new Ids()

  constructor(components) {
    this.sets = []
    for (const component of components) this.sets[component.number] = new SparseSet(component)
  }

  create() {
    return this.ids.take()
  }

  destroy(id) {
    for (const set of this.sets) set?.remove(id)
    this.ids.release(id)
  }

  /** Returns the row; the fields of a new one hold what was left there. */
  add(id, component) {
    return this.sets[component.number].add(id)
  }

  remove(id, component) {
    this.sets[component.number].remove(id)
  }

  set(component) {
    return this.sets[component.number]
  }

  /** Arrays by the name of the field. Good until the next `add`. */
  fields(component) {
    return this.sets[component.number].columns.byName
  }
}
