// Shows that runs of kernels are measured as other loops are. The rest of measuring is in inspect/measure.proof.test.ts.

import { expect, it, vi } from 'vitest'
import { component, f32, sumOf } from '../../bindings/index'
import { inspect } from '../../packages/inspector/src/inspect/inspect'
import { kernelsOf } from '../support/kernels'
import { watchedWorld } from '../support/watched'

const Position = component('Position', { x: f32 })

it('a run of a kernel counts as a loop over its query, whether or not rows are told apart', async () => {
  const { step } = await kernelsOf(
    'export function step(rows: Rows, x: Column<f32>): void { for (let i = rows.start; i < rows.end; i++) x[i] += 1 }',
  )
  const world = watchedWorld()
  world.spawnMany(10, [Position])
  const query = world.query(Position)
  const bound = world.kernel(step, { x: [Position, 'x'] })
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => ++now)
  const view = inspect(world)
  const stop = view.measure()
  query.run(bound, {})
  query.where(Position, 'x', '>', 0).run(bound, {})
  const [{ runs, totalMs } = { runs: 0, totalMs: 0 }] = view.queries()
  expect([runs, totalMs]).toEqual([2, 2])
  stop()
  vi.restoreAllMocks()
  query.run(bound, {})
  expect([view.queries()[0]?.runs, sumOf(query, Position, 'x')]).toEqual([0, 30])
})
