// Owns the arithmetic of a square whose edges join. It must never know agents.

import { SIZE } from './settings.ts'

/** The shortest way from one coordinate to another: from -SIZE / 2 up to SIZE / 2. */
export function wayTo(from: number, to: number): number {
  const way = to - from
  return way - SIZE * Math.round(way / SIZE)
}

/** A coordinate in the square. */
export function wrap(coordinate: number): number {
  return coordinate - SIZE * Math.floor(coordinate / SIZE)
}
