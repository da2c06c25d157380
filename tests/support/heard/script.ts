// The random script of what is heard: its numbers choose calls, listeners and what these do; each step is made on the world, then
// repeated by the model, which says what must have been heard.

import {
  any,
  not,
  optional,
  present,
  createRemovalReader,
  type RemovalReader,
  type World,
} from '../../../bindings/index'
import { type Call, type Entry, sentenceOf } from './calls'
import { Choosing, isNoRelation } from './choosing'
import { HeardModel } from './heardModel'
import { HeardWorld } from './heardWorld'
import { type Kind, RESOURCES, kindsOf } from './kinds'
import type { Terms } from './plain'
import { MOST_REACTIONS, QUERIES, type Random, randomFrom } from './shares'

/** Is given what a step called, what its call threw, and the log so far. */
export type Witness = (calls: readonly Call[], failure: unknown, log: readonly Entry[]) => void

/** Two numbers: what is done, and from what its choices are made. */
export type HeardStep = readonly [number, number]

export class HeardScript extends Choosing {
  readonly real: HeardWorld
  readonly model: HeardModel
  private readonly terms: Terms[] = []
  private readonly readers: RemovalReader[] = []
  steps = 0

  private readonly witness: Witness | undefined

  /** @param options `witness`: is called after each step, in place of the model: for twins.ts */
  constructor(
    world: World,
    seed: number,
    options: { readonly overrides?: boolean; readonly witness?: Witness } = {},
  ) {
    super(world, options.overrides !== false)
    this.witness = options.witness
    const random = randomFrom(seed)
    const kinds = kindsOf(random(3) > 0, random(4) > 0)
    this.real = new HeardWorld(world, kinds)
    this.model = new HeardModel(kinds, this.terms, this.real.log)
    this.real.react = (ear) => {
      if (this.reactions >= MOST_REACTIONS) return
      if (random(3) === 0)
        for (let n = random(3); n >= 0; n--) {
          this.reactions++
          this.act(random, ear.event)
        }
    }
    this.setUp(random)
  }

  private setUp(random: Random): void {
    const { real } = this
    const { kinds } = real
    const { reactions } = this
    this.reactions = MOST_REACTIONS
    // The world meets all components in their order.
    this.step(() =>
      real.make({
        call: 'spawn',
        handles: [],
        gains: kinds.filter(isNoRelation).map((kind) => this.giving(random, kind, true)),
      }),
    )
    for (let i = 0; i < 3; i++)
      this.step(() =>
        real.make({ call: 'spawn', handles: [], gains: this.some(random, 3, kinds.filter(isNoRelation)) }),
      )
    RESOURCES.forEach((_, resource) => this.step(() => real.make({ call: 'setResource', resource })))
    const [, one, two, three] = real.handles
    for (const kind of kinds.filter((each) => !isNoRelation(each)))
      this.step(() =>
        real.make({
          call: 'add',
          entity: three as number,
          losses: [],
          gains: [{ kind, target: [one, two][random(2)] }],
        }),
      )
    this.makeQueries(random, [one, two, three] as number[])
    for (let i = random(6); i > 0; i--) this.makeReader(random)
    for (let i = 2 + random(45); i > 0; i--) this.step(() => this.listen(random, 'top'))
    this.reactions = reactions
  }

  private makeQueries(random: Random, anchors: readonly number[]): void {
    const { kinds } = this.real
    const known = new Set<string>()
    while (this.terms.length < QUERIES) {
      const used = new Set<Kind>()
      const pick = (n: number, from: readonly Kind[] = kinds.filter(isNoRelation)) => {
        const found: Kind[] = []
        for (; n > 0; n--) {
          const kind = from[random(from.length)] as Kind
          if (!used.has(kind)) found.push(kind)
          used.add(kind)
        }
        return found
      }
      const relations = kinds.filter((kind) => !isNoRelation(kind))
      const anyOf = random(3) === 0 ? [pick(2)].filter((some) => some.length === 2) : []
      const terms: Terms = {
        required: pick(random(3), random(3) > 0 ? kinds : kinds.slice(16)),
        excluded: pick(random(3) === 0 ? 2 : random(2)),
        anyOf,
        optional: pick(random(3) === 0 ? 1 : 0),
        present:
          random(4) === 0
            ? pick(
                1,
                kinds.filter(({ toggles }) => toggles),
              )
            : [],
        links:
          relations.length > 0 && random(3) === 0
            ? pick(1, relations).map((kind) => ({
                kind,
                target: anchors[random(anchors.length)] as number,
                absent: random(4) === 0,
              }))
            : [],
      }
      const word = JSON.stringify(terms, nameOnly)
      if (known.has(word)) continue
      known.add(word)
      this.terms.push(terms)
      this.real.queries.push(this.world.query(...(termsOf(terms) as never[])) as never)
    }
  }

  private makeReader(random: Random): void {
    const kind = this.kind(random)
    this.readers.push(createRemovalReader(this.world, kind.declared))
    this.model.readers.push({ kind, waiting: [] })
  }

  // ── steps ──────────────────────────────────────────────────────────────────────────────────────────────

  run(steps: readonly HeardStep[]): void {
    for (const [code, seed] of steps) {
      const random = randomFrom(seed ^ Math.imul(code, 0x85ebca6b))
      this.step(() => this.act(random, 'top', code))
      this.steps++
    }
  }

  /** Disposes of the world, of which listeners are told once more. */
  end(): void {
    this.real.end()
  }

  /** Makes calls on the world, then repeats them in the model, and compares. */
  private step(action: () => void): void {
    const { model, real } = this
    this.reactions = this.steps === 0 && this.terms.length < QUERIES ? MOST_REACTIONS : 0
    this.ended = false
    let failure: unknown
    const calls = real.noting(() => {
      try {
        action()
      } catch (error) {
        failure = error
      }
    })
    if (this.witness !== undefined) return this.witness(calls, failure, real.log)
    try {
      const thrown = real.takeThrown()
      if (failure !== thrown)
        throw failure ?? new Error(`the end of the call does not throw what was ${thrown}`)
      model.begin()
      for (const call of calls) model.replay(call)
      model.meetSpare()
      if (model.at < real.log.length) throw model.difference('nothing more')
      this.compare()
    } catch (error) {
      const queries = this.terms.map((terms, n) => `  query ${n}: ${JSON.stringify(terms, nameOnly)}`)
      throw new Error(
        `${(error as Error).message}\nin step ${this.steps}: ${calls.map(sentenceOf).join('; ')}\n${queries.join('\n')}`,
        {
          cause: error,
        },
      )
    }
  }

  /** The world is what the model is, and readers tell what they must. */
  private compare(): void {
    const { model, real, world } = this
    for (const handle of new Set([...real.handles.slice(-120), ...model.entities.keys()])) {
      if (world.isAlive(handle) !== model.isAlive(handle))
        throw new Error(`isAlive(${handle}) is ${world.isAlive(handle)}`)
      const [found, expected] = [real.described(handle), model.described(handle)]
      if (found !== expected) throw new Error(`${handle} has ${found}, not ${expected}`)
    }
    if (this.steps % 4 === 0)
      this.terms.forEach((_, query) => {
        const found = [...(real.queries[query] as unknown as { entities(): Iterable<number> }).entities()]
        const [a, b] = [found, model.result(query)].map((some) => some.sort((x, y) => x - y).join())
        if (a !== b) throw new Error(`query ${query} finds ${a}, not ${b}`)
      })
    this.readers.forEach((reader, i) => {
      if ((this.steps + i) % 3 !== 0) return
      const { waiting, kind } = model.readers[i] as (typeof model.readers)[number]
      const groups = waiting.splice(0)
      const told = (list: readonly { entity: number; died: boolean }[]) =>
        list
          .map((one, place) => ({ ...one, place, group: groups[place]?.group ?? -1 - place }))
          .sort((a, b) => (a.group === b.group ? a.entity - b.entity : a.place - b.place))
          .map(({ entity, died }) => `${entity}${died ? ' died' : ''}`)
          .join()
      const [found, expected] = [told(reader.read()), told(groups)]
      if (found !== expected) throw new Error(`a reader of ${kind.name} has ${found}, not ${expected}`)
    })
  }
}

/** Of declarations only their names. */
function nameOnly(_: string, value: unknown): unknown {
  return (value as Kind | null)?.name ?? value
}

function termsOf({ required, excluded, anyOf, optional: maybe, present: there, links }: Terms): unknown[] {
  const declared = (kinds: readonly Kind[]) => kinds.map((kind) => kind.declared) as never[]
  return [
    ...declared(required),
    ...excluded.map((kind) => not(kind.declared as never)),
    ...anyOf.map((some) => (any as (...parts: unknown[]) => unknown)(...declared(some))),
    ...maybe.map((kind) => optional(kind.declared as never)),
    ...there.map((kind) => present(kind.declared as never)),
    ...links.map(({ kind, target, absent }) => {
      const pair = (kind.declared as unknown as (to: number) => unknown)(target)
      return absent ? not(pair as never) : pair
    }),
  ]
}
