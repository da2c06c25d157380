// Shows that wrong arguments of every public call are refused by a typed error with a code, and that nothing changes. The
// sentences belong to the tests of the call.

import { describe, expect, it } from 'vitest'
import {
  addMany,
  cloneEntity,
  getColumn,
  createAccessor,
  createCommands,
  destroyMany,
  disableMany,
  enableMany,
  createGroup,
  internText,
  objectsOf,
  onAdd,
  onExit,
  onRemove,
  onResource,
  onRestore,
  onSet,
  createRemovalReader,
  removeMany,
  setMany,
  sortRows,
  sortRowsAs,
  sortedEntities,
  cloneMany,
  sparse,
  spawnMany,
  onChange,
  onEnter,
  stable,
  StrataError,
  StrataTypeError,
  any,
  changed,
  component,
  createSchedule,
  createWorld,
  f32,
  not,
  object,
  optional,
  resource,
  sumOf,
  tag,
  text,
  textId,
  toggle,
  u32,
  vec,
  type World,
  digestWorld,
  queueDestroy,
  endFrame,
  forkWorld,
  maxOf,
  mergeWorld,
  minOf,
  restoreWorld,
  saveWorld,
  snapshotWorld,
  spawnAt,
  spawnManyAt,
  cloneTree,
  sweepReferences,
  sweepTexts,
  textOf,
} from '../../bindings/index'
import { watchedWorld } from '../support/watched'

const Position = component('Position', { x: f32, name: text }, { toggle })
const Pool = component('Pool', { n: u32 }, { storage: sparse })
const Other = component('Other', { n: u32 }, { storage: sparse })
const Slot = component('Slot', { n: u32 }, { storage: stable })
const Red = tag('Red', { toggle })
const Line = tag('Line', { order: 'insertion' })
const Sprite = object<{ tick(): void }>('Sprite')
const Time = resource('Time', { dt: f32 })

const JUNK: readonly unknown[] = [
  undefined,
  null,
  NaN,
  -1,
  0.5,
  2 ** 40,
  '',
  'x',
  true,
  {},
  [],
  () => {},
  Symbol('s'),
  7n,
]
const isFunction = (value: unknown) => typeof value === 'function'
const isOptions = (value: unknown) =>
  value === undefined || (typeof value === 'object' && !Array.isArray(value))
const isOptionsOrMaker = (value: unknown) => isOptions(value) || isFunction(value)

/** Called with what their types refuse. */
const loose = {
  addMany,
  clone: cloneEntity,
  columnOf: getColumn,
  createCommands,
  digest: digestWorld,
  discard: queueDestroy,
  endFrame,
  fork: forkWorld,
  group: createGroup,
  internText,
  maxOf,
  mergeWorld,
  minOf,
  objectsOf,
  removeMany,
  restore: restoreWorld,
  saveWorld,
  setMany,
  snapshot: snapshotWorld,
  sort: sortRows,
  sortAs: sortRowsAs,
  sorted: sortedEntities,
  spawnAt,
  spawnFrom: cloneMany,
  spawnManyAt,
  spawnTree: cloneTree,
  sumOf,
  sweepReferences,
  sweepTexts,
  textId,
  textOf,
} as any

interface Case {
  readonly name: string
  readonly call: (world: any, junk: any, known: Known) => unknown
  /** Junk that is no junk here. */
  readonly fine?: (junk: unknown) => boolean
}

interface Known {
  readonly ship: number
  readonly query: any
  readonly foreign: any
  readonly schedule: any
  readonly commands: any
}

const CASES: readonly Case[] = [
  { name: 'createWorld(options)', call: (_, junk) => createWorld(junk), fine: isOptions },
  { name: 'createWorld memory', call: (_, junk) => createWorld({ memory: junk }), fine: isOptions },
  {
    name: 'component schema',
    call: (_, junk) => component('C', junk),
    fine: (j) => typeof j === 'object' && j !== null,
  },
  { name: 'component options', call: (_, junk) => component('C', { x: f32 }, junk), fine: isOptions },
  { name: 'tag options', call: (_, junk) => tag('T', junk), fine: isOptions },
  { name: 'object options', call: (_, junk) => object('O', junk), fine: isOptionsOrMaker },
  {
    name: 'object init',
    call: (_, junk) => object('O', { init: junk }),
    fine: (j) => j === undefined || isFunction(j),
  },
  {
    name: 'resource schema',
    call: (_, junk) => resource('R', junk),
    fine: (j) => j === undefined || (typeof j === 'object' && j !== null),
  },
  { name: 'not', call: (_, junk) => not(junk) },
  { name: 'any', call: (_, junk) => any(junk) },
  { name: 'optional', call: (_, junk) => optional(junk) },
  { name: 'changed', call: (_, junk) => changed(junk) },
  { name: 'vec', call: (_, junk) => vec(f32, junk) },
  { name: 'world.spawn', call: (world, junk) => world.spawn(junk) },
  { name: 'spawnMany count', call: (world, junk) => spawnMany(world, junk, [Position]) },
  {
    name: 'spawnMany list',
    call: (world, junk) => spawnMany(world, 2, junk),
    fine: (j) => Array.isArray(j),
  },
  {
    name: 'spawnMany fill',
    call: (world, junk) => spawnMany(world, 2, [Position], junk),
    fine: (j) => j === undefined || isFunction(j),
  },
  { name: 'clone', call: (world, junk) => cloneEntity(world, junk) },
  { name: 'spawnFrom source', call: (world, junk) => cloneMany(world, junk, 1) },
  { name: 'spawnFrom count', call: (world, junk, { ship }) => cloneMany(world, ship, junk) },
  {
    name: 'destroyMany',
    call: (world, junk) => destroyMany(world, junk),
    fine: (j) => Array.isArray(j),
  },
  { name: 'world.add entity', call: (world, junk) => world.add(junk, Red) },
  { name: 'world.add component', call: (world, junk, { ship }) => world.add(ship, junk) },
  { name: 'world.add resource', call: (world, _, { ship }) => world.add(ship, Time) },
  { name: 'world.remove', call: (world, junk, { ship }) => world.remove(ship, junk) },
  {
    name: 'world.exchange removed',
    call: (world, junk, { ship }) => world.exchange(ship, junk, [Red]),
    fine: (j) => Array.isArray(j),
  },
  {
    name: 'world.exchange added',
    call: (world, junk, { ship }) => world.exchange(ship, [Pool], junk),
    fine: (j) => Array.isArray(j),
  },
  { name: 'world.exchange member', call: (world, junk, { ship }) => world.exchange(ship, [Pool], [junk]) },
  { name: 'world.has', call: (world, junk, { ship }) => world.has(ship, junk) },
  { name: 'world.get', call: (world, junk, { ship }) => world.get(ship, junk) },
  { name: 'world.get resource', call: (world, _, { ship }) => world.get(ship, Time) },
  { name: 'world.set component', call: (world, junk, { ship }) => world.set(ship, junk, {}) },
  {
    name: 'world.set values',
    call: (world, junk, { ship }) => world.set(ship, Position, junk),
    fine: (j) => typeof j === 'object' && j !== null,
  },
  {
    name: 'world.set field',
    call: (world, junk, { ship }) => world.set(ship, Pool, { n: junk }),
    fine: (j) => j === undefined,
  },
  {
    name: 'world.set object',
    call: (world, junk, { ship }) => world.set(ship, Sprite, junk),
    fine: (j) => j !== undefined,
  },
  {
    name: 'world.setIfDifferent component',
    call: (world, junk, { ship }) => world.setIfDifferent(ship, junk, {}),
  },
  {
    name: 'world.setIfDifferent object',
    call: (world, _, { ship }) => world.setIfDifferent(ship, Sprite, { tick() {} }),
  },
  {
    name: 'world.setIfDifferent values',
    call: (world, junk, { ship }) => world.setIfDifferent(ship, Position, junk),
    fine: (j) => typeof j === 'object' && j !== null,
  },
  { name: 'world.enable', call: (world, junk, { ship }) => world.enable(ship, junk) },
  { name: 'world.disable', call: (world, junk, { ship }) => world.disable(ship, junk) },
  { name: 'world.disable of no toggle', call: (world, _, { ship }) => world.disable(ship, Pool) },
  { name: 'world.isEnabled', call: (world, junk, { ship }) => world.isEnabled(ship, junk) },
  { name: 'createAccessor', call: (world, junk) => createAccessor(world, junk) },
  { name: 'createAccessor of a tag', call: (world) => createAccessor(world, Red as never) },
  { name: 'createAccessor of an object', call: (world) => createAccessor(world, Sprite as never) },
  { name: 'accessor.of', call: (world, junk) => createAccessor(world, Position).of(junk) },
  { name: 'accessor.at', call: (world, junk) => createAccessor(world, Slot).at(junk) },
  { name: 'world.query', call: (world, junk) => world.query(junk) },
  { name: 'world.query of a resource', call: (world) => world.query(Time) },
  { name: 'sort component', call: (world, junk) => loose.sort(world, junk, 'n') },
  { name: 'sort field', call: (world, junk) => loose.sort(world, Pool, junk), fine: isFunction },
  { name: 'sort options', call: (world, junk) => loose.sort(world, Pool, 'n', junk), fine: isOptions },
  { name: 'addMany', call: (world, junk) => loose.addMany(world, junk, Red), fine: Array.isArray },
  { name: 'addMany component', call: (world, junk, { ship }) => loose.addMany(world, [ship], junk) },
  { name: 'removeMany', call: (world, junk) => loose.removeMany(world, junk, Red), fine: Array.isArray },
  { name: 'removeMany component', call: (world, junk, { ship }) => loose.removeMany(world, [ship], junk) },
  {
    name: 'setMany values',
    call: (world, junk, { ship }) => loose.setMany(world, [ship], Pool, junk),
    fine: (j) => typeof j === 'object' && j !== null && Object.keys(j).length === 0,
  },
  { name: 'sumOf', call: (_, junk, { query }) => loose.sumOf(query, junk, 'x') },
  {
    name: 'sumOf field',
    call: (_, junk, { query }) => loose.sumOf(query, Position, junk),
    fine: (j) => j === 'x',
  },
  {
    name: 'columnOf field',
    call: (_, junk, { query }) => loose.columnOf(query, Position, junk),
    fine: (j) => j === 'x',
  },
  { name: 'sort of a table', call: (world) => loose.sort(world, Position, 'x') },
  { name: 'sort of a tag by', call: (world, junk) => loose.sort(world, Line, junk, 'n') },
  { name: 'sort of a tag by field', call: (world, junk) => loose.sort(world, Line, Pool, junk) },
  { name: 'sortAs', call: (world, junk) => loose.sortAs(world, junk, Pool) },
  { name: 'sortAs like', call: (world, junk) => loose.sortAs(world, Pool, junk) },
  { name: 'group', call: (world, junk) => loose.group(world, Pool, junk) },
  { name: 'group of one', call: (world) => loose.group(world, Pool) },
  { name: 'group twice', call: (world) => loose.group(world, Pool, Pool) },
  { name: 'world.batch', call: (world, junk) => world.batch(junk), fine: isFunction },
  { name: 'textId', call: (world, junk) => loose.textId(world, junk), fine: (j) => typeof j === 'string' },
  {
    name: 'internText',
    call: (world, junk) => loose.internText(world, junk),
    fine: (j) => typeof j === 'string',
  },
  { name: 'world.resource', call: (world, junk) => world.resource(junk) },
  { name: 'world.resource of a component', call: (world) => world.resource(Position) },
  { name: 'world.setResource', call: (world, junk) => world.setResource(junk, {}) },
  {
    name: 'world.setResource values',
    call: (world, junk) => world.setResource(Time, junk),
    fine: (j) => typeof j === 'object' && j !== null,
  },
  { name: 'world.getResource', call: (world, junk) => world.getResource(junk) },
  { name: 'world.hasResource', call: (world, junk) => world.hasResource(junk) },
  { name: 'world.removeResource', call: (world, junk) => world.removeResource(junk) },
  ...Object.entries({ onAdd, onRemove, onSet }).flatMap(([name, listen]: [string, any]) => [
    { name: `${name} world`, call: (_: World, junk: any) => listen(junk, Red, () => {}) },
    { name: `${name} component`, call: (world: World, junk: any) => listen(world, junk, () => {}) },
    {
      name: `${name} handler`,
      call: (world: World, junk: any) => listen(world, Red, junk),
      fine: isFunction,
    },
    { name: `${name} of a resource`, call: (world: World) => listen(world, Time, () => {}) },
  ]),
  { name: 'onAdd options', call: (world, junk) => onAdd(world, Red, () => {}, junk), fine: isOptions },
  ...Object.entries({ onEnter, onExit, subscribe: onChange }).flatMap(([name, listen]: [string, any]) => [
    { name: `${name} query`, call: (_: World, junk: any) => listen(junk, () => {}) },
    {
      name: `${name} handler`,
      call: (_: World, junk: any, { query }: Known) => listen(query, junk),
      fine: isFunction,
    },
    {
      name: `${name} of a page`,
      call: (_: World, __: any, { query }: Known) => listen(query.slice(0, 1), () => {}),
    },
  ]),
  ...Object.entries(loose).flatMap(([name, call]: [string, any]) =>
    /^(sorted|sumOf|minOf|maxOf|columnOf)$/.test(name)
      ? [{ name: `${name} query`, call: (_: World, junk: any) => call(junk, Position, 'x') }]
      : [{ name: `${name} world`, call: (_: World, junk: any) => call(junk, Pool, Pool) }],
  ),
  { name: 'removals world', call: (_, junk) => createRemovalReader(junk, Red) },
  { name: 'removals component', call: (world, junk) => createRemovalReader(world, junk) },
  { name: 'onResource world', call: (_, junk) => onResource(junk, Time, () => {}) },
  { name: 'onResource resource', call: (world, junk) => onResource(world, junk, () => {}) },
  { name: 'onRestore world', call: (_, junk) => onRestore(junk, () => {}) },
  {
    name: 'onEnter options',
    call: (_, junk, { query }) => onEnter(query, () => {}, junk),
    fine: isOptions,
  },
  { name: 'objectsOf', call: (world, junk) => loose.objectsOf(world, junk) },
  { name: 'objectsOf a component', call: (world) => loose.objectsOf(world, Position) },
  { name: 'query.where component', call: (_, junk, { query }) => query.where(junk, 'x', '>', 1) },
  {
    name: 'query.where field',
    call: (_, junk, { query }) => query.where(Position, junk, '>', 1),
    fine: (j) => j === 'x',
  },
  { name: 'query.where comparison', call: (_, junk, { query }) => query.where(Position, 'x', junk, 1) },
  {
    name: 'query.where value',
    call: (_, junk, { query }) => query.where(Position, 'x', '>', junk),
    fine: (j) => typeof j === 'number',
  },
  { name: 'sorted component', call: (_, junk, { query }) => loose.sorted(query, junk, 'x') },
  {
    name: 'sorted field',
    call: (_, junk, { query }) => loose.sorted(query, Position, junk),
    fine: (j) => j === 'x',
  },
  {
    name: 'query.at',
    call: (_, junk, { query }) => query.at(junk),
    fine: (j) => Number.isInteger(j) && (j as number) >= 0,
  },
  {
    name: 'query.slice start',
    call: (_, junk, { query }) => query.slice(junk),
    fine: (j) => Number.isInteger(j) && (j as number) >= 0,
  },
  {
    name: 'query.slice end',
    call: (_, junk, { query }) => query.slice(0, junk),
    fine: (j) => j === undefined || j === Infinity || (Number.isInteger(j) && (j as number) >= 0),
  },
  { name: 'query.partition', call: (_, junk, { query }) => query.partition(junk, 2) },
  {
    name: 'query.partition count',
    call: (_, junk, { query }) => query.partition(0, junk),
    fine: (j) => Number.isInteger(j) && (j as number) > 0,
  },
  { name: 'addMany', call: (_, junk, { query }) => addMany(query, junk) },
  { name: 'removeMany', call: (_, junk, { query }) => removeMany(query, junk) },
  { name: 'enableMany', call: (_, junk, { query }) => enableMany(query, junk) },
  { name: 'disableMany', call: (_, junk, { query }) => disableMany(query, junk) },
  { name: 'query.each', call: (_, junk, { query }) => query.each(junk), fine: isFunction },
  { name: 'commands.spawn', call: (_, junk, { commands }) => commands.spawn(junk) },
  { name: 'commands.spawnMany', call: (_, junk, { commands }) => spawnMany(commands, junk, [Red]) },
  {
    name: 'commands.spawnMany list',
    call: (_, junk, { commands }) => spawnMany(commands, 1, junk),
    fine: (j) => Array.isArray(j),
  },
  { name: 'commands.add', call: (_, junk, { commands, ship }) => commands.add(ship, junk) },
  { name: 'commands.add entity', call: (_, junk, { commands }) => commands.add(junk, Red) },
  { name: 'commands.remove', call: (_, junk, { commands, ship }) => commands.remove(ship, junk) },
  {
    name: 'commands.exchange',
    call: (_, junk, { commands, ship }) => commands.exchange(ship, junk, [Red]),
    fine: (j) => Array.isArray(j),
  },
  { name: 'commands.set', call: (_, junk, { commands, ship }) => commands.set(ship, junk, {}) },
  {
    name: 'commands.set values',
    call: (_, junk, { commands, ship }) => commands.set(ship, Position, junk),
    fine: (j) => typeof j === 'object' && j !== null,
  },
  { name: 'createSchedule world', call: (_, junk) => createSchedule(junk) },
  { name: 'createSchedule options', call: (world, junk) => createSchedule(world, junk), fine: isOptions },
  { name: 'schedule.add', call: (_, junk, { schedule }) => schedule.add(junk), fine: isFunction },
  {
    name: 'schedule.add options',
    call: (_, junk, { schedule }) => schedule.add(function named() {}, junk),
    fine: isOptions,
  },
  {
    name: 'schedule.add runIf',
    call: (_, junk, { schedule }) => schedule.add(function one() {}, { runIf: junk }),
    fine: (j) => j === undefined || isFunction(j) || Array.isArray(j),
  },
  {
    name: 'schedule.add queries',
    call: (_, junk, { schedule }) => schedule.add(function two() {}, { queries: [junk] }),
  },
  {
    name: 'schedule.add queries list',
    call: (_, junk, { schedule }) => schedule.add(function three() {}, { queries: junk }),
    fine: (j) => j === undefined || Array.isArray(j),
  },
  { name: 'schedule.addObjects', call: (_, junk, { schedule }) => schedule.addObjects(junk) },
  {
    name: 'schedule.addObjects options',
    call: (_, junk, { schedule }) => schedule.addObjects(Sprite, junk),
    fine: isOptions,
  },
  { name: 'schedule.remove', call: (_, junk, { schedule }) => schedule.remove(junk) },
  { name: 'schedule.enable', call: (_, junk, { schedule }) => schedule.enable(junk) },
  {
    name: 'schedule.phase',
    call: (_, junk, { schedule }) => schedule.phase(junk, {}),
    fine: (j) => typeof j === 'string',
  },
  {
    name: 'schedule.phase options',
    call: (_, junk, { schedule }) => schedule.phase('update', junk),
    fine: (j) => typeof j === 'object' && j !== null,
  },
  {
    name: 'schedule.run',
    call: (_, junk, { schedule }) => schedule.run(junk),
    fine: (j) => j === undefined || Number.isFinite(j),
  },
]

function knownIn(world: World): Known {
  const ship = world.spawn(Position({ x: 1, name: 'one' }), Pool({ n: 4 }), Other, Slot, Line)
  const foreign = watchedWorld().query(Position)
  const query = world.query(Position)
  return { ship, query, foreign, schedule: createSchedule(world), commands: createCommands(world) }
}

/** What a user can see of the one entity, and of the counts. */
function sightOf(world: World, ship: number): unknown {
  const { entities, archetypes, texts } = world.stats()
  const values = [Position, Pool, Other, Slot].map((kind) => world.get(ship, kind as never))
  return { entities, archetypes, texts, values, red: world.has(ship, Red), time: world.hasResource(Time) }
}

describe('a wrong argument', () => {
  for (const { name, call, fine } of CASES) {
    it(`of ${name} is refused by a typed error and changes nothing`, () => {
      const world = watchedWorld()
      const known = knownIn(world)
      const before = sightOf(world, known.ship)
      for (const junk of JUNK.filter((value) => fine?.(value) !== true)) {
        let error: unknown
        try {
          call(world, junk, known)
        } catch (thrown) {
          error = thrown
        }
        const what = `${typeof junk} ${Array.isArray(junk) ? '[]' : String(junk)}`
        if (!(error instanceof StrataError) && !(error instanceof StrataTypeError))
          expect.soft(error, what).toBe('a typed error')
        else expect.soft(typeof error.code, what).toBe('string')
        expect(sightOf(world, known.ship), what).toEqual(before)
      }
      // No loop stays open.
      expect(world.add(known.ship, Red)).toBe(true)
      expect(world.has(known.ship, Red)).toBe(true)
      // A page has room for about 120 worlds.
      world.dispose()
    })
  }
})

describe('options with a misspelt name', () => {
  it('are refused where something is declared, with the known names', () => {
    const misspelt = { toggel: true } as never
    for (const declare of [
      () => component('Fuse', { lit: f32 }, misspelt),
      () => tag('Fuse', misspelt),
      () => object('Fuse', misspelt),
    ]) {
      expect(declare).toThrow(StrataTypeError)
      expect(declare).toThrow(/no option 'toggel': the options are/)
    }
  })
})
