// Shows that the works that are measured beside native libraries do what they say, in each way, and what the command refuses.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)
const N = 100

/** What must come out of each work over N entities, which EnTT and flecs must give, too. */
const sumOf = (number) => Array.from({ length: N }, (_, i) => number(i)).reduce((a, b) => a + b, 0)
/** Three steps of 1/64 by (1, 1/2). */
const MOVED = sumOf((i) => 3 * i + (3 * 1.5) / 64)
/** How far below the root a node is, of which each has four children. */
const depthOf = (i) => (i === 0 ? 1 : 1 + depthOf((i - 1) >> 2))
const RIGHT = {
  create: sumOf((i) => 3 * i),
  'create in bulk': 3 * N,
  destroy: 0,
  'destroy all': 0,
  move: MOVED,
  archetypes: MOVED,
  'add, remove': N,
  'spawn, destroy': 0,
  get: sumOf((i) => i),
  set: sumOf((i) => 2 * i),
  tree: sumOf((i) => 1.5 * depthOf(i)),
  snapshot: 1,
}

describe('works beside native libraries', () => {
  it.each(Object.entries(RIGHT))('%s gives %d in every way', async (work, right) => {
    const { stdout } = await run(process.execPath, ['bench/native/strata.js', work, N, '0'], { cwd: ROOT })
    const ways = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(ways.length).toBeGreaterThan(0)
    for (const { way, ns, check } of ways) {
      expect(ns, way).toBeGreaterThan(0)
      expect(check, way).toBe(right)
    }
  })

  it('needs existing sources, and a number of rounds', async () => {
    const refused = (...words) =>
      run(process.execPath, ['bench/run.js', 'native', ...words], { cwd: ROOT }).then(
        () => 'nothing was refused',
        ({ stderr }) => stderr,
      )
    expect(await refused('--entt', 'docs')).toContain(
      '--entt takes a folder with its sources: there is no single_include/entt/entt.hpp in docs.',
    )
    expect(await refused('--rounds', '0')).toContain("--rounds takes a whole number from 1, not '0'.")
    expect(await refused('--unreal', 'docs')).toContain("Unknown option '--unreal'")
  })
})
