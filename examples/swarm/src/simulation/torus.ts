// The square whose edges join: its arithmetic, its cells, and finding agents by their place.

import { createAccessor, NULL_ENTITY, type Entity, type Query, type World } from 'strata-ecs'
import { Position } from './components.ts'
import { CELLS, CELL_FLOATS, SIZE } from './settings.ts'

/** The shortest way from one coordinate to another: from -SIZE / 2 up to SIZE / 2. */
export function wayTo(from: number, to: number): number {
  const way = to - from
  return way - SIZE * Math.round(way / SIZE)
}

/** A coordinate in the square. */
export function wrap(coordinate: number): number {
  return coordinate - SIZE * Math.floor(coordinate / SIZE)
}

/** Where the numbers of a cell begin. Cells outside of the square are on its other side. */
export function placeOf(row: number, column: number): number {
  return ((row & (CELLS - 1)) * CELLS + (column & (CELLS - 1))) * CELL_FLOATS
}

/** Those of a query in a square around a point. Over an edge there are several queries: a `where` does not go around. */
export function* around(agents: Query, x: number, y: number, radius: number): Generator<Query> {
  for (const [left, right] of pieces(x, radius))
    for (const [top, bottom] of pieces(y, radius))
      yield agents
        .where(Position, 'x', '>=', left)
        .where(Position, 'x', '<=', right)
        .where(Position, 'y', '>=', top)
        .where(Position, 'y', '<=', bottom)
}

/** From where to where, in the square. */
function pieces(centre: number, radius: number): [number, number][] {
  const from = wrap(centre) - radius
  const to = wrap(centre) + radius
  if (from < 0) return [[0, to], [from + SIZE, SIZE]] // prettier-ignore
  if (to > SIZE) return [[0, to - SIZE], [from, SIZE]] // prettier-ignore
  return [[from, to]]
}

/** The one of them nearest to a point, NULL_ENTITY when none is so near. */
export function nearest(world: World, agents: Query, x: number, y: number, within: number): Entity {
  const position = createAccessor(world, Position)
  let best = within
  let found: Entity = NULL_ENTITY
  for (const some of around(agents, x, y, within)) {
    for (const entity of some.entities() as Iterable<Entity>) {
      const at = position.of(entity)
      const distance = Math.hypot(wayTo(x, at.x), wayTo(y, at.y))
      if (distance > best) continue
      best = distance
      found = entity
    }
  }
  return found
}
