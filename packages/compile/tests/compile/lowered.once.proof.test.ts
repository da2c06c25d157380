// Shows that no body that is taken as it is written is refused after the tools of a build, and that it computes the same.

import { describe, it } from 'vitest'
import {
  type Query,
  type World,
  digestWorld,
  optional,
  restoreWorld,
  snapshotWorld,
} from '../../../../bindings/index'
import { compile } from '../../src/compile/compile'
import { TOOLS, functionsAfter } from '../support/buildTools'
import { expect } from '../../../../tests/support/expect'
import {
  BODIES,
  BODIES_WITH_RESULTS,
  BODIES_WITH_VALUES,
  Coat,
  GIVEN,
  PARTS,
  Thing,
  VALUES,
  fill,
} from '../support/loopBodies'
import { proofLength } from '../../../../tests/support/proofs'
import { testWorld } from '../../../../tests/support/world'

interface Case {
  readonly source: string
  readonly values?: object
  readonly result?: string
}

const CASES: readonly Case[] = [
  ...BODIES.map((source) => ({ source })),
  ...BODIES_WITH_VALUES.map((source) => ({ source, values: VALUES })),
  ...BODIES_WITH_RESULTS.map(([result, source]) => ({ source, result })),
]

const world: World = fill(testWorld())
const before = snapshotWorld(world)

/** What a run leaves, or why it is refused. */
function leftBy({ values, result }: Case, body: unknown): unknown {
  restoreWorld(world, before)
  const given = values === undefined ? [body] : [values, body]
  try {
    const options = { mode: 'compiled', ...(result !== undefined && { result }) }
    const loop = (compile as (...given: unknown[]) => unknown)(PARTS, ...given, options)
    const query = world.query(Thing, optional(Coat)) as unknown as Query
    return [query.run(loop as never, values && (GIVEN as never)), digestWorld(world)]
  } catch (error) {
    return (error as Error).message
  }
}

/** By what is run: tools often write the same. */
const known = new Map<string, unknown>()
const plain = functionsAfter(
  (module) => module,
  CASES.map(({ source }) => source),
)
const right = CASES.map((each, k) => leftBy(each, plain[k]))

describe('a body', () => {
  it('is used as it is written', () => {
    for (const each of right) expect(each).toBeInstanceOf(Array)
  })

  const every = Math.round(CASES.length / proofLength(CASES.length))
  it.each(Object.entries(TOOLS))('has the same result after %s', (name, tool) => {
    // Where not all are asked for, each tool has other ones.
    const turn = Object.keys(TOOLS).indexOf(name)
    const asked = CASES.flatMap((each, k) => ((k + turn) % every === 0 ? [{ each, k }] : []))
    const bodies = functionsAfter(
      tool,
      asked.map(({ each }) => each.source),
    )
    asked.forEach(({ each, k }, at) => {
      const text = `${each.result} ${Boolean(each.values)} ${String(bodies[at])}`
      if (!known.has(text)) known.set(text, leftBy(each, bodies[at]))
      expect(known.get(text), `${each.source}\nis ${String(bodies[at])}`).toEqual(right[k])
    })
  })
})
