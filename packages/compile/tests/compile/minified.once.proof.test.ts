// Shows that the tools of a build change nothing: random programs give the same bytes after them, and none is refused that was taken
// before.

import { describe, it } from 'vitest'
import {
  type Entity,
  type Query,
  type Resource,
  type World,
  getColumn,
  entity,
  optional,
} from '../../../../bindings/index'
import { compile } from '../../src/compile/compile'
import { functionOf } from '../support/bothForms'
import { type Tool, TOOLS, functionsAfter } from '../support/buildTools'
import { codeOf } from '../../../../tests/support/caught'
import { expect } from '../../../../tests/support/expect'
import { Held, Programs, VALUES, givenBy, holdBy, shaped, valueOf } from '../support/loopPrograms'
import { proofLength } from '../../../../tests/support/proofs'
import { seededRandom } from '../../../../tests/support/storages'
import { testWorld } from '../../../../tests/support/world'

const ROUNDS = proofLength(160)

const NAMES = ['terser es2020', 'esbuild es2022 small', 'esbuild es2015 small', 'swc es5', 'oxc es2015 small']

describe.each(NAMES)('after %s, a random program', (name) => {
  it('gives the same bytes, and is not refused', () => {
    let refused = 0
    for (let seed = 1; seed <= ROUNDS; seed++) {
      const random = seededRandom(seed * 6151)
      const components = [0, 1].map((k) => shaped(random, `C${k}`, {}))
      const values = random() < 0.6
      const mayLack = random() < 0.5
      const source = new Programs(random, {
        components,
        optional: new Set(mayLack ? [1] : []),
        hasHandle: true,
        values,
      }).source(undefined)
      const given = values ? givenBy(random) : undefined
      const terms = components.map(({ definition }, k) =>
        mayLack && k === 1 ? optional(definition) : definition,
      )
      const parts = [...terms, entity]
      const loopOf = (body: unknown) =>
        (values
          ? compile(parts as never, VALUES as never, body as never, { mode: 'compiled' } as never)
          : compile(parts as never, body as never, { mode: 'compiled' } as never)) as unknown
      if (codeOf(() => loopOf(functionOf(source))) === 'COMPILE_REFUSED') {
        refused++
        continue
      }
      const [written] = functionsAfter(TOOLS[name] as Tool, [source])
      const [one, other] = [functionOf(source), written].map((body) => {
        const world = filled(seed, components, mayLack)
        const query = world.query(...(terms as never[])) as unknown as Query & {
          run(loop: unknown, given?: object): void
        }
        query.run(loopOf(body), given)
        return components.flatMap(({ definition, shape }) =>
          Object.keys(shape).map((field) =>
            getColumn(world.query(definition as never), definition as never, field as never),
          ),
        )
      })
      expect(one, `seed ${seed}: ${source}\n${String(written)}`).toEqual(other)
    }
    expect(refused).toBeLessThan(ROUNDS / 20)
  })
})

function filled(seed: number, components: ReturnType<typeof shaped>[], mayLack: boolean): World {
  const random = seededRandom(seed)
  const world = testWorld()
  Object.assign(world.resource(Held as Resource<never>), holdBy(random))
  for (let row = 0; row < 203; row++) {
    const handle: Entity = world.spawn()
    for (const [k, { definition, shape }] of components.entries()) {
      if (mayLack && k === 1 && row % 3 === 0) continue
      const fields = Object.entries(shape).map(([name, { kind, vec: length }]) => [
        name,
        length > 0 ? Array.from({ length }, () => Number(valueOf(random, kind))) : valueOf(random, kind),
      ])
      world.add(
        handle,
        (definition as unknown as (values: object) => never)(Object.fromEntries(fields) as object),
      )
    }
  }
  return world
}
