// Shows that a digest depends on handles, names and values, and on nothing else.

import { describe, expect, it } from 'vitest'
import {
  type Entity,
  type World,
  bool,
  changed,
  component,
  digestWorld,
  entity,
  f32,
  f64,
  i16,
  i32,
  i8,
  internText,
  object,
  resource,
  spawnMany,
  tag,
  text,
  toggle,
  u16,
  u32,
  u8,
  vec,
} from '../../bindings/index'
import { Health, Name, Position, Red, Slot } from '../support/kinds'
import { testWorld } from '../support/world'

const KINDS = { f32, f64, i8, u8, i16, u16, i32, u32, bool, entity, text }
const Lit = component('Lit', { watts: f64 }, { toggle })
const Matrix = component('Matrix', { m: vec(f32, 5) })
const Waiting = tag('Waiting', { order: 'insertion' })
const Time = resource('Time', { now: f64 })
const Settings = resource<number>('Settings')
const Mesh = object<number>('Mesh')

describe('equal digests', () => {
  it('The order of rows, chunks and calls has no influence', () => {
    const [a, b] = [testWorld(), testWorld()]
    const fill = (world: World, reversed: boolean) => {
      const es = Array.from({ length: 200 }, () => world.spawn())
      const order = reversed ? [...es].reverse() : es
      for (const e of order) {
        const add = [
          () => world.add(e, Position({ x: e })),
          () => world.add(e, Health({ hp: e & 0xff })),
          () => world.add(e, Name({ value: `name ${e % 7}` }), Red),
        ]
        for (const one of reversed ? add.reverse() : add) one()
      }
    }
    fill(a, false)
    fill(b, true)
    expect([...a.query(Position).entities()]).not.toEqual([...b.query(Position).entities()])
    expect(digestWorld(a)).toBe(digestWorld(b))
    expect(digestWorld(a, Health, Name)).toBe(digestWorld(b, Name, Health))
  })

  it('Queries, unused texts, ticks and earlier questions have no influence', () => {
    const [a, b] = [testWorld(), testWorld()]
    for (const world of [a, b]) world.spawn(Position({ x: 1 }), Name({ value: 'n' }))
    internText(b, 'nobody')
    b.query(changed(Position)).entities()
    b.query(Slot, Lit).entities()
    b.advanceTick()
    b.setResource(Settings, 4)
    expect(digestWorld(b)).toBe(digestWorld(a))
  })

  it('Infinities are distinguished from each other and from NaN', () => {
    for (const kind of [f32, f64]) {
      const Value = component('Value', { of: kind })
      const digests = [Infinity, -Infinity, NaN].map((of) => {
        const world = testWorld()
        world.spawn(Value({ of }))
        return digestWorld(world)
      })
      expect(new Set(digests).size).toBe(3)
    }
  })

  it('A NaN is a NaN, whatever its bits', () => {
    const [a, b] = [testWorld(), testWorld()]
    const Floats = component('Floats', { a: f32, b: f64, m: vec(f32, 3) })
    const bits = [
      [0x7fc00000, 0x7ff80000, 0],
      [0xffc12345, 0xfff00000, 1],
    ] as const
    ;[a, b].forEach((world, i) => {
      world.spawn(Floats)
      const [single, high, low] = bits[i] as (typeof bits)[number]
      for (const chunk of world.query(Floats)) {
        const { u32: words } = chunk.heap
        words[chunk.index(Floats, 'a')] = single
        words[chunk.index(Floats, 'm') + 1] = single
        words[chunk.index(Floats, 'b') * 2 + 1] = high
        words[chunk.index(Floats, 'b') * 2] = low
      }
    })
    for (const world of [a, b]) expect(world.query(Floats).first()).not.toBe(undefined)
    expect(digestWorld(a)).toBe(digestWorld(b))
  })

  it('An empty world, and components on no entity, give the digest of nothing', () => {
    const world = testWorld()
    const empty = digestWorld(world)
    const e = world.spawn(Position, Health, Red)
    world.destroy(e)
    expect(digestWorld(world)).toBe(empty)
    expect([digestWorld(world, Position), digestWorld(world, Slot)]).toEqual([0, 0])
  })
})

describe('different digests', () => {
  const changes: [string, (world: World, e: Entity) => void][] = [
    ['a value', (world, e) => world.set(e, Position, { y: 1e-30 })],
    ['the sign of a zero', (world, e) => world.set(e, Position, { x: -0 })],
    ['a value in a pool', (world, e) => world.set(e, Health, { hp: 1 })],
    ['a value in a stable pool', (world, e) => world.set(e, Slot, { n: 1 })],
    ['one value of a vec', (world, e) => world.set(e, Matrix, { m: [0, 0, 0, 0, 1] })],
    ['a text', (world, e) => world.set(e, Name, { value: 'other' })],
    ['a switch', (world, e) => world.disable(e, Lit)],
    ['a tag', (world, e) => world.remove(e, Red)],
    ['an ordered tag', (world, e) => world.remove(e, Waiting)],
    ['an object component', (world, e) => world.remove(e, Mesh)],
    ['an entity without components', (world) => world.spawn()],
    ['a resource', (world) => (world.resource(Time).now = 1)],
    ['that a resource is gone', (world) => world.removeResource(Time)],
  ]

  it.each(changes)('%s decides', (_, change) => {
    const world = testWorld()
    world.resource(Time)
    const e = world.spawn(Position, Health, Slot, Lit, Name, Matrix, Red, Waiting, Mesh(1))
    const before = digestWorld(world)
    change(world, e)
    expect(digestWorld(world)).not.toBe(before)
  })

  it.each(Object.entries(KINDS))('A field of %s decides', (name, field) => {
    const world = testWorld()
    const One = component(`One ${name}`, { before: u8, value: field, after: u8 })
    const e = world.spawn(One)
    const before = digestWorld(world, One)
    world.set(e, One, { value: name === 'bool' ? true : name === 'text' ? 'x' : 1 } as never)
    expect(digestWorld(world, One)).not.toBe(before)
  })

  it('The same values on other entities, or under another name, differ', () => {
    const Other = component('Other', { x: f32, y: f32 })
    const worlds = [Position, Position, Other].map((kind, i) => {
      const world = testWorld()
      const es = [world.spawn(), world.spawn()]
      world.add(es[i % 2] as Entity, kind({ x: 3 }))
      return digestWorld(world, kind)
    })
    expect(new Set(worlds).size).toBe(3)
  })

  it('Values swapped between entities or fields differ', () => {
    const world = testWorld()
    const [a, b] = [world.spawn(Position({ x: 1, y: 2 })), world.spawn(Position({ x: 3, y: 4 }))]
    const digests = new Set([digestWorld(world, Position)])
    world.set(a, Position, { x: 3, y: 4 })
    world.set(b, Position, { x: 1, y: 2 })
    digests.add(digestWorld(world, Position))
    world.set(a, Position, { x: 4, y: 3 })
    digests.add(digestWorld(world, Position))
    expect(digests.size).toBe(3)
  })
})

describe('a digest', () => {
  it('Named components count, others do not', () => {
    const world = testWorld()
    const e = world.spawn(Position, Health)
    const [position, both] = [digestWorld(world, Position), digestWorld(world, Position, Health)]
    world.set(e, Health, { hp: 4 })
    expect(digestWorld(world, Position)).toBe(position)
    expect(digestWorld(world, Position, Health)).not.toBe(both)
    world.resource(Time).now = 2
    const time = digestWorld(world, Time)
    world.resource(Time).now = 3
    expect(digestWorld(world, Time)).not.toBe(time)
  })

  it('It is a whole number below 2^32, even inside a loop', () => {
    const world = testWorld()
    spawnMany(world, 5000, [Position, Health, Red])
    const digested = digestWorld(world)
    expect(Number.isInteger(digested) && digested >= 0 && digested < 2 ** 32).toBe(true)
    for (const _ of world.query(Health)) expect(digestWorld(world)).toBe(digested)
  })

  it.each([null, 'Position', {}, Settings])('%s is refused', (wrong) => {
    expect(() => digestWorld(testWorld(), wrong as never)).toThrow(
      expect.objectContaining({ code: 'NOT_A_COMPONENT' }),
    )
  })
})

it('A bool has the same digest whatever number represents true', () => {
  const digestOf = (value: number) => {
    const world = testWorld()
    const Switch = component('Switch', { on: bool, list: vec(bool, 2) })
    world.spawn(Switch)
    for (const chunk of world.query(Switch)) {
      chunk.write(Switch).on[chunk.start] = value
      chunk.write(Switch).list[2 * chunk.start + 1] = value
    }
    return digestWorld(world)
  }
  expect([2, 128, 255].map(digestOf)).toEqual([1, 1, 1].map(digestOf))
  expect(digestOf(0)).not.toBe(digestOf(1))
})

it('A number that names no text has the digest of an empty text, whatever memory holds at its place', () => {
  const world = testWorld()
  world.spawn(Name)
  const none = digestWorld(world, Name)
  const Full = component('Full', { n: u32 })
  spawnMany(world, 100_000, [Full], (chunk) => chunk.write(Full).n.fill(0xffffffff, chunk.start, chunk.end))
  const digests = new Set<number>()
  for (let id = 1; id < 40_000; id += id < 1000 ? 1 : 97) {
    for (const chunk of world.query(Name)) chunk.write(Name).value[chunk.start] = id
    digests.add(digestWorld(world, Name))
  }
  expect([...digests]).toEqual([none])
})
