// How often the script of what is heard does what, and its random numbers.

/** So many entities are enough. */
export const MOST = 40
export const QUERIES = 14
/** What one step may set off in listeners. */
export const MOST_REACTIONS = 24

export type Random = (n: number) => number

export function randomFrom(seed: number): Random {
  let s = (Math.imul(seed ^ 0x9e3779b9, 2654435761) >>> 0) | 1
  return (n) => {
    s ^= s << 13
    s ^= s >>> 17
    s ^= s << 5
    return (s >>> 0) % n
  }
}

/** What is done, and how often. */
const tableOf = (shares: Record<string, number>) =>
  Object.entries(shares).flatMap(([name, share]) => new Array<string>(share).fill(name))

const REACTIONS = {
  spawn: 6,
  prepared: 2,
  spawnAt: 1,
  spawnMany: 1,
  add: 14,
  remove: 12,
  exchange: 6,
  set: 8,
  setIfDifferent: 2,
  setSeveral: 2,
  switch: 5,
  destroy: 5,
  addMany: 2,
  removeMany: 2,
  setMany: 2,
  destroyMany: 1,
  link: 8,
  unlink: 4,
  setTargets: 3,
  query: 3,
  clone: 2,
  discard: 1,
  setResource: 1,
  listen: 3,
  stop: 2,
  record: 2,
}
export const REACTING = tableOf(REACTIONS)
export const INSIDE = tableOf({
  ...REACTIONS,
  spawnFrom: 1,
  spawnManyAt: 1,
  endFrame: 1,
  clear: 1,
  apply: 1,
  forget: 1,
  block: 3,
})
export const TOP = tableOf({
  ...REACTIONS,
  spawnFrom: 2,
  spawnManyAt: 1,
  endFrame: 2,
  clear: 1,
  merge: 1,
  record: 10,
  apply: 4,
  forget: 1,
  block: 45,
})
