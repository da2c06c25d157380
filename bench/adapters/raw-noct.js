// Owns the yardstick of the looping cases of noctjs: a table of typed arrays for each shape of entity, as a program that
// keeps its data dense has it. It must never merge tables: which entities have a component is not to be known by the loop.
import { startOf as startOfData, typeOf } from '../cases/noct-frag-iter.js'
import { startOf as startOfPacked } from '../cases/noct-packed-5.js'
import { lettersOf, startOf as startOfSimple } from '../cases/noct-simple-iter.js'

function increase(value, count) {
  for (let i = 0; i < count; i++) value[i] += 1
}

function swap(first, second, count) {
  for (let i = 0; i < count; i++) {
    const value = first[i]
    first[i] = second[i]
    second[i] = value
  }
}

const increaseAll = (columns) => {
  for (let k = 0; k < columns.length; k++) increase(columns[k], columns[k].length)
}

const swapAll = (pairs) => {
  for (let k = 0; k < pairs.length; k++) swap(pairs[k][0], pairs[k][1], pairs[k][0].length)
}

function packed5(size) {
  const columns = Array.from({ length: 5 }, (_, k) =>
    Float32Array.from({ length: size }, (_, i) => startOfPacked(i, k)),
  )
  return {
    run: () => increaseAll(columns),
    result: () => Array.from({ length: size * 5 }, (_, n) => columns[n % 5][Math.floor(n / 5)]),
  }
}

function simpleIter(size) {
  const tables = new Map()
  for (let i = 0; i < size; i++) {
    const letters = lettersOf(i)
    if (!tables.has(letters)) tables.set(letters, Object.fromEntries(letters.map((letter) => [letter, []])))
    for (const letter of letters) tables.get(letters)[letter].push(startOfSimple(i, letter))
  }
  for (const table of tables.values()) {
    for (const letter in table) table[letter] = Float32Array.from(table[letter])
  }
  const pairs = (first, second) =>
    [...tables.values()]
      .filter((table) => first in table && second in table)
      .map((table) => [table[first], table[second]])
  const [ab, cd, ce] = [pairs('A', 'B'), pairs('C', 'D'), pairs('C', 'E')]
  return {
    run() {
      swapAll(ab)
      swapAll(cd)
      swapAll(ce)
    },
    // The kinds were created in turn.
    result: () =>
      Array.from({ length: size }, (_, i) => {
        const table = tables.get(lettersOf(i))
        return Object.values(table).map((column) => column[Math.floor(i / tables.size)])
      }).flat(),
  }
}

const fragIter = (types) => (size) => {
  const tables = Array.from({ length: types }, () => ({ data: [], own: [] }))
  for (let i = 0; i < size; i++) {
    const type = typeOf(i, types)
    tables[type].data.push(startOfData(i))
    tables[type].own.push(type)
  }
  const data = tables.map((table) => Float32Array.from(table.data))
  const own = tables.map((table) => Float32Array.from(table.own))
  const last = own.slice(-1)
  return {
    run() {
      increaseAll(data)
      increaseAll(last)
    },
    // The types were created in turn.
    result: () =>
      Array.from({ length: size }, (_, i) => {
        const [type, row] = [typeOf(i, types), Math.floor(i / types)]
        return [data[type][row], own[type][row]]
      }).flat(),
  }
}

export const noctWays = {
  packed_5: { 'arrays as parameters': packed5 },
  simple_iter: { 'arrays as parameters': simpleIter },
  frag_iter: { 'arrays as parameters': fragIter(26) },
  frag_iter_256: { 'arrays as parameters': fragIter(256) },
}
