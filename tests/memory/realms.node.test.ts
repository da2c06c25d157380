// Shows that values of another realm, as a frame, a context of node:vm or Jest makes them, are taken wherever one's own are, and that what
// is refused is called by its kind.

import vm from 'node:vm'
import { describe, expect, it } from 'vitest'
import {
  getColumn,
  component,
  createCommands,
  f32,
  loadWorld,
  mergeWorld,
  object,
  relation,
  saveWorld,
  setMany,
  spawnMany,
  spawnManyAt,
  vec,
} from '../../bindings/index'
import { describe as described } from '../../bindings/memory/describe'
import { arrayKind, isPlain, kindOf } from '../../bindings/memory/realms'
import { caughtFrom } from '../support/caught'
import { testWorld } from '../support/world'

const other = vm.runInNewContext('globalThis') as typeof globalThis
const Position = component('Position', { x: f32, y: f32 })
const Bones = component('Bones', { at: vec(f32, 3) })
const Likes = relation('Likes')
const Bag = object<unknown>('Bag', { save: (value) => value, load: (value) => value as object })

it('the other realm has classes of its own', () => {
  expect(new other.Float32Array(1)).not.toBeInstanceOf(Float32Array)
  expect(other.Object.prototype).not.toBe(Object.prototype)
})

describe('Of another realm', () => {
  it('typed arrays are lists, handles, values, and outputs', () => {
    const world = testWorld()
    const entities = other.Uint32Array.from(spawnMany(world, 3, [Position, Bones]))
    setMany(world, entities, Position, { x: other.Float32Array.of(1, 2, 3), y: other.Array.of(4, 5, 6) })
    const into = new other.Float32Array(4)
    expect(getColumn(world.query(Position), Position, 'x', { into: into as never })).toBe(3)
    expect([...into]).toEqual([1, 2, 3, 0])
    world.set(entities[0] as never, Bones, { at: other.Float32Array.of(7, 8, 9) as never })
    expect([...(world.get(entities[0] as never, Bones)?.at ?? [])]).toEqual([7, 8, 9])
    world.setTargets(entities[0] as never, Likes, other.Array.of(entities[1], entities[2]) as never)
    const targets = new other.Uint32Array(2)
    expect(world.targets(entities[0] as never, Likes, { into: targets as never })).toBe(2)
    expect([...targets]).toEqual([entities[1], entities[2]])
  })

  it('bytes are a file, even those of a class that extends Uint8Array', () => {
    const world = testWorld()
    world.spawn(Position({ x: 3 }))
    class Bytes extends other.Uint8Array {}
    for (const bytes of [other.Uint8Array.from(saveWorld(world)), Bytes.from(saveWorld(world))]) {
      expect(loadWorld(bytes as never, { components: [Position] }).world.query(Position).count).toBe(1)
      expect(mergeWorld(testWorld(), bytes as never, { components: [Position] }).handles.size).toBe(1)
    }
  })

  it('plain objects, arrays and typed arrays are values that a file can hold; instances of classes are not', () => {
    const world = testWorld()
    const value = other.eval(
      '({ a: [1, { b: Object.create(null) }], c: new BigUint64Array([5n]) })',
    ) as object
    world.spawn(Bag(value))
    const { world: loaded } = loadWorld(saveWorld(world), { components: [Bag] })
    const [bag] = [...loaded.query(Bag).entities()]
    expect(loaded.get(bag as never, Bag)).toEqual({ a: [1, { b: {} }], c: BigUint64Array.of(5n) })
    for (const unplain of ['new (class Ship {})()', 'new Map()', 'Object.create({})', 'new Date(0)']) {
      const ship = world.spawn(Bag(other.eval(unplain)))
      expect(caughtFrom(() => saveWorld(world)).code).toBe('INVALID_VALUE')
      world.destroy(ship)
    }
  })

  it('an async function is refused like our own, and a module of WebAssembly is a core', async () => {
    const world = testWorld()
    const later = other.eval('async () => {}') as () => Promise<void>
    expect(caughtFrom(() => world.batch(later as never)).code).toBe('ASYNC_CALLBACK')
    expect(kindOf(await other.WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])))).toBe(
      'WebAssembly.Module',
    )
  })

  it('lists of components of a command buffer are lists', () => {
    const world = testWorld()
    const commands = createCommands(world)
    commands.spawn(Position(other.eval('({ x: 2 })')))
    commands.apply()
    expect(getColumn(world.query(Position), Position, 'x')).toEqual(Float32Array.of(2))
    expect(spawnManyAt(world, other.Array.of(99) as never, other.Array.of(Position) as never)).toBeDefined()
  })
})

describe('A refused value', () => {
  it.each([
    ['new Float32Array(2)', 'a Float32Array'],
    ['new Uint8Array(2)', 'a Uint8Array'],
    ['new Int8Array(2)', 'an Int8Array'],
    ['new DataView(new ArrayBuffer(1))', 'a DataView'],
    ['new ArrayBuffer(1)', 'an ArrayBuffer'],
    ['new Map()', 'a Map'],
    ['new RangeError("x")', 'an Error'],
    ['Promise.resolve()', 'a Promise'],
    ['[1]', 'a list'],
    ['({})', 'an object'],
    ['new (class Ship {})()', 'an object'],
    ['() => {}', 'a function'],
    ['({ get [Symbol.toStringTag]() { throw 1 } })', 'an object'],
  ])('is called by its kind: %s is %s', (source, name) => {
    for (const realm of [globalThis, other]) expect(described(realm.eval(`(${source})`))).toBe(name)
  })
})

it('A typed array is recognised whatever it claims to be, and what only claims to be one is refused', () => {
  class Liar extends Float32Array {
    override get [Symbol.toStringTag](): never {
      return 'Uint8Array' as never
    }
  }
  expect(arrayKind(new Liar(1))).toBe('Float32Array')
  for (const none of [
    { [Symbol.toStringTag]: 'Uint8Array' },
    Object.create(Uint8Array.prototype),
    new Proxy(new Uint8Array(1), {}),
    5,
    null,
    undefined,
  ])
    expect(arrayKind(none)).toBeUndefined()
})

it('A plain object is one of { }, of JSON or of Object.create(null)', () => {
  const values = [{}, JSON.parse('{}'), other.JSON.parse('{}'), Object.create(null), Object.prototype]
  expect(values.map(isPlain)).toEqual([true, true, true, true, true])
  const others = [Object.create({}), Object.create(Object.create(null)), new Map(), [], () => {}, 5, null]
  expect(others.map(isPlain)).toEqual([false, false, false, false, false, false, false])
})
