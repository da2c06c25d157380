// Owns a matrix of entities by components: a column has a place for every entity, and a bit mask says which are in use.
// Good: adding and removing set a bit and move nothing; a value is found by the id alone. Bad: places nobody uses cost
// memory and cache; a loop reads the mask of every id there ever was; 32 components.
import { Columns, grown } from './components.js'
import { Ids } from './ids.js'

export class MatrixWorld {
  ids = new Ids()
  masks = new Uint32Array(1_024)

  constructor(components) {
    this.components = components
    this.columns = []
    for (const component of components) {
      this.columns[component.number] = new Columns(component, this.masks.length)
    }
  }

  create() {
    const id = this.ids.take()
    if (id === this.masks.length) this.grow()
    return id
  }

  destroy(id) {
    this.masks[id] = 0
    this.ids.release(id)
  }

  add(id, component) {
    this.masks[id] |= component.bit
  }

  remove(id, component) {
    this.masks[id] &= ~component.bit
  }

  has(id, component) {
    return (this.masks[id] & component.bit) !== 0
  }

  /** Arrays by the name of the field; the row of an entity is its id. Good until the next `create`. */
  fields(component) {
    return this.columns[component.number].byName
  }

  grow() {
    const length = this.masks.length * 2
    this.masks = grown(this.masks, length)
    for (const component of this.components) {
      this.columns[component.number] = this.columns[component.number].grownTo(component, length)
    }
  }
}
