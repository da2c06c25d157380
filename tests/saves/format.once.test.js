// Shows that the page on the format has what the code writes, byte by byte, and that a file of every published version still
// loads.

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import {
  bool,
  component,
  createWorld,
  entity,
  f32,
  f64,
  i16,
  i32,
  i8,
  inCreationOrder,
  loadWorld,
  object,
  relation,
  resource,
  saveToJSON,
  saveWorld,
  sortedEntities,
  sparse,
  stable,
  tag,
  text,
  toggle,
  u16,
  u32,
  u8,
  vec,
} from '../../bindings/index'

const read = (path) => readFileSync(new URL(path, import.meta.url))

it('The dump on the page is what the program on the page writes', () => {
  const page = read('../../docs/internals/save-format.md').toString()
  const [, dump] = /^```text\n(0000 [\s\S]*?)^```$/m.exec(page)
  const rows = dump.trim().split('\n')
  const bytes = rows.flatMap((row) =>
    row
      .slice(6, 53)
      .trim()
      .split(' ')
      .map((byte) => parseInt(byte, 16)),
  )
  rows.forEach((row, i) => {
    expect(parseInt(row, 16)).toBe(i * 16)
    const signs = bytes
      .slice(i * 16, i * 16 + 16)
      .map((byte) => (byte < 32 || byte > 126 ? '.' : String.fromCharCode(byte)))
    expect(row.slice(55)).toBe(signs.join(''))
  })

  const Position = component('Position', { x: f32, y: f32 })
  const Name = component('Name', { value: text })
  const Health = component('Health', { hp: u16, by: entity }, { storage: sparse, toggle })
  const world = createWorld()
  const ann = world.spawn(Position({ x: 1, y: 2 }), Name({ value: 'Ann' }))
  const bob = world.spawn(Position({ x: 3, y: 4 }), Name({ value: 'Bob' }), Health({ hp: 9, by: ann }))
  world.disable(bob, Health)
  expect(bytes).toEqual([...saveWorld(world)])
})

/** What the kept file of version 1 was made of. */
const Numbers = component('Numbers', {
  a: i8,
  b: u8,
  c: i16,
  d: u16,
  e: i32,
  f: u32,
  g: f32,
  h: f64,
  i: bool,
})
const Link = component('Link', { who: entity, both: vec(entity, 2), label: text }, { storage: stable })
const Health = component('Health', { hp: u16 }, { storage: sparse, toggle, version: 3 })
const Red = tag('Red')
const Waiting = tag('Waiting', { order: 'insertion' })
const Mesh = object('Mesh', { revive: () => 'new' })
const Time = resource('Time', { now: f64, who: entity, cells: vec(f32, 3), name: text })
const Rng = resource('Rng', { save: (value) => value, load: (value) => value })
const KNOWN = [Numbers, Link, Health, Red, Waiting, Mesh, Time, Rng]

it('A file of version 1, written when the format was new, loads with every value', () => {
  const bytes = read('files/version-1.save')
  const { world, handles, unknown, absent } = loadWorld(bytes, { components: KNOWN })
  expect([unknown, absent, handles.size]).toEqual([[], [], 3])
  const [a, b, c] = [2, 0x01000001, 3].map((handle) => handles.get(handle))
  expect(world.get(a, Numbers)).toEqual({
    a: -128,
    b: 255,
    c: -32768,
    d: 65535,
    e: -(2 ** 31),
    f: 2 ** 32 - 1,
    g: -0,
    h: NaN,
    i: true,
  })
  expect(world.get(b, Link)).toEqual({ who: a, both: Uint32Array.of(b, 0xffffffff), label: 'žluť \ud800' })
  expect([world.get(b, Health), world.isEnabled(b, Health), world.isEnabled(c, Health)]).toEqual([
    { hp: 7 },
    false,
    true,
  ])
  expect([...world.query(Waiting).entities()]).toEqual([c, a])
  expect([world.get(c, Mesh), world.has(c, Red), world.tick]).toEqual(['new', true, 3])
  expect(world.getResource(Time)).toEqual({ now: 1.5, who: c, cells: Float32Array.of(1, 2, 3), name: 'noon' })
  expect(world.resource(Rng)).toEqual({ state: Uint32Array.of(1, 2), big: 5n, list: [NaN, null, { $: 1 }] })
  expect(saveToJSON(world).split('\n').length).toBeGreaterThan(20)
})

it('A file of version 2, written when links were added to the format, loads with targets, values and orders', () => {
  const ChildOf = relation('ChildOf', { exclusive: true, onTargetDestroy: 'destroy' })
  const Met = relation('Met', { day: u16, at: entity, text }, { exclusive: true, onTargetDestroy: 'keep' })
  const bytes = read('files/version-2.save')
  const { world, handles, unknown } = loadWorld(bytes, { components: [...KNOWN, ChildOf, Met] })
  expect([unknown, handles.size]).toEqual([[], 4])
  const [a, b, c, d] = [1, 2, 3, 4].map((handle) => handles.get(handle))
  expect([...world.sources(a, ChildOf)]).toEqual([d, b, c])
  expect([...world.query(ChildOf).entities()]).toEqual([b, c, d])
  expect([world.target(b, Met), world.get(b, Met)]).toEqual([c, { day: 7, at: a, text: 'a market' }])
  expect([world.target(d, Met), world.get(d, Met)]).toEqual([
    0xffffffff,
    { day: 8, at: 0xffffffff, text: '' },
  ])
})

it('A file of version 3, written when the order of creation was added to the format, loads with that order', () => {
  const ChildOf = relation('ChildOf', { exclusive: true, onTargetDestroy: 'destroy' })
  const bytes = read('files/version-3.save')
  const { world, handles, unknown } = loadWorld(bytes, { components: [...KNOWN, ChildOf] })
  expect([unknown, handles.size]).toEqual([[], 3])
  const [a, b, c] = [0x01000001, 0x01000002, 3].map((handle) => handles.get(handle))
  expect([...world.query(inCreationOrder()).entities()]).toEqual([c, b, a])
  expect([...sortedEntities(world.query(Health, Red), Health, 'hp')]).toEqual([c, b])
  expect([a, b, c].map((entity) => world.get(entity, Health)?.hp)).toEqual([5, 4, 3])
  expect(world.target(b, ChildOf)).toBe(c)
})

it('A file of version 4, written when values of objects were added to the format, loads with these', () => {
  const ChildOf = relation('ChildOf', { exclusive: true, onTargetDestroy: 'destroy' })
  const Effects = object('Effects', { save: (list) => list, load: (list) => list })
  const bytes = read('files/version-4.save')
  const { world, handles, unknown, absent } = loadWorld(bytes, { components: [...KNOWN, ChildOf, Effects] })
  expect([unknown, absent, handles.size]).toEqual([[], [], 3])
  const [a, b, c] = [...handles.values()]
  expect(world.get(a, Effects)).toEqual([{ name: 'slow', turns: 7, left: [1n, NaN, Uint8Array.of(1)] }])
  expect([world.get(b, Effects), world.get(b, Health), world.has(c, Effects)]).toEqual([[], { hp: 3 }, false])
  expect([world.target(c, ChildOf), world.has(a, Red)]).toEqual([b, true])
})
