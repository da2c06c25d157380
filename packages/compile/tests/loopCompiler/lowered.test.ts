// Shows that no body of these tests that is taken as it is written is refused after the tools of a build, and that it computes the
// same: every source of a body over rows that a test holds.

import { readFileSync, readdirSync } from 'node:fs'
import ts from 'typescript'
import { describe, it } from 'vitest'
import { type Query, digestWorld, restoreWorld, snapshotWorld } from '../../../../bindings/index'
import { EDGES, Row, filledWith, functionOf, loopOf } from '../support/bothForms'
import { TOOLS, functionsAfter } from '../support/buildTools'
import { expect } from '../../../../tests/support/expect'

const FOLDERS = ['./', '../compile/'].map((folder) => new URL(folder, import.meta.url))

/**
 * Texts in the tests that are functions of a row alone. None with `**`, which the guide tells not to write: it is taken of powers of two,
 * because minifiers write these so, and esbuild has a function of its own for it in es2015.
 */
function sourcesIn(text: string): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) && /^(?:\(r\) =>|function \(r\))(?!.*\*\*)/s.test(node.text))
      found.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('test.ts', text, ts.ScriptTarget.Latest))
  return found
}

const world = filledWith(EDGES.length + 3)
const before = snapshotWorld(world)

/** What a run leaves; undefined where the body is refused, or is no JavaScript. */
function leftBy(body: () => unknown): unknown {
  restoreWorld(world, before)
  try {
    const loop = loopOf(body() as never, 'compiled')
    ;(world.query(Row) as unknown as Query).run(loop as never)
    return digestWorld(world)
  } catch {
    return undefined
  }
}

/** A tool may have a source that it does not read, such as one for scripts only: it is left out. */
function isRead(source: string): boolean {
  try {
    functionsAfter(TOOLS['esbuild es2015'] as never, [source])
    return true
  } catch {
    return false
  }
}

describe('the bodies of the tests', () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => readFileSync(new URL(name, folder), 'utf8')),
  )
  const sources = [...new Set(files.flatMap(sourcesIn))].filter(isRead)
  const right = new Map(sources.map((source) => [source, leftBy(() => functionOf(source))]))
  const taken = sources.filter((source) => right.get(source) !== undefined)

  it('are many', () => {
    expect(taken.length).toBeGreaterThan(100)
  })

  const known = new Map<string, unknown>()
  it.each(Object.entries(TOOLS))('have the same result after %s', (_, tool) => {
    const bodies = functionsAfter(tool, taken)
    taken.forEach((source, k) => {
      const text = String(bodies[k])
      if (!known.has(text))
        known.set(
          text,
          leftBy(() => bodies[k]),
        )
      expect(known.get(text), `${source}\nis ${text}`).toBe(right.get(source))
    })
  })
})
