// Owns what a component is to the storages that keep its fields in typed arrays: a number, a bit, and the kind of each
// field. It must never hold values: those belong to a storage.

let declared = 0

/**
 * @param {Record<string, Float32ArrayConstructor | Int32ArrayConstructor>} fields the array that holds each field
 */
export function component(fields) {
  if (declared === 32) throw new RangeError('A mask has 32 bits: that many components and no more.')
  const number = declared++
  return { number, bit: 1 << number, fields: Object.entries(fields) }
}

/** The fields of some entities, by name and, for code that moves whole rows, as a list. */
export class Columns {
  constructor({ fields }, length) {
    this.arrays = fields.map(([, ArrayType]) => new ArrayType(length))
    this.byName = Object.fromEntries(fields.map(([name], k) => [name, this.arrays[k]]))
  }

  /** Arrays cannot grow in place: whoever kept one has to ask for it again. */
  grownTo(component, length) {
    const grown = new Columns(component, length)
    grown.arrays.forEach((array, k) => array.set(this.arrays[k]))
    return grown
  }

  copyRow(to, source, from) {
    for (let k = 0; k < this.arrays.length; k++) this.arrays[k][to] = source.arrays[k][from]
  }
}

export function grown(array, length) {
  const longer = new array.constructor(length)
  longer.set(array)
  return longer
}
