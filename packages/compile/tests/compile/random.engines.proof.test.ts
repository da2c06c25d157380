// Shows by random programs over random worlds that a compiled loop does what its function does as JavaScript: the same bytes, bits of
// NaN excepted, the same results, the same marks of changes; and the same bytes as each with that function.

import { describe, it } from 'vitest'
import {
  cascade,
  changed,
  createGroup,
  entity,
  getColumn,
  inCreationOrder,
  not,
  optional,
  present,
  relation,
  sparse,
  tag,
  toggle,
  type AnyComponent,
  type Entity,
  type Query,
  type Resource,
  type StrataError,
  type World,
} from '../../../../bindings/index'
import { type CompiledLoop, compile } from '../../src/compile/compile'
import { functionOf } from '../support/bothForms'
import { expect } from '../../../../tests/support/expect'
import {
  Held,
  Programs,
  type Shaped,
  type Surroundings,
  VALUES,
  givenBy,
  holdBy,
  shaped,
  valueOf,
} from '../support/loopPrograms'
import { proofLength } from '../../../../tests/support/proofs'
import { seededRandom } from '../../../../tests/support/storages'
import { plainWorld, testWorld } from '../../../../tests/support/world'

const PROGRAMS = 4
const WORLDS = proofLength(640)
const STORAGES = {
  table: {},
  sparse: { storage: sparse },
  toggle: { toggle },
  rows: { trackChanges: 'row' },
  group: { storage: sparse },
} as const
const MODES = [
  'table',
  'table',
  'table',
  'sparse',
  'toggle',
  'rows',
  'group',
  'ordered',
  'cascade',
  'inCreationOrder',
] as const
type Mode = (typeof MODES)[number]

const Extra = tag('Extra')
const Other = tag('Other')
const Picked = tag('Picked', { order: 'insertion' })
const ChildOf = relation('ChildOf', { exclusive: true })
const RESULTS = [undefined, undefined, undefined, 'sum', 'min', 'max', 'count'] as const

type Loop = CompiledLoop<object, number | void>
type AnyQuery = Query & {
  run(loop: Loop, given?: object): number | undefined
  each(body: (entity: Entity, ...cursors: never[]) => void): void
}

/** What one seed decides about a world and the query over it. */
class Case {
  private readonly random: () => number
  readonly mode: Mode
  readonly around: Surroundings
  readonly rows: number
  private readonly term: number

  constructor(private readonly seed: number) {
    this.random = seededRandom(seed * 7919)
    const { random } = this
    this.mode = MODES[Math.floor(random() * MODES.length)] as Mode
    const { mode } = this
    const storage = mode in STORAGES ? STORAGES[mode as keyof typeof STORAGES] : {}
    const count = mode === 'sparse' ? 1 : mode === 'group' ? 2 : 1 + Math.floor(random() * 3)
    const components = Array.from({ length: count }, (_, k) => shaped(random, `C${k}`, storage))
    const mayLack = mode === 'table' && count > 1 && random() < 0.4
    this.around = {
      components,
      optional: new Set(mayLack ? components.map((_, k) => k).filter((k) => k > 0 && random() < 0.7) : []),
      hasHandle: random() < 0.2,
      values: random() < 0.6,
    }
    const edges = [0, 1, 3, 4, 5, 63, 64, 65]
    const size = random()
    this.rows =
      size < 0.3
        ? (edges[Math.floor(random() * edges.length)] as number)
        : Math.floor(random() * (size < 0.6 ? 40 : 1500))
    this.term = Math.floor(random() * 6)
  }

  /** A world of this case: the same each time. */
  world(makeWorld: () => World): World {
    const random = seededRandom(this.seed * 31 + 7)
    const { mode, around } = this
    const { components } = around
    const world = makeWorld()
    Object.assign(world.resource(Held), holdBy(random))
    if (mode === 'group') createGroup(world, ...(definitionsOf(components) as [never, never]))
    const handles: Entity[] = []
    for (let row = 0; row < this.rows; row++) {
      const values = components.map(({ shape, definition }) => {
        const fields = Object.entries(shape).map(([name, { kind, vec: length }]) => [
          name,
          length > 0 ? Array.from({ length }, () => Number(valueOf(random, kind))) : valueOf(random, kind),
        ])
        return [
          definition,
          (definition as unknown as (values: object) => never)(Object.fromEntries(fields) as object),
        ]
      })
      const had = values.filter(([,], k) => random() < (around.optional.has(k) ? 0.6 : 0.97))
      const tags = [Extra, Other].filter(() => random() < 0.15)
      const handle = world.spawn(...(had.map(([, value]) => value) as never[]), ...tags)
      if (mode === 'toggle')
        for (const [definition] of had) if (random() < 0.2) world.disable(handle, definition as never)
      if (mode === 'ordered' && random() < 0.7) world.add(handle, Picked)
      if (mode === 'ordered' && handles.length > 0 && random() < 0.1)
        world.add(handles[Math.floor(random() * handles.length)] as Entity, Picked)
      if (mode === 'cascade' && handles.length > 0 && random() < 0.7)
        world.add(handle, ChildOf(handles[Math.floor(random() * handles.length)] as Entity))
      handles.push(handle)
    }
    return world
  }

  query(world: World): AnyQuery {
    const { components, optional: lacked } = this.around
    if (this.mode === 'group')
      return world.query(...(definitionsOf(components) as never[])) as unknown as AnyQuery
    const terms: unknown[] = components.map(({ definition }, k) =>
      lacked.has(k) ? optional(definition) : definition,
    )
    if (this.mode === 'ordered') terms.push(Picked)
    if (this.mode === 'cascade') terms.push(cascade(ChildOf))
    if (this.mode === 'inCreationOrder') terms.push(inCreationOrder())
    if (this.term === 1) terms.push(not(Extra))
    if (this.term === 2) terms.push(Other)
    if (this.term === 5) terms.push(changed(components[0]?.definition as AnyComponent))
    const query = world.query(...(terms as never[])) as unknown as AnyQuery
    const name = this.term === 3 ? numberIn(components[0] as Shaped) : undefined
    if (name !== undefined)
      return (query as unknown as Filtered).where(components[0]?.definition, name, '>', 0)
    if (this.term === 4) return (query as unknown as Filtered).slice(2, 3 + Math.floor(this.rows * 0.6))
    return query
  }

  run(): { programs: number; refused: number } {
    const { random, around } = this
    const { components, values, hasHandle } = around
    const worlds = [this.world(testWorld), this.world(plainWorld), this.world(plainWorld)] as const
    const queries = worlds.map((world) => this.query(world))
    const marks = worlds
      .slice(0, 2)
      .map((world) => definitionsOf(components).map((each) => world.query(changed(each as never))))
    const programs = new Programs(random, around)
    let [made, refused] = [0, 0]
    for (let k = 0; k < PROGRAMS; k++) {
      const result = RESULTS[Math.floor(random() * RESULTS.length)]
      const source = programs.source(result)
      const body = functionOf(source) as unknown as (...given: unknown[]) => unknown
      const given = values ? givenBy(random) : undefined
      const loops = (['compiled', 'javascript'] as const).map((mode) => this.loop(body, mode, result))
      if (loops[0] === undefined || loops[1] === undefined) {
        refused++
        continue
      }
      made++
      const told = `seed ${this.seed}, ${this.mode}, program ${k}, ${JSON.stringify(given)}: ${source}`
      const results = loops.map((loop, j) => {
        worlds[j]?.advanceTick()
        return (queries[j] as AnyQuery).run(loop as Loop, given)
      })
      expect(results[0], told).toBe(results[1])
      this.each(worlds[2], queries[2] as AnyQuery, body, given, hasHandle)
      for (const other of [1, 2]) this.compare(worlds[0], worlds[other] as World, told)
      marks[0]?.forEach((query, c) => {
        const seen = Array.from((query as unknown as AnyQuery).entities())
        expect(seen, told).toEqual(Array.from((marks[1]?.[c] as unknown as AnyQuery).entities()))
      })
    }
    for (const world of worlds) world.dispose()
    return { programs: made, refused }
  }

  /** Undefined where it is refused; then as JavaScript it is not asked for. */
  private loop(
    body: (...given: unknown[]) => unknown,
    mode: 'compiled' | 'javascript',
    result: string | undefined,
  ): Loop | undefined {
    const { components, optional: lacked, hasHandle, values } = this.around
    const parts: unknown[] = components.map(({ definition }, k) =>
      lacked.has(k) ? optional(definition) : definition,
    )
    if (hasHandle) parts.push(entity)
    const options = { mode, ...(result !== undefined && { result }) }
    try {
      return (values
        ? compile(parts as never, VALUES as never, body as never, options as never)
        : compile(parts as never, body as never, options as never)) as unknown as Loop
    } catch (error) {
      expect((error as StrataError).code).toBe('COMPILE_REFUSED')
      return undefined
    }
  }

  /** The plain function, row by row. */
  private each(
    world: World,
    query: AnyQuery,
    body: (...given: unknown[]) => unknown,
    given: object | undefined,
    hasHandle: boolean,
  ): void {
    const { a, c, u, ...others } = (given ?? {}) as { a: number; c: number; u: number }
    const last = given && {
      ...VALUES,
      ...others,
      a: Math.fround(a),
      c: c | 0,
      u,
      held: world.resource(Held as Resource<never>),
    }
    query.each((handle, ...cursors) => {
      const parameters = this.around.components.map((_, k) => cursors[k])
      body(...parameters, ...(hasHandle ? [handle] : []), ...(last ? [last] : []))
    })
  }

  private compare(one: World, other: World, told: string): void {
    for (const { definition, shape } of this.around.components) {
      const [a, b] = [one, other].map(
        (world) =>
          world.query(
            this.mode === 'toggle' ? present(definition as never) : (definition as never),
          ) as unknown as Query,
      ) as [Query, Query]
      for (const name of Object.keys(shape)) {
        const [x, y] = [
          getColumn(a, definition as never, name as never),
          getColumn(b, definition as never, name as never),
        ] as unknown as [ArrayLike<number>, ArrayLike<number>]
        expect(x.length).toBe(y.length)
        for (let k = 0; k < x.length; k++)
          if (!Object.is(x[k], y[k]))
            expect({ [`${name} ${k}`]: x[k] }, told).toEqual({ [`${name} ${k}`]: y[k] })
      }
    }
  }
}

interface Filtered {
  where(component: unknown, field: string, operator: string, value: number): AnyQuery
  slice(start: number, end: number): AnyQuery
}

const definitionsOf = (components: readonly Shaped[]): AnyComponent[] =>
  components.map(({ definition }) => definition)

function numberIn({ shape }: Shaped): string | undefined {
  return Object.keys(shape).find((name) => shape[name]?.vec === 0 && shape[name].kind !== 'bool')
}

describe('random programs', () => {
  it('have the same result compiled, as JavaScript, and by each', () => {
    let [programs, refused] = [0, 0]
    for (let seed = 1; seed <= WORLDS; seed++) {
      const made = new Case(seed).run()
      programs += made.programs
      refused += made.refused
    }
    expect(programs).toBeGreaterThan(WORLDS)
    expect(refused / (programs + refused)).toBeLessThan(0.02)
  })
})
