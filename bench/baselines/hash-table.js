// Owns a hash table written in JavaScript: whole numbers to values, open addressing, linear probing. Good: no hidden work,
// a few loads where the key is near its place. Bad: keys must be numbers, so a type needs one; slower than an array when
// the numbers are small, and then an array is what one wants.

const FIBONACCI = 0x9e3779b1

export class HashTable {
  count = 0
  shift = 28
  keys = new Int32Array(16).fill(-1)
  values = new Array(16).fill(undefined)

  /** @param {number} key from 0 */
  get(key) {
    const { keys } = this
    const last = keys.length - 1
    for (let place = Math.imul(key, FIBONACCI) >>> this.shift; ; place = (place + 1) & last) {
      if (keys[place] === key) return this.values[place]
      if (keys[place] === -1) return undefined
    }
  }

  /** @param {number} key from 0 */
  set(key, value) {
    if (this.count * 2 >= this.keys.length) this.grow()
    const last = this.keys.length - 1
    let place = Math.imul(key, FIBONACCI) >>> this.shift
    while (this.keys[place] !== -1 && this.keys[place] !== key) place = (place + 1) & last
    if (this.keys[place] === -1) this.count++
    this.keys[place] = key
    this.values[place] = value
  }

  grow() {
    const { keys, values } = this
    this.count = 0
    this.shift--
    this.keys = new Int32Array(keys.length * 2).fill(-1)
    this.values = new Array(keys.length * 2).fill(undefined)
    keys.forEach((key, place) => key !== -1 && this.set(key, values[place]))
  }
}
