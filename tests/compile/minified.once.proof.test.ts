// Shows that minifiers change nothing: random programs give the same bytes after them, and none is refused that was taken before.

import { transformSync } from 'esbuild'
import { minify_sync as minifySync } from 'terser'
import { describe, it } from 'vitest'
import { type Entity, type Query, type Resource, type World, columnOf, entity } from '../../bindings/index'
import { compile } from '../../bindings/compile/compile'
import { functionOf } from '../support/bothForms'
import { codeOf } from '../support/caught'
import { expect } from '../support/expect'
import { Held, Programs, VALUES, givenBy, holdBy, shaped, valueOf } from '../support/loopPrograms'
import { proofLength } from '../support/proofs'
import { seededRandom } from '../support/storages'
import { testWorld } from '../support/world'

const ROUNDS = proofLength(320)

/** The function after a minifier, which must not know that nothing calls it. */
const MINIFIERS: Readonly<Record<string, (source: string) => string | undefined>> = {
  terser: (source) =>
    minifySync(`globalThis.made = ${source}`, { ecma: 2020, module: true, compress: { passes: 2 } }).code,
  esbuild: (source) => transformSync(`globalThis.made = ${source}`, { minify: true, target: 'es2022' }).code,
}

function minified(minifier: string, source: string): (...given: never[]) => never {
  const code = MINIFIERS[minifier]?.(source) as string
  return functionOf(`(() => { ${code}; const { made } = globalThis; delete globalThis.made; return made })()`)
}

describe.each(Object.keys(MINIFIERS))('after %s, a random program', (minifier) => {
  it('gives the same bytes, and is not refused', () => {
    let refused = 0
    for (let seed = 1; seed <= ROUNDS; seed++) {
      const random = seededRandom(seed * 6151)
      const components = [0, 1].map((k) => shaped(random, `C${k}`, {}))
      const values = random() < 0.6
      const source = new Programs(random, {
        components,
        optional: new Set(),
        hasHandle: true,
        values,
      }).source(undefined)
      const given = values ? givenBy(random) : undefined
      const parts = [...components.map(({ definition }) => definition), entity]
      const loopOf = (body: unknown) =>
        (values
          ? compile(parts as never, VALUES as never, body as never, { as: 'compiled' } as never)
          : compile(parts as never, body as never, { as: 'compiled' } as never)) as unknown
      if (codeOf(() => loopOf(functionOf(source))) === 'COMPILE_REFUSED') {
        refused++
        continue
      }
      const small = minified(minifier, source)
      const [one, other] = [functionOf(source), small].map((body) => {
        const world = filled(seed, components)
        const query = world.query(...(parts.slice(0, 2) as never[])) as unknown as Query & {
          run(loop: unknown, given?: object): void
        }
        query.run(loopOf(body), given)
        return components.flatMap(({ definition, shape }) =>
          Object.keys(shape).map((name) => columnOf(query, definition as never, name as never)),
        )
      })
      expect(one, `seed ${seed}: ${source}\n${String(small)}`).toEqual(other)
    }
    expect(refused).toBeLessThan(ROUNDS / 20)
  })
})

function filled(seed: number, components: ReturnType<typeof shaped>[]): World {
  const random = seededRandom(seed)
  const world = testWorld()
  Object.assign(world.resource(Held as Resource<never>), holdBy(random))
  for (let row = 0; row < 203; row++) {
    const handle: Entity = world.spawn()
    for (const { definition, shape } of components) {
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
