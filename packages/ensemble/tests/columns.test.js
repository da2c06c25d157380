// Shows that columns of results take values up to the edges of their kind, give them back exactly, and refuse all others.

import { tableFromIPC } from 'apache-arrow'
import { describe, expect, it } from 'vitest'
import { Rows, allKinds, encodeBatch, recordBatchOf, schemaOf, shown } from '../src/columns.ts'

/** Of each kind: the values at its edges, and values that it cannot hold. */
const EDGES = {
  i8: { fit: [-128, 127], refused: [-129, 128, 0.5, NaN, '1', true, undefined] },
  u8: { fit: [0, 255], refused: [-1, 256, 0.5, NaN, null] },
  i16: { fit: [-32768, 32767], refused: [-32769, 32768] },
  u16: { fit: [0, 65535], refused: [-1, 65536] },
  i32: { fit: [-2147483648, 2147483647], refused: [-2147483649, 2147483648] },
  u32: { fit: [0, 4294967295], refused: [-1, 4294967296] },
  f32: {
    fit: [-0.5, Infinity, -Infinity, NaN, -0, 3.4028234663852886e38],
    refused: ['1', true, undefined, 1e300, -1e300, 3.4028235677973366e38],
  },
  f64: { fit: [0.1, -Infinity, NaN, -0, 2 ** 53], refused: ['1', false, null] },
  bool: { fit: [true, false], refused: [0, 1, 'true', undefined] },
  text: {
    fit: ['', 'a "quoted", ✓\nline', '\0', '😀', 'a\ufeff', '\uffff'],
    refused: [
      1,
      true,
      undefined,
      '\ud800',
      'a\udc00b',
      '\ude00\ud83d',
      '\ufeffa',
      Symbol('a'),
      Object.create(null),
    ],
  },
}

describe.each(Object.keys(EDGES))('a column of the kind %s', (kind) => {
  const { fit, refused } = EDGES[kind]

  it('holds values up to its limits, and restores them from the bytes of a stream', () => {
    const rows = new Rows({ a: kind })
    for (const a of fit) rows.add({ a })
    const { head, body } = encodeBatch(recordBatchOf(schemaOf({ a: kind }), rows))
    const table = tableFromIPC(Buffer.concat([head, body]))
    expect([...table.getChild('a')]).toEqual(fit)
    expect(rows.length).toBe(fit.length)
  })

  it.each(refused.map((value) => [shown(value), value]))('refuses %s, and adds nothing', (text, a) => {
    const rows = new Rows({ b: 'u8', a: kind })
    expect(() => rows.add({ a, b: 1 })).toThrow(
      expect.objectContaining({
        code: 'BAD_ROW',
        message: `The column 'a' is ${kind}, which cannot hold ${text}.`,
      }),
    )
    expect(rows.values).toEqual({ a: [], b: [] })
  })
})

describe('rows', () => {
  it.each([undefined, null, 5, Symbol('row'), () => {}])('are objects, not %j', (row) => {
    expect(() => new Rows({ a: 'u8', b: 'u8' }).add(row)).toThrow('A row must be an object with a, b')
  })

  it('keep the values that were checked, even if a getter answers differently each time', () => {
    let asked = 0
    const rows = new Rows({ a: 'u8' })
    const row = {
      get a() {
        return asked++ === 0 ? 1 : 'two'
      },
    }
    rows.add(row)
    expect(rows.values).toEqual({ a: [1] })
  })

  it('can have columns whose names are properties of all objects', () => {
    const names = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'toJSON', 'length']
    const kinds = Object.fromEntries(names.map((name) => [name, 'f64']))
    const one = new Rows(kinds)
    one.add(Object.fromEntries(names.map((name, i) => [name, i])))
    expect(() => new Rows(kinds).add({})).toThrow(`The column 'constructor' is f64, which cannot hold`)
    const all = new Rows({ hasProperty: 'text', isPrototypeOf: 'bool', ...kinds })
    all.append({ hasProperty: 'k', isPrototypeOf: true }, one)
    const { head, body } = encodeBatch(recordBatchOf(schemaOf(all.kinds), all))
    const table = tableFromIPC(Buffer.concat([head, body]))
    expect(all.names.map((name) => table.getChild(name).get(0))).toEqual(['k', true, 0, 1, 2, 3, 4, 5])
  })

  it('have no columns that were not declared', () => {
    expect(() => new Rows({ a: 'u8' }).add({ a: 1, c: 2 })).toThrow(`'c', which is no column`)
  })

  it('are appended with values for the columns that they lack', () => {
    const one = new Rows({ a: 'u8' })
    one.add({ a: 1 })
    one.add({ a: 2 })
    const all = new Rows({ key: 'text', a: 'u8' })
    all.append({ key: 'k' }, one)
    all.append({ key: 'l' }, one)
    expect(all.values).toEqual({ key: ['k', 'k', 'l', 'l'], a: [1, 2, 1, 2] })
    expect(all.length).toBe(4)
  })
})

it('the columns of a row are its key, its index, its seed, its parameters and the result of the run', () => {
  expect(Object.entries(allKinds({ r0: 1, start: 'Lima', closed: true }, { peak: 'u32' }))).toEqual([
    ['key', 'text'],
    ['index', 'u32'],
    ['seed', 'u32'],
    ['r0', 'f64'],
    ['start', 'text'],
    ['closed', 'bool'],
    ['peak', 'u32'],
  ])
})

it('a stream has one header, whatever its batches hold', () => {
  const kinds = { a: 'f64', b: 'text' }
  const batches = [1, 63, 64, 65, 1000].map((count) => {
    const rows = new Rows(kinds)
    for (let i = 0; i < count; i++) rows.add({ a: i, b: `row ${i}` })
    return encodeBatch(recordBatchOf(schemaOf(kinds), rows))
  })
  for (const { head } of batches) expect(head).toEqual(batches[0].head)
  const table = tableFromIPC(Buffer.concat([batches[0].head, ...batches.map(({ body }) => body)]))
  expect(table.numRows).toBe(1193)
  expect(table.get(1192).toJSON()).toEqual({ a: 999, b: 'row 999' })
})
