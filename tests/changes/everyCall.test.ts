// Shows that every call that asks for a change comes to the same: one at a time, by a list, by a query, in a block or by a
// buffer, with and without listeners; a refusal names the call. Where calls differ, the table MEANT says why.

import { describe, expect, it } from 'vitest'
import {
  addMany,
  component,
  createCommands,
  destroyMany,
  object,
  onAdd,
  onEnter,
  onExit,
  onRemove,
  onSet,
  relation,
  removeMany,
  resource,
  sparse,
  spawnMany,
  stable,
  tag,
  toggle,
  u8,
  NULL_ENTITY,
  type Commands,
  type Entity,
  type World,
} from '../../bindings/index'
import { watchedWorld } from '../support/watched'

const Beside = component('Beside', { n: u8 })
const Plain = tag('Plain')
const Table = component('Table', { n: u8.default(7) })
const Sparse = component('Sparse', { n: u8.default(7) }, { storage: sparse })
const Stable = component('Stable', { n: u8.default(7) }, { storage: stable })
const Own = object<string>('Own')
const Line = tag('Line', { order: 'insertion' })
const Lamp = component('Lamp', { n: u8.default(7) }, { toggle })
const Lit = tag('Lit', { toggle })
const One = relation('One', { n: u8 }, { exclusive: true })
const Some = relation('Some', { n: u8 })
const Setting = resource('Setting', { n: u8 })

const ALL = [Plain, Table, Sparse, Stable, Own, Line, Lamp, Lit, One, Some] as any[]

/** What one call is made of: every cell of the table has its own entities. */
interface Cell {
  readonly world: World
  readonly entity: Entity
  /** Two to point at, and one that is dead. */
  readonly first: Entity
  readonly second: Entity
  readonly gone: Entity
  /** A tag that this cell's entity alone has, where it has components at all. */
  readonly mark: any
}

type Targets = Pick<Cell, 'entity' | 'first' | 'second' | 'gone'>
type Part = (targets: Targets) => any

/** What an entity has, what a call adds, and what a call removes. */
interface Ingredient {
  readonly has: Part
  readonly add: Part
  readonly remove: Part
}

const INGREDIENTS: Record<string, Ingredient> = {}
for (const C of [Plain, Line, Lit])
  INGREDIENTS[C.componentName] = { has: () => C, add: () => C, remove: () => C }
for (const C of [Table, Sparse, Stable, Lamp]) {
  const common = { has: () => C({ n: 1 }), remove: () => C }
  INGREDIENTS[C.componentName] = { ...common, add: () => C }
  INGREDIENTS[`${C.componentName} with a value`] = { ...common, add: () => C({ n: 2 }) }
}
INGREDIENTS['Own'] = { has: () => Own('old'), add: () => Own, remove: () => Own }
INGREDIENTS['Own with a value'] = { ...INGREDIENTS['Own'], add: () => Own('new') }
for (const Link of [One, Some] as any[]) {
  const has: Part = ({ first }) => Link(first, { n: 1 })
  const links: Record<string, Ingredient> = {
    'to another': { has, add: ({ second }) => Link(second, { n: 2 }), remove: ({ second }) => Link(second) },
    'to the same': { has, add: ({ first }) => Link(first, { n: 2 }), remove: ({ first }) => Link(first) },
    'to the dead': { has, add: ({ gone }) => Link(gone), remove: ({ gone }) => Link(gone) },
    'to itself': { has, add: ({ entity }) => Link(entity), remove: ({ entity }) => Link(entity) },
    'without a target': { has, add: () => Link, remove: () => Link },
  }
  for (const [name, link] of Object.entries(links)) INGREDIENTS[`${Link.componentName} ${name}`] = link
}
INGREDIENTS['a resource'] = { has: () => Plain, add: () => Setting, remove: () => Setting }
INGREDIENTS['nothing'] = { has: () => Plain, add: () => undefined, remove: () => undefined }

const STATES = [
  'has it',
  'lacks it',
  'empty',
  'reserved',
  'dead',
  'its index used again',
  'NULL_ENTITY',
] as const
type State = (typeof STATES)[number]
const LIVING: readonly State[] = ['has it', 'lacks it', 'empty', 'reserved']

type Call = (cell: Cell, part: any) => unknown

const matching = ({ world, mark }: Cell) => world.query(mark) as any

function buffered({ world }: Cell, record: (commands: any) => void): void {
  const commands: Commands = createCommands(world)
  record(commands)
  commands.apply()
}

const SINGLE: Record<string, Record<string, Call>> = {
  add: {
    add: ({ world, entity }, part) => world.add(entity, part),
    exchange: ({ world, entity }, part) => world.exchange(entity, [], [part]),
    addMany: ({ world, entity }, part) => addMany(world, [entity], part),
    'query: addMany': (cell, part) => addMany(matching(cell), part),
  },
  remove: {
    remove: ({ world, entity }, part) => world.remove(entity, part),
    exchange: ({ world, entity }, part) => world.exchange(entity, [part], []),
    removeMany: ({ world, entity }, part) => removeMany(world, [entity], part),
    'query: removeMany': (cell, part) => removeMany(matching(cell), part),
  },
  destroy: {
    destroy: ({ world, entity }) => world.destroy(entity),
    destroyMany: ({ world, entity }) => destroyMany(world, [entity]),
    'query: destroyMany': (cell) => destroyMany(matching(cell)),
  },
}
const BUFFERED: Record<string, Record<string, (commands: any, entity: Entity, part: any) => void>> = {
  add: {
    add: (commands, entity, part) => commands.add(entity, part),
    exchange: (commands, entity, part) => commands.exchange(entity, [], [part]),
  },
  remove: {
    remove: (commands, entity, part) => commands.remove(entity, part),
    exchange: (commands, entity, part) => commands.exchange(entity, [part], []),
  },
  destroy: { destroy: (commands, entity) => commands.destroy(entity) },
}

/** Every way to ask for one kind of change. The first one is what the others are compared with. */
function callsOf(kind: string): Record<string, Call> {
  const calls: Record<string, Call> = { ...SINGLE[kind] }
  for (const [name, call] of Object.entries(SINGLE[kind]!)) {
    calls[`block ${name}`] = (cell, part) => cell.world.batch(() => void call(cell, part))
    if (name.startsWith('query'))
      calls[`page ${name}`] = (cell, part) =>
        call({ ...cell, world: { query: (mark: any) => cell.world.query(mark).slice(0, 9) } as any }, part)
    // What is removed beside it is nowhere: it folds, and changes nothing.
    else
      calls[`folded ${name}`] = (cell, part) =>
        cell.world.batch(() => (cell.world.remove(cell.entity, Beside), void call(cell, part)))
  }
  for (const [name, record] of Object.entries(BUFFERED[kind]!)) {
    calls[`commands.${name}`] = (cell, part) =>
      buffered(cell, (commands) => record(commands, cell.entity, part))
    calls[`folded commands.${name}`] = (cell, part) =>
      buffered(cell, (commands) => {
        commands.remove(cell.entity, Beside)
        record(commands, cell.entity, part)
      })
  }
  return calls
}

interface Place {
  readonly kind: string
  readonly ingredient: string
  readonly state: State
  readonly call: string
}

/** Where a call is refused, or passed over, that another one of its kind makes: nothing changes then, and why. */
const MEANT: readonly { why: string; where: (place: Place) => boolean; code: string | undefined }[] = [
  {
    why: 'A list or a query gives all the same values, and an object belongs to one entity.',
    where: ({ kind, ingredient, call }) =>
      kind === 'add' && ingredient.startsWith('Own') && /addMany|query/.test(call),
    code: 'INVALID_VALUE',
  },
  {
    why: 'One link is removed from one entity, by its target; a list, a query and an exchange name the relation.',
    where: ({ kind, ingredient, call }) =>
      kind === 'remove' && / to /.test(ingredient) && /exchange|Many|query/.test(call),
    code: 'NOT_A_COMPONENT',
  },
  {
    why: 'A list may be old: the dead in it are passed over.',
    where: ({ kind, ingredient, state, call }) =>
      kind === 'add' && call.endsWith('addMany') && !LIVING.includes(state) && !isMisuse(ingredient),
    code: undefined,
  },
  {
    why: 'An exchange also gives components, and giving the dead anything is refused; removing from them is not.',
    where: ({ kind, ingredient, state, call }) =>
      kind === 'remove' && call.endsWith('exchange') && !LIVING.includes(state) && !isMisuse(ingredient),
    code: 'DEAD_ENTITY',
  },
]

/** A tag for each call, with which a query finds its entity alone. */
const MARKS = Array.from({ length: 32 }, (_, i) => tag(`Mark ${i}`)) as any[]
/** So many indices wait before one is used again. */
const FREE_BEFORE_USED_AGAIN = 1025

function isMisuse(ingredient: string): boolean {
  return ingredient === 'a resource' || ingredient === 'nothing'
}

interface Outcome {
  code: string | undefined
  message: string
  state: unknown
  /** Whether anything is other than before. */
  changed: boolean
  told: string[]
}

/** What is to be seen of an entity. */
function look({ world, entity, first, second }: Cell): unknown {
  const name = (target: unknown) =>
    target === first ? 'first' : target === second ? 'second' : target === entity ? 'itself' : target
  const parts = ALL.map((C) => {
    if (!world.has(entity, C)) return undefined
    if (C === Some)
      return Array.from(world.targets(entity, Some), (to) => [name(to), world.get(entity, Some(to))])
    return [world.get(entity, C) ?? true, C === One && name(world.target(entity, One))]
  })
  const links = [first, second].map((to) => [world.sourceCount(to, One), world.sourceCount(to, Some)])
  return [world.isAlive(entity), parts, links]
}

/** Makes every call of a kind, each for an entity of its own, in one world. */
function outcomes(kind: string, ingredient: string, listens: boolean): Map<string, Outcome> {
  const world = watchedWorld({ memory: { initial: 2 ** 20 } })
  const { has, ...parts } = INGREDIENTS[ingredient]!
  const [gone] = spawnMany(world, 1, [])
  world.destroy(gone!)
  const calls = Object.entries(callsOf(kind))
  const cells: [string, Call, Cell][] = []
  for (const state of STATES) {
    calls.forEach(([call, make], i) => {
      if (call.includes('query') && state !== 'has it' && state !== 'lacks it') return
      const targets = { entity: NULL_ENTITY, first: world.spawn(), second: world.spawn(), gone: gone! }
      const mark = MARKS[state === 'has it' ? i : i + calls.length]
      let { entity } = targets as Targets
      if (state === 'lacks it') entity = world.spawn(mark)
      else if (state === 'empty') entity = world.spawn()
      else if (state === 'reserved') entity = createCommands(world).spawn()
      else if (state !== 'NULL_ENTITY') entity = world.spawn(mark, has(targets as Targets))
      if (state === 'dead' || state === 'its index used again') world.destroy(entity)
      cells.push([`${state} | ${call}`, make, { world, mark, ...targets, entity }])
    })
    if (state === 'its index used again') spawnMany(world, FREE_BEFORE_USED_AGAIN, [])
  }
  const told: [Entity, string][] = []
  if (listens) listen(world, told)
  const found = new Map<string, Outcome>()
  const total = () => ALL.map((C) => world.query(C).count)
  for (const [name, make, cell] of cells) {
    told.length = 0
    const outcome: Outcome = { code: undefined, message: '', state: undefined, changed: false, told: [] }
    const before = total()
    const looked = JSON.stringify(look(cell))
    try {
      make(cell, kind === 'destroy' ? undefined : parts[kind as 'add'](cell))
    } catch (error) {
      outcome.code = (error as { code?: string }).code ?? String(error)
      outcome.message = (error as Error).message
    }
    // An entity more or less in some query would be another one than ours.
    const counts = total().map((count, i) => count - (before[i] as number))
    outcome.state = [look(cell), counts]
    outcome.changed = JSON.stringify(look(cell)) !== looked || counts.some((count) => count !== 0)
    outcome.told = told.map(([entity, what]) => (entity === cell.entity ? what : `another: ${what}`))
    found.set(name, outcome)
  }
  world.dispose()
  return found
}

/** Notes what every listener is told, and whether the component is there at that moment. */
function listen(world: World, told: [Entity, string][]): void {
  for (const C of ALL) {
    const name: string = C.componentName
    const note = (what: string) => (entity: Entity) =>
      void told.push([entity, `${what} ${name} ${world.isAlive(entity) && world.has(entity, C)}`])
    onAdd(world, C, note('added'))
    onRemove(world, C, note('removed'))
    onEnter(world.query(C), note('entered'))
    onExit(world.query(C), note('left'))
    if (C !== Some) onSet(world, C, note('set'))
  }
}

/** The name that an error begins with. */
function nameOf(call: string, code: string | undefined): string {
  const name = call.replace(/^(block |folded |page )?(query: )?/, '')
  // Whether a value or a target is missing turns out when a buffer is applied: it is the change that is refused then.
  return code === 'INVALID_VALUE' ? name.replace('commands.', '') : name
}

describe.each(['add', 'remove', 'destroy'])('every call that amounts to %s', (kind) => {
  const first = Object.keys(callsOf(kind))[0] as string
  it.each(Object.keys(INGREDIENTS))(
    'has the same effect, or says why it has no effect, with %s',
    (ingredient) => {
      const loud = outcomes(kind, ingredient, true)
      const quiet = outcomes(kind, ingredient, false)
      for (const [name, outcome] of loud) {
        const [state, call] = name.split(' | ') as [State, string]
        const { told: _, ...unheard } = outcome
        expect({ ...quiet.get(name), told: undefined }, `${name}, without listeners`).toEqual({
          ...unheard,
          told: undefined,
        })
        const meant = MEANT.find(({ where }) => where({ kind, ingredient, state, call }))
        const single = loud.get(`${state} | ${first}`) as Outcome
        if (meant === undefined) {
          expect([outcome.code, outcome.state, outcome.told], name).toEqual([
            single.code,
            single.state,
            single.told,
          ])
        } else {
          expect([outcome.code, outcome.changed, outcome.told], `${name}: ${meant.why}`).toEqual([
            meant.code,
            false,
            [],
          ])
        }
        if (outcome.code !== undefined)
          expect(outcome.message.split(/[: ]/)[0], name).toBe(nameOf(call, outcome.code))
      }
    },
  )
})
