// Shows what every call does in a loop, in a batch, in a listener, in a sealed world, in a disposed world and without memory: the
// table is in tests/support/calls.ts. A new call must be entered there.

import { describe, expect, it } from 'vitest'
import * as library from '../../bindings/index'
import { type World, onSet, snapshotWorld } from '../../bindings/index'
import { WORLD_STATUS } from '../../build/layout'
import { expectSameState, stateOf } from '../support/bytes'
import { CALLS, type Row, type Stage, Node, look, nameOf, receiverOf, stageIn, use } from '../support/calls'
import { codeOf } from '../support/caught'
import { publicNames } from '../support/publicNames'
import { leaveFree, withoutFreeObjects } from '../support/scarcity'
import { watchedWorld } from '../support/watched'

/** Ways to make a call while the world is in a state. */
const STATES: [state: string, enter: (stage: Stage, call: () => void) => void][] = [
  ['in a loop', inLoop],
  ['in a batch', ({ world }, call) => world.batch(call)],
  ['in a listener', inListener],
  ['in a sealed world', inSeal],
]

function inLoop({ query }: Stage, call: () => void): void {
  for (const _ of query) return call()
}

function inListener({ world, bob }: Stage, call: () => void): void {
  onSet(world, Node, call)
  world.set(bob, Node, { n: 0 })
}

function inSeal({ world, seal }: Stage, call: () => void): void {
  seal.run = call
  snapshotWorld(world)
}

const ROWS = Object.entries(CALLS).flatMap(([room, rows]) =>
  Object.entries(rows as Record<string, Row>).map(([call, row]) => ({ room, call, row })),
)

/** Every call, with the cell of one column. */
const cellsOf = (column: number) =>
  ROWS.map(({ room, call, row }): [string, string, (stage: Stage) => void] => [
    `${room === 'library' ? '' : `${room}.`}${call}`,
    row[column] as string,
    (stage) => void use(receiverOf(room, call, stage), call, row[0](stage)),
  ])

const seen = new Map<string, [before: string[], after: string[]]>()

/** What is seen of a world before a call, and after it where nothing is in its way. */
function seenAround(name: string, call: (stage: Stage) => void): [before: string[], after: string[]] {
  const known = seen.get(name)
  if (known !== undefined) return known
  const stage = stageIn(watchedWorld())
  const before = look(stage.world)
  call(stage)
  const around: [string[], string[]] = [before, seenOf(stage.world)]
  seen.set(name, around)
  return around
}

/** All of memory that has a meaning between two calls: why the last one was refused has none. */
const bytesOf = (world: World) => stateOf(world).fill(0, WORLD_STATUS, WORLD_STATUS + 4)

function seenOf(world: World): string[] {
  return String(world) === 'World(disposed)' ? [] : look(world)
}

describe.each(STATES)('%s', (_, enter) => {
  it.each(cellsOf(1 + STATES.findIndex(([, one]) => one === enter)))('%s: %s', (name, expected, call) => {
    const stage = stageIn(watchedWorld())
    const [before, after] = seenAround(name, call)
    let code = ''
    enter(stage, () => {
      const bytes = bytesOf(stage.world)
      code = codeOf(() => call(stage))
      // What a far handle took of memory before it was refused is free again, but was touched.
      if (code !== 'nothing thrown' && name !== 'spawnAt: far away')
        expectSameState(bytes, bytesOf(stage.world))
      expect(look(stage.world)).toEqual(expected.includes('at once') ? after : before)
    })
    expect(code).toBe(expected.startsWith('WORLD') ? expected : 'nothing thrown')
    expect(look(stage.world)).toEqual(expected.startsWith('changes') ? after : before)
    if (code === 'nothing thrown') expect(after.join() !== before.join()).toBe(expected.startsWith('changes'))
  })
})

describe('in a disposed world', () => {
  it.each(cellsOf(5))('%s: %s', (_, expected, call) => {
    const stage = stageIn(watchedWorld())
    stage.world.dispose()
    expect(codeOf(() => call(stage)).replace('nothing thrown', 'answers')).toBe(expected)
  })
})

describe('without memory', () => {
  it.each(cellsOf(6))('%s: %s', (name, expected, call) => {
    const stage = stageIn(watchedWorld({ memory: { maximum: 2 ** 20 } }))
    const { world } = stage
    leaveFree(world, 0)
    const before = bytesOf(world)
    let code = ''
    // These begin with a heap in which no object is free: there is nothing to hide.
    const isWhole = ['resetWorld', 'world.dispose', 'restoreWorld', 'loadInto'].includes(name)
    const attempt = () => void (code = codeOf(() => call(stage)))
    if (isWhole) attempt()
    else withoutFreeObjects(world, attempt)
    expect(code.replace('nothing thrown', 'needs none')).toBe(expected)
    if (code === 'MEMORY_LIMIT') expectSameState(before, bytesOf(world))
    else expect(seenOf(world)).toEqual(seenAround(name, call)[1])
  })
})

describe('the table', () => {
  const listed = (room: keyof typeof CALLS) => [...new Set(Object.keys(CALLS[room]).map(nameOf))].sort()
  /** What declares or makes something without a world. */
  const WITHOUT_A_WORLD = [
    'added', 'all', 'any', 'cascade', 'changed', 'component', 'createWorld', 'inCreationOrder', 'isNull', 'isStrataError', 'loadFromJSON', 'loadWorld', 'not',
    'object', 'omit', 'optional', 'present', 'relation', 'resource', 'tag', 'vec',
  ] // prettier-ignore

  it('names every call of a world, of a query and of a command buffer', () => {
    expect(listed('world')).toEqual(publicNames('world/world', 'World').sort())
    expect(listed('query')).toEqual(publicNames('queries/query', 'Query').sort())
    expect(listed('commands')).toEqual(publicNames('changes/commands', 'Commands').sort())
  })

  it('names every function that takes a world or a query', () => {
    const functions = Object.entries(library).filter(
      ([name, one]) => typeof one === 'function' && /^[a-z]/.test(name),
    )
    expect([...listed('library'), ...WITHOUT_A_WORLD].sort()).toEqual(functions.map(([name]) => name).sort())
  })
})
