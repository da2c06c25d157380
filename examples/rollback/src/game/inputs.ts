// What a player does in a frame: one byte, a bit for each key.

export const LEFT = 1
export const RIGHT = 2
export const UP = 4
export const DOWN = 8
export const FIRE = 16

/** Across and down, each -1, 0 or 1; opposite keys cancel out. */
export function directionOf(input: number): [across: number, down: number] {
  const across = (input & RIGHT ? 1 : 0) - (input & LEFT ? 1 : 0)
  const down = (input & DOWN ? 1 : 0) - (input & UP ? 1 : 0)
  return [across, down]
}
