// Shows what a kernel does that was bound by a world that is gone, and over a query that is.

import { beforeAll, expect, it } from 'vitest'
import { type BoundKernel, changed, component, createKernel, f32, resource } from '../../bindings/index'
import { codeOf } from '../support/caught'
import { kernelsOf } from '../support/kernels'
import { testWorld } from '../support/world'

const Position = component('Position', { x: f32 })
const Wind = resource('Wind', { x: f32 })

let kernels: Awaited<ReturnType<typeof kernelsOf>>
beforeAll(async () => {
  kernels = await kernelsOf(`
    export function move(rows: Rows, px: Column<f32>): void { for (let i = rows.start; i < rows.end; i++) px[i] += 1 }
    export function start(px: Resource<f32>): void { px[0] += 1 }`)
})

function stage() {
  const world = testWorld()
  world.spawn(Position)
  const move = createKernel(world, kernels['move'] as never, { px: [Position, 'x'] } as never)
  const start = createKernel(world, kernels['start'] as never, { px: [Wind, 'x'] } as never)
  return {
    world,
    move: move as never,
    start: start as unknown as BoundKernel<Record<never, never>, void, false>,
    query: world.query(Position),
  }
}

it('A kernel of a world that was disposed of says so, wherever it is run', () => {
  const { world, move, start, query } = stage()
  const page = query.slice(0, 1)
  query.run(move)
  world.dispose()
  const other = testWorld()
  other.spawn(Position)
  expect([
    codeOf(() => query.run(move)),
    codeOf(() => page.run(move)),
    codeOf(() => start.run()),
    codeOf(() => createKernel(world, kernels['move'] as never, {} as never)),
  ]).toEqual(['WORLD_DISPOSED', 'WORLD_DISPOSED', 'WORLD_DISPOSED', 'WORLD_DISPOSED'])
  // In another world it is a stranger, as before.
  expect(codeOf(() => other.query(Position).run(move))).toBe('INVALID_BINDING')
  other.dispose()
})

it('A kernel over a query that was disposed of says so', () => {
  const { world, move } = stage()
  const news = world.query(changed(Position))
  news.run(move)
  news.dispose()
  expect(codeOf(() => news.run(move))).toBe('QUERY_DISPOSED')
  expect(codeOf(() => news.slice(0, 1).run(move))).toBe('QUERY_DISPOSED')
  world.dispose()
})
