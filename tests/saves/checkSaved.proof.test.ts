// Shows that hostile and damaged files are refused with SAVE_REFUSED and leave the world as it was, and that what passes is a
// whole world.

import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import {
  type World,
  bool,
  component,
  destroyMany,
  digestWorld,
  entity,
  f64,
  isStrataError,
  mergeWorld,
  relation,
  resource,
  saveToJSON,
  saveWorld,
  sparse,
  spawnAt,
  tag,
  text,
  toggle,
  u8,
  vec,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { load, loadJSON } from '../support/loaded'
import { proofLength } from '../support/proofs'
import { type Description, described, descriptionOf, sealed } from '../support/saveBytes'
import { testWorld } from '../support/world'

const Lit = component('Lit', { on: bool, watts: f64 }, { toggle })
const Target = component('Target', { who: entity, both: vec(entity, 2) })
const Name = component('Name', { value: text })
const Pool = component('Pool', { n: u8, of: entity }, { storage: sparse, toggle })
const Red = tag('Red')
const Time = resource('Time', { who: entity, name: text })
const Rng = resource<unknown>('Rng', { save: (value) => value, load: (value: unknown) => value })
const ChildOf = relation('ChildOf', { exclusive: true, onTargetDestroy: 'destroy' })
const Near = relation('Near', { steps: u8, via: entity }, { exclusive: true, onTargetDestroy: 'keep' })
const KNOWN = [Lit, Target, Name, Pool, Red, Time, Rng, ChildOf, Near]

/** A world with everything. */
function stage(): World {
  const world = testWorld()
  const a = world.spawn(Lit({ on: true, watts: 5 }), Name({ value: 'Ada' }), Red)
  const b = world.spawn(Target({ who: a, both: [a, a] }), Pool({ n: 1, of: a }))
  const c = world.spawn(Lit, Pool({ n: 2, of: b }), Name({ value: 'Bea' }))
  world.disable(c, Lit)
  world.disable(c, Pool)
  world.add(b, ChildOf(a), Near(c, { steps: 3, via: a }))
  world.add(c, ChildOf(a), Near(world.spawn(ChildOf(b)), { steps: 4 }))
  world.reorder(c, ChildOf, { before: b })
  const gone = world.target(c, Near)
  world.destroy(gone)
  // The one of the lower index is the younger one: the file has an order of making.
  world.spawn(Red)
  spawnAt(world, gone, Red)
  world.setResource(Time, { who: c, name: 'Ada' })
  world.setResource(Rng, { seed: [1, 2n, NaN] })
  return world
}

const good = stage()
const bytes = saveWorld(good)
const json = saveToJSON(good)
const target = stage()
const before = digestWorld(target)
/** Without the stale handle of a target that is gone. */
const loadedDigest = digestWorld(load(bytes, KNOWN).world)

const REFUSALS: ReadonlySet<string> = new Set(['SAVE_REFUSED', 'MISSING_MIGRATION', 'RELATION_CYCLE'])

/** Throws unless the world refuses it, or takes a whole world from it. Whether it was refused. */
function tryMerge(file: Uint8Array): boolean {
  try {
    const { handles } = mergeWorld(target, file)
    checkInvariants(target)
    destroyMany(target, [...handles.values()])
  } catch (error) {
    if (!isStrataError(error) || !REFUSALS.has(error.code)) throw error
    if (error.code === 'SAVE_REFUSED')
      expect(error.message).toMatch(/^The save cannot be loaded: .*\. Nothing has changed\.$/s)
    return true
  } finally {
    checkInvariants(target)
    expect(digestWorld(target)).toBe(before)
  }
  return false
}

const refuses = (file: Uint8Array) => expect(tryMerge(file)).toBe(true)
const change = (how: (description: Description) => unknown) => described(bytes, how)
const first = <T>(list: readonly T[]) => list[0] as T

describe('a damaged file', () => {
  it('Any single wrong bit is found', () => {
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const file = bytes.slice()
      file[bit >> 3] = (file[bit >> 3] as number) ^ (1 << (bit & 7))
      expect(() => load(file, KNOWN)).toThrow(expect.objectContaining({ code: 'SAVE_REFUSED' }))
    }
    refuses(bytes.slice().fill(0xff, 30, 40))
  })

  it('A file that ends early or late is refused, wherever it ends', () => {
    for (let length = 0; length < bytes.length; length++)
      expect(() => load(bytes.subarray(0, length), KNOWN)).toThrow(/no save file|bytes, not/)
    refuses(Uint8Array.of(...bytes, 0))
    refuses(sealed(Uint8Array.of(...bytes, 0)))
    for (let length = 24; length < bytes.length; length++) refuses(sealed(bytes.slice(0, length)))
  })

  it('The sentence distinguishes a file of another kind, another version and a damaged one', () => {
    expect(() => load(new Uint8Array(100), KNOWN)).toThrow('it is no save file')
    const later = bytes.slice()
    later[8] = 5
    expect(() => load(sealed(later), KNOWN)).toThrow('its format has version 5, and this program knows 4')
    const damaged = bytes.slice()
    damaged[200] = (damaged[200] as number) ^ 1
    expect(() => load(damaged, KNOWN)).toThrow('its checksum is wrong')
  })

  it('A file anywhere in a larger buffer is read, at any offset', () => {
    for (let offset = 0; offset < 9; offset++) {
      const larger = new Uint8Array(bytes.length + 20)
      larger.set(bytes, offset)
      const { world } = load(larger.subarray(offset, offset + bytes.length), KNOWN)
      expect(digestWorld(world)).toBe(loadedDigest)
      world.dispose()
    }
  })
})

describe('a hostile file, with the right checksum', () => {
  it('Invalid descriptions are refused', () => {
    for (const text of ['', '{', 'null', '[]', '5', '"x"', '{}', '['.repeat(100_000), '\u0000'])
      refuses(change(() => text))
    const file = bytes.slice()
    file[24] = 0xff
    refuses(sealed(file))
  })

  it('An unknown storage, a repeated text and a resource with fields and a value are refused', () => {
    refuses(change((description) => (first(description.components)['storage'] = 'disk')))
    refuses(change((description) => (description.texts[1] = description.texts[2])))
    refuses(change((description) => (description.texts[1] = '')))
    refuses(change((description) => description.resources.forEach((one) => (one['value'] ??= 1))))
    refuses(change((description) => description.resources.forEach((one) => (one['fields'] ??= {}))))
  })

  it('A number that JSON reads as an infinity is refused, at any position', () => {
    const beyond = /is not of kind f64|number is too large/
    for (const [from, to] of [
      ['"watts":5', '"watts":1e999'],
      ['"watts":5', '"watts":-1e400'],
      ['"seed":[1', '"seed":[1e999'],
    ] as const) {
      expect(json).toContain(from)
      expect(() => loadJSON(json.replace(from, to), KNOWN)).toThrow(beyond)
    }
  })

  it('Every part of the description that has another type is refused, or read as its default', () => {
    const replacements = [
      null,
      true,
      5,
      -1,
      1.5,
      1e99,
      'x',
      '__proto__',
      [],
      {},
      [5],
      ['x'],
      [null],
      [[]],
      { a: 1 },
    ]
    const paths: (string | number)[][] = []
    const walk = (value: unknown, path: (string | number)[]) => {
      if (path.length > 0) paths.push(path)
      if (typeof value !== 'object' || value === null) return
      for (const key of Object.keys(value)) walk((value as Record<string, unknown>)[key], [...path, key])
    }
    walk(descriptionOf(bytes), [])
    let refusals = 0
    for (const path of paths)
      for (const replacement of [undefined, ...replacements]) {
        const file = change((description) => {
          let at = description as unknown as Record<string | number, unknown>
          for (const key of path.slice(0, -1)) at = at[key] as typeof at
          at[path.at(-1) as string] = replacement
        })
        if (tryMerge(file)) refusals++
      }
    expect(refusals).toBeGreaterThan(paths.length * replacements.length * 0.5)
  })

  it('Lengths beyond the file are refused before anything is allocated', () => {
    for (const rows of [0, 3, 2 ** 24, 2 ** 31, 2 ** 32, 2 ** 53, 1e300]) {
      refuses(change(({ tables }) => (first(tables)['rows'] = rows)))
      refuses(change(({ pools }) => (first(pools)['rows'] = rows)))
      refuses(change(({ links }) => (first(links)['rows'] = rows)))
    }
    for (const type of [
      'f64*4095',
      'f64*4096',
      'f64*99999999999',
      'f64*0',
      'f64*-1',
      'text*2',
      'u64',
      'toString',
    ])
      refuses(change(({ components }) => (first(components)['fields'] = { on: 'bool', watts: type })))
    refuses(change(({ resources }) => (first(resources)['fields'] = { cells: 'f64*16777216' })))
    const file = bytes.slice()
    new DataView(file.buffer).setUint32(20, 0xffffffff, true)
    refuses(sealed(file))
  })

  it('Entities that are listed twice, or have no handle, are refused', () => {
    const at = columnOf(bytes)
    for (const handle of [2, 3, 0x01000002, 0xffffffff]) {
      const file = bytes.slice()
      new DataView(file.buffer).setUint32(at, handle, true)
      refuses(sealed(file))
    }
  })

  it('Entities that point at each other in a circle are loaded, and numbers past the last are refused', () => {
    const world = testWorld()
    const [a, b] = [world.spawn(), world.spawn()]
    world.add(a, Target({ who: b, both: [a, b] }))
    world.add(b, Target({ who: a, both: [b, a] }))
    const circle = saveWorld(world)
    const { world: loaded, handles } = load(circle, KNOWN)
    expect(loaded.get(handles.get(a) as never, Target)?.who).toBe(handles.get(b))
    const at = columnOf(circle) + 8
    for (const number of [2, 3, 0x00ffffff, 0xfffffffe]) {
      const file = circle.slice()
      new DataView(file.buffer).setUint32(at, number, true)
      refuses(sealed(file))
    }
  })

  it('A component in two pools, in a table and a pool, or twice on an entity is refused', () => {
    refuses(change(({ pools }) => pools.push({ ...first(pools) })))
    refuses(change(({ pools }) => (first(pools)['components'] = [0, 1])))
    refuses(change(({ pools }) => (first(pools)['components'] = [])))
    refuses(change(({ tables }) => (first(tables)['components'] = [0, 0])))
    refuses(change(({ tables }) => (first(tables)['components'] = [1, 0])))
    refuses(change(({ components }) => components.push({ ...first(components) })))
  })

  it('Links to missing entities, repeated links, circles, and links that are switched off or in a pool are refused', () => {
    const world = testWorld()
    const root = world.spawn()
    const parts = Array.from({ length: 3 }, () => world.spawn(ChildOf(root)))
    const linked = saveWorld(world)
    // Three columns of three words end the file: sources, targets, turns.
    const at = linked.length - 36
    const forged = (word: number, value: number) => {
      const file = linked.slice()
      new DataView(file.buffer).setUint32(at + word * 4, value, true)
      return sealed(file)
    }
    expect(load(linked, KNOWN).world.query(ChildOf).count).toBe(parts.length)
    for (const [word, value] of [
      [0, 4],
      [1, 0xffffffff],
      [3, 4],
      [4, 0xfffffffe],
      [6, 1],
      [7, 3],
      [8, 0xffffffff],
      [0, 2],
    ] as const)
      expect(() => load(forged(word, value), KNOWN)).toThrow(
        expect.objectContaining({ code: 'SAVE_REFUSED' }),
      )
    // Another target of the same source is no forgery, but more than an exclusive relation has.
    const several = forged(0, 2)
    new DataView(several.buffer).setUint32(at + 12, 3, true)
    expect(() => load(sealed(several), KNOWN)).toThrow('entity 3 has several targets in the save')
    // A circle: the target of the first source is the first source.
    expect(() => load(forged(3, 1), KNOWN)).toThrow(expect.objectContaining({ code: 'RELATION_CYCLE' }))
    const changed = (how: (description: Description) => unknown) => refuses(described(linked, how))
    changed(({ links }) => (first(links)['off'] = [0]))
    changed(({ links }) => links.push({ ...first(links) }))
    changed(({ links, pools }) => pools.push({ ...first(links) }))
    changed(({ links }) => (first(links)['components'] = []))
  })

  it('Random bytes with a valid checksum are refused, or give a valid world', () => {
    let refusals = 0
    const property = fc.property(
      fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }),
      (changes) => {
        const file = bytes.slice()
        for (const [at, value] of changes) file[at] = value
        if (tryMerge(sealed(file))) refusals++
      },
    )
    fc.assert(property, { seed: 7, numRuns: proofLength(3000) })
    expect(refusals).toBeGreaterThan(proofLength(1000))
  })

  it('Random values in columns are refused, or give a valid world', () => {
    const length = new DataView(bytes.buffer).getUint32(20, true)
    const places = fc.integer({ min: 24 + length, max: bytes.length - 1 })
    let taken = 0
    const property = fc.property(
      fc.array(fc.tuple(places, fc.constantFrom(0, 1, 2, 3, 127, 255)), { minLength: 1, maxLength: 4 }),
      (changes) => {
        const file = bytes.slice()
        for (const [at, value] of changes) file[at] = value
        if (!tryMerge(sealed(file))) taken++
      },
    )
    fc.assert(property, { seed: 8, numRuns: proofLength(3000) })
    expect(taken).toBeGreaterThan(proofLength(300))
  })

  it('JSON that is changed at random is refused, or gives a valid world', () => {
    const property = fc.property(
      fc.array(
        fc.tuple(
          fc.nat(json.length - 1),
          fc.constantFrom('0', '1', '9', '-', '"', '{', '}', '[', ']', ',', 'e', 'x', ' '),
        ),
        {
          minLength: 1,
          maxLength: 4,
        },
      ),
      (changes) => {
        let text = json
        for (const [at, sign] of changes) text = text.slice(0, at) + sign + text.slice(at + 1)
        try {
          loadJSON(text, KNOWN).world.dispose()
        } catch (error) {
          if (!isStrataError(error) || !REFUSALS.has(error.code)) throw error
        }
      },
    )
    fc.assert(property, { seed: 9, numRuns: proofLength(2000) })
  })

  afterAll(() => expect(digestWorld(target)).toBe(before))
})

it('Anything but a Uint8Array is a mistake of the program', () => {
  for (const wrong of [undefined, null, 'x', [1], new ArrayBuffer(8), Uint16Array.of(1)]) {
    expect(() => mergeWorld(target, wrong as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION' }),
    )
    expect(() => load(wrong as never, [])).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
  }
  expect(() => loadJSON(5 as never, [])).toThrow('takes the string that saveToJSON returned')
})

/** Where the first column begins: the handles of the first table. */
function columnOf(file: Uint8Array): number {
  const length = new DataView(file.buffer).getUint32(20, true)
  return Math.ceil((24 + length) / 4) * 4
}

it('An entity that a pool names twice is refused', () => {
  const world = testWorld()
  for (let i = 0; i < 3; i++) world.spawn(Pool({ n: i }))
  const file = saveWorld(world)
  const twice = file.slice()
  // The numbers of the entities in the pool: 0, 1 and 2, in four bytes each.
  const numbers = [0, 1, 2].flatMap((n) => [n, 0, 0, 0])
  const places = Array.from(file.keys()).filter((at) => numbers.every((byte, i) => file[at + i] === byte))
  expect(places.length).toBe(1)
  twice[(places[0] as number) + 4] = 0
  refuses(sealed(twice))
  world.dispose()
})
