// Shows that every call that takes a list refuses anything else, and items that a list only claims to hold, before anything is
// copied or changed; and that it takes lists of any realm.

import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import {
  type Entity,
  type World,
  addMany,
  bool,
  getColumn,
  component,
  createAccessor,
  createCommands,
  createSchedule,
  createSpawner,
  destroyMany,
  digestWorld,
  entity,
  f32,
  loadWorld,
  mergeWorld,
  onAdd,
  onRemove,
  onSet,
  relation,
  removeMany,
  resource,
  saveToJSON,
  saveWorld,
  setColumn,
  setMany,
  spawnMany,
  spawnManyAt,
  tag,
  text,
  u8,
  vec,
} from '../../bindings/index'
import { codeOf } from '../support/caught'
import { watchedWorld } from '../support/watched'

const Unit = component('Unit', { x: f32, on: bool, kind: u8, who: entity, name: text, at: vec(u8, 3) })
const Frozen = tag('Frozen')
const Likes = relation('Likes', { weight: u8 })
const Wind = resource('Wind', { at: vec(f32, 3) })

interface Stage {
  readonly world: World
  readonly units: readonly Entity[]
  readonly heard: string[]
}

function stage(): Stage {
  const world = watchedWorld()
  const units = Array.from(spawnMany(world, 3, [Unit]))
  world.add(units[0] as Entity, Likes(units[1] as Entity))
  world.setResource(Wind, { at: [1, 2, 3] })
  const heard: string[] = []
  for (const of of [Unit, Frozen, Likes] as const) {
    onAdd(world, of, () => void heard.push('add'))
    onRemove(world, of, () => void heard.push('remove'))
  }
  onSet(world, Unit, () => void heard.push('set'))
  return { world, units, heard }
}

function transferred<T extends { readonly buffer: ArrayBuffer }>(array: T): T {
  structuredClone(array.buffer, { transfer: [array.buffer] })
  return array
}

/** A typed array that reaches beyond its memory, as it is where a WebAssembly or resizable buffer has become shorter. */
function outOfBounds(): Float32Array {
  const Resizable = ArrayBuffer as unknown as new (
    bytes: number,
    options: object,
  ) => ArrayBuffer & { resize(bytes: number): void }
  const buffer = new Resizable(16, { maxByteLength: 16 })
  const array = new Float32Array(buffer, 4, 3)
  buffer.resize(8)
  return array
}

/** What is no list at all. */
const NO_LISTS: readonly [string, () => unknown][] = [
  ['null', () => null],
  ['a number', () => 3],
  ['a bigint', () => 3n],
  ['a symbol', () => Symbol('list')],
  ['a boolean', () => true],
  ['a string', () => 'abc'],
  ['a function', () => () => 3],
  ['an object without a length', () => ({ 0: 1, 1: 2, 2: 3 })],
  ['a Map', () => new Map([[1, 1]])],
  ['a Set', () => new Set([1, 2, 3])],
  ['an iterator', () => [1, 2, 3].values()],
  ['a DataView', () => new DataView(new ArrayBuffer(24))],
  ['an ArrayBuffer', () => new ArrayBuffer(24)],
  ['a BigInt64Array', () => new BigInt64Array(3)],
  ['a BigUint64Array', () => new BigUint64Array(3)],
  ['an empty BigInt64Array', () => new BigInt64Array(0)],
  ['a Float32Array that was transferred', () => transferred(new Float32Array(3))],
  ['a Uint32Array that was transferred', () => transferred(new Uint32Array(3))],
  ['a Uint8Array that was transferred', () => transferred(new Uint8Array(3))],
  ['an array beyond its memory', outOfBounds],
  ['a length below 0', () => ({ length: -1 })],
  ['a length of NaN', () => ({ length: NaN })],
  ['a length of 2.5', () => ({ length: 2.5, 0: 1, 1: 2, 2: 3 })],
  ['a length without end', () => ({ length: Infinity })],
  ['a length that no array has', () => ({ length: 2 ** 32 })],
  ['a length that is a string', () => ({ length: '3', 0: 1, 1: 2, 2: 3 })],
  ['a length that is a bigint', () => ({ length: 3n, 0: 1, 1: 2, 2: 3 })],
  ['a Proxy of a typed array', () => new Proxy(new Uint32Array(3), {})],
  [
    'a length that cannot be read',
    () => ({
      get length() {
        throw new Error('no')
      },
    }),
  ],
]

/** Lists of what no handle, value or component is. */
const BAD_ELEMENTS: readonly [string, () => ArrayLike<unknown>][] = [
  ['bigints', () => [1n, 2n, 3n]],
  ['symbols', () => [Symbol('a'), Symbol('b'), Symbol('c')]],
  ['objects', () => [{}, {}, {}]],
  ['lists', () => [[1], [2], [3]]],
  ['nulls', () => [null, null, null]],
  ['holes', () => new Array<unknown>(3)],
  ['a Proxy of bigints', () => new Proxy([1n, 2n, 3n], {})],
  ['bigints of an object with a length', () => ({ length: 3, 0: 1n, 1: 2n, 2: 3n })],
]

/** Lists that say that they have more than they have. */
const LYING: readonly [string, () => ArrayLike<unknown>][] = [
  ['an object that says it has a billion', () => ({ length: 1e9 })],
  ['an array of a billion holes', () => new Array<unknown>(1e9)],
  [
    'a length that is another at each look',
    () => {
      let length = 3
      return { get length() { return (length += 1e8) } } // prettier-ignore
    },
  ],
]

type Call = (stage: Stage, list: never) => unknown

/** Calls that take handles: the code for what is no handle. */
const HANDLES: readonly [string, string, Call][] = [
  ['destroyMany', 'NOT_AN_ENTITY', ({ world }, list) => destroyMany(world, list)],
  ['addMany', 'NOT_AN_ENTITY', ({ world }, list) => addMany(world, list, Frozen)],
  ['removeMany', 'NOT_AN_ENTITY', ({ world }, list) => removeMany(world, list, Unit)],
  ['setMany', 'NOT_AN_ENTITY', ({ world }, list) => setMany(world, list, Unit, {})],
  ['setTargets', 'NOT_AN_ENTITY', ({ world, units: [first] }, list) => world.setTargets(first as Entity, Likes, list)],
  ['spawnManyAt', 'INVALID_OPTION', ({ world }, list) => spawnManyAt(world, list, [Unit])],
  ['entities of saveWorld', 'NOT_AN_ENTITY', ({ world }, entities) => saveWorld(world, { entities })],
  ['entities of saveToJSON', 'NOT_AN_ENTITY', ({ world }, entities) => saveToJSON(world, { entities })],
] // prettier-ignore

const FIELDS = ['x', 'on', 'kind', 'who', 'name', 'at'] as const

/** Calls that take values, one for each handle or row. */
const VALUES: readonly [string, string, Call][] = [
  ...FIELDS.map((field): [string, string, Call] => [
    `the values of setMany for ${field}`,
    'INVALID_VALUE',
    ({ world, units }, list) =>
      setMany(world, field === 'at' ? units.slice(0, 1) : units, Unit, { [field]: list }),
  ]),
  ...FIELDS.filter((field) => field !== 'name').map((field): [string, string, Call] => [
    `setColumn of ${field}`,
    'INVALID_VALUE',
    ({ world }, list) => setColumn(world.query(Unit), Unit, field, list),
  ]),
  [
    'the values of setTargets',
    'INVALID_VALUE',
    ({ world, units }, weight) => world.setTargets(units[0] as Entity, Likes, units, { values: { weight } }),
  ],
]

/** Calls that take a list for one value of a vec; whatever is none is no value. */
const VECS: readonly [string, string, Call][] = [
  ['spawn', 'INVALID_VALUE', ({ world }, at) => world.spawn(Unit({ at }))],
  ['set', 'INVALID_VALUE', ({ world, units: [first] }, at) => world.set(first as Entity, Unit, { at })],
  ['setIfDifferent', 'INVALID_VALUE', ({ world, units: [first] }, at) => world.setIfDifferent(first as Entity, Unit, { at })],
  ['commands.set', 'INVALID_VALUE', ({ world, units: [first] }, at) => createCommands(world).set(first as Entity, Unit, { at })],
  ['a cursor', 'INVALID_VALUE', ({ world, units: [first] }, at) => (createAccessor(world, Unit).of(first as Entity).at = at)],
  ['a field accessor', 'INVALID_VALUE', ({ world, units: [first] }, at) => createAccessor(world, Unit, 'at').set(first as Entity, at)],
  ['a spawner', 'INVALID_VALUE', ({ world }, at) => createSpawner(world, [Unit, 'at'])(at)],
  ['setResource', 'INVALID_VALUE', ({ world }, at) => world.setResource(Wind, { at })],
  ['a resource', 'INVALID_VALUE', ({ world }, at) => (world.resource(Wind).at = at)],
  ['default', 'INVALID_VALUE', (_, at) => vec(u8, 3).default(at)],
] // prettier-ignore

/** Calls that take arrays of components and the like: the code for what none is. */
const NAMES: readonly [string, string, string, Call][] = [
  ['spawnMany', 'INVALID_OPTION', 'NOT_A_COMPONENT', ({ world }, list) => spawnMany(world, 2, list)],
  ['spawnManyAt', 'INVALID_OPTION', 'NOT_A_COMPONENT', ({ world }, list) => spawnManyAt(world, [900, 901], list)],
  ['the losses of exchange', 'INVALID_OPTION', 'NOT_A_COMPONENT', ({ world, units: [first] }, list) => world.exchange(first as Entity, list, [])],
  ['the gains of exchange', 'INVALID_OPTION', 'NOT_A_COMPONENT', ({ world, units: [first] }, list) => world.exchange(first as Entity, [], list)],
  ['commands.spawnMany', 'INVALID_OPTION', 'NOT_A_COMPONENT', ({ world }, list) => createCommands(world).spawnMany(2, list)],
  ['commands.exchange', 'INVALID_OPTION', 'NOT_A_COMPONENT', ({ world, units: [first] }, list) => createCommands(world).exchange(first as Entity, list, [])],
  ['only of saveWorld', 'INVALID_OPTION', 'NOT_A_COMPONENT', ({ world }, only) => saveWorld(world, { only })],
  ['components of mergeWorld', 'INVALID_OPTION', 'NOT_A_COMPONENT', ({ world }, components) => mergeWorld(world, saveWorld(world), { components })],
  ['components of loadWorld', 'INVALID_OPTION', 'NOT_A_COMPONENT', ({ world }, components) => loadWorld(saveWorld(world), { components })],
  ['writes of a system', 'INVALID_SYSTEM', 'NOT_A_COMPONENT', ({ world }, writes) => createSchedule(world).add(() => {}, { name: 'a', writes })],
  ['reads of a system', 'INVALID_SYSTEM', 'NOT_A_COMPONENT', ({ world }, reads) => createSchedule(world).add(() => {}, { name: 'a', reads })],
  ['queries of a system', 'INVALID_SYSTEM', 'INVALID_SYSTEM', ({ world }, queries) => createSchedule(world).add(() => {}, { name: 'a', queries })],
] // prettier-ignore

/** Calls that fill an array of the program's. */
const FILLED: readonly [string, string, Call][] = [
  ['into of columnOf', 'INVALID_OPTION', ({ world }, into) => getColumn(world.query(Unit), Unit, 'kind', { into })],
  ['into of targets', 'INVALID_OPTION', ({ world, units: [first] }, into) => world.targets(first as Entity, Likes, { into })],
] // prettier-ignore

type Lists = readonly (readonly [string, () => unknown])[]

/** What becomes of a call, also in a block: the code of its error, and whether something happened all the same. */
function outcomeOf(call: Call, list: () => unknown, stages: readonly Stage[]): string {
  const codes = stages.map((given, i) => {
    const { world, heard } = given
    const before = digestWorld(world)
    const action = () => call(given, list() as never)
    const code = codeOf(() => (i === 1 ? world.batch(action) : action()))
    return digestWorld(world) === before && heard.length === 0 ? code : `${code}, and something happened`
  })
  // Saving is refused in a block, whatever it is given.
  return [...new Set(codes)].filter((code) => code !== 'WORLD_LOCKED').join(', in a block ')
}

function outcomes(call: Call, lists: Lists): [string, string][] {
  // Nothing may happen: the same two worlds do for all lists.
  const stages = [stage(), stage()]
  return lists.map(([what, list]) => [what, outcomeOf(call, list, stages)])
}

const all = (lists: Lists, code: string) => lists.map(([what]) => [what, code])

describe('a call that takes handles or values', () => {
  it.each([...HANDLES, ...VALUES])('refuses anything but a list: %s', (_, __, call) => {
    expect(outcomes(call, NO_LISTS)).toEqual(all(NO_LISTS, 'INVALID_OPTION'))
  })

  it.each([...HANDLES, ...VALUES])('refuses invalid items of a list: %s', (_, code, call) => {
    expect(outcomes(call, BAD_ELEMENTS)).toEqual(all(BAD_ELEMENTS, code))
  })

  it.each(HANDLES)('refuses more handles than a world can have entities: %s', (_, __, call) => {
    expect(outcomes(call, LYING)).toEqual(all(LYING, 'INVALID_OPTION'))
  })

  it.each(VALUES)('reads only what it needs of a list that claims to have more: %s', (_, code, call) => {
    expect(outcomes(call, LYING)).toEqual(all(LYING, code))
  })
})

describe('a call that takes one kind of list', () => {
  it.each([...VECS, ...FILLED])('refuses any other: %s', (_, code, call) => {
    const lists = [...NO_LISTS, ...BAD_ELEMENTS, ...LYING]
    expect(outcomes(call, lists)).toEqual(all(lists, code))
  })
})

describe('a call that takes an array of components, or of other named things', () => {
  it.each(NAMES)('refuses anything but an array: %s', (_, code, __, call) => {
    const lists = [...NO_LISTS, ...BAD_ELEMENTS.filter(([, list]) => !Array.isArray(list()))]
    expect(outcomes(call, lists)).toEqual(all(lists, code))
  })

  it.each(NAMES)('refuses items that lack such a name: %s', (_, __, code, call) => {
    const lists = BAD_ELEMENTS.filter(([, list]) => Array.isArray(list()))
    expect(outcomes(call, lists)).toEqual(all(lists, code))
  })

  it.each(NAMES)('refuses an array of a billion holes: %s', (_, __, ___, call) => {
    const lists = [['holes', () => new Array<unknown>(1e9)]] as const
    expect(outcomes(call, lists)).toEqual(all(lists, 'INVALID_OPTION'))
  })
})

/** Calls in which undefined stands for an option that is left out, or for a field without a value. */
const NEED_NO_LIST = [
  ...['entities of saveWorld', 'entities of saveToJSON', 'only of saveWorld', 'components of mergeWorld'],
  ...FIELDS.map((field) => `the values of setMany for ${field}`),
  ...['the values of setTargets', 'into of columnOf', 'into of targets'],
  ...['writes of a system', 'reads of a system', 'queries of a system'],
  ...['spawn', 'set', 'setIfDifferent', 'commands.set', 'a spawner', 'setResource'],
]

describe('undefined in place of a list', () => {
  const isVec = (name: string) => VECS.some(([one]) => one === name)

  it.each([...HANDLES, ...VALUES, ...VECS, ...FILLED, ...NAMES])(
    'is refused only by a call that needs one: %s',
    (name, code, ...rest) => {
      const call = rest.at(-1) as Call
      const needs = !NEED_NO_LIST.includes(name)
      const found = outcomeOf(call, () => undefined, [stage(), stage()])
      if (needs) expect(found).toBe(isVec(name) ? code : 'INVALID_OPTION')
      else expect(found).toMatch(/^nothing thrown/)
    },
  )
})

/** The same array over memory of which other threads may have a view. */
function sharing<T extends Float64Array | Float32Array | Uint32Array>(array: T): T {
  const Own = array.constructor as new (buffer: SharedArrayBuffer) => T
  const shared = new Own(new SharedArrayBuffer(array.byteLength))
  shared.set(array)
  return shared
}

/** The same numbers in everything that counts as a list. */
const KINDS_OF_LISTS: readonly [string, (numbers: readonly number[]) => ArrayLike<number>][] = [
  ['an array', (numbers) => [...numbers]],
  ['a frozen array', (numbers) => Object.freeze([...numbers])],
  ['a Uint32Array', (numbers) => Uint32Array.from(numbers)],
  ['a Float64Array', (numbers) => Float64Array.from(numbers)],
  ['an array over memory that threads share', (numbers) => sharing(new Float64Array(numbers))],
  ['a Uint32Array over memory that threads share', (numbers) => sharing(new Uint32Array(numbers))],
  ['an object with a length', (numbers) => ({ ...numbers, length: numbers.length })],
  ['a Proxy of an array', (numbers) => new Proxy([...numbers], {})],
  ['an array of another realm', (numbers) => runInNewContext('numbers => Array.from(numbers)')(numbers)],
  [
    'a Uint32Array of another realm',
    (numbers) => runInNewContext('numbers => Uint32Array.from(numbers)')(numbers),
  ],
  [
    'a class that extends Uint32Array and says that it is empty',
    (numbers) => {
      class Modest extends Uint32Array {
        override get length(): number {
          return 0
        }
      }
      return Modest.from(numbers)
    },
  ],
]

describe.each(KINDS_OF_LISTS)('%s', (_, of) => {
  it('is a list of handles', () => {
    const { world, units } = stage()
    expect(addMany(world, of(units), Frozen)).toBe(3)
    expect(removeMany(world, of(units), Frozen)).toBe(3)
    world.setTargets(units[0] as Entity, Likes, of(units))
    expect(Array.from(world.targets(units[0] as Entity, Likes))).toEqual(units)
    const { world: copy } = loadWorld(saveWorld(world, { entities: of(units.slice(1)) }), {
      components: [Unit, Likes, Wind],
    })
    expect(copy.query(Unit).count).toBe(2)
    expect(destroyMany(world, of(units))).toBe(3)
    expect(Array.from(spawnManyAt(world, of([units[2] as number]), [Unit]))).toEqual([units[2]])
  })

  it('is a list of values', () => {
    const { world, units } = stage()
    setMany(world, of(units), Unit, { x: of([1, 2, 3]), who: of(units) })
    expect(Array.from(getColumn(world.query(Unit), Unit, 'x'))).toEqual([1, 2, 3])
    expect(Array.from(getColumn(world.query(Unit), Unit, 'who'))).toEqual(units)
    expect(setColumn(world.query(Unit), Unit, 'kind', of([7, 8, 9, 10]))).toBe(3)
    expect(Array.from(getColumn(world.query(Unit), Unit, 'kind'))).toEqual([7, 8, 9])
  })
})

it('An array of another realm is filled', () => {
  const { world, units } = stage()
  const into: Float32Array = runInNewContext('new Float32Array(4)')
  setColumn(world.query(Unit), Unit, 'x', [1, 2, 3])
  expect(getColumn(world.query(Unit), Unit, 'x', { into })).toBe(3)
  expect(Array.from(into)).toEqual([1, 2, 3, 0])
  const handles: Uint32Array = runInNewContext('new Uint32Array(1)')
  expect(world.targets(units[0] as Entity, Likes, { into: handles })).toBe(1)
  expect(handles[0]).toBe(units[1])
})

it('An array over memory that threads share is filled', () => {
  const { world, units } = stage()
  const into = sharing(new Float32Array(4))
  setColumn(world.query(Unit), Unit, 'x', [1, 2, 3])
  expect(getColumn(world.query(Unit), Unit, 'x', { into })).toBe(3)
  expect(Array.from(into)).toEqual([1, 2, 3, 0])
  const handles = sharing(new Uint32Array(1))
  expect(world.targets(units[0] as Entity, Likes, { into: handles as never })).toBe(1)
  expect(handles[0]).toBe(units[1])
})

it('A list is read once, whatever its code does to another one meanwhile', () => {
  const { world, units } = stage()
  const handles = Uint32Array.from(units)
  const weight = {
    length: 3,
    0: 1,
    1: 2,
    get 2() {
      transferred(handles)
      return 3
    },
  }
  world.setTargets(units[0] as Entity, Likes, handles, { values: { weight } })
  expect(units.map((unit) => world.get(units[0] as Entity, Likes(unit)))).toEqual([
    { weight: 1 },
    { weight: 2 },
    { weight: 3 },
  ])
})

it('The sentence describes what was given', () => {
  const { world, units } = stage()
  const refused = (list: unknown) => () => destroyMany(world, list as never)
  expect(refused(new BigInt64Array(1))).toThrow(
    'destroyMany takes an array of entities, not a BigInt64Array of length 1.',
  )
  expect(refused(transferred(new Uint32Array(1)))).toThrow('not a Uint32Array of length undefined.')
  expect(refused({ length: -1 })).toThrow('not an object.')
  expect(refused(new Set(units))).toThrow('not a Set.')
})
