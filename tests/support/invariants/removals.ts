// Checks what readers of removals have not taken: logs in segments, which are hidden resources. How they lie in memory stands in
// bindings/events/removals.ts.

import { LAYOUT } from '../layout'
import type { Components } from './components'
import type { Entities } from './entities'
import { fail } from './failure'
import type { Memory } from './memory'
import type { Pools } from './pools'

const L = LAYOUT

const NAME = /^removals (\d+)\.(\d+) of ([^{]*)/
const WORDS = 2

/** A log counts no more than it has room for, and each entry is a handle that was given out, and 0 or 1. */
export function checkRemovals(
  memory: Memory,
  entities: Entities,
  components: Components,
  pools: Pools,
): void {
  /** By log: the address and the words of each segment that has its row. */
  const logs = new Map<string, (readonly [address: number, words: number] | undefined)[]>()
  for (let id = 0; id < components.count; id++) {
    const [, ordinal, segment, of] = NAME.exec(components.textOf(id)) ?? []
    if (of === undefined) continue
    const log = `log ${ordinal} of ${of}`
    const segments = logs.get(log) ?? []
    logs.set(log, segments)
    const pool = memory.word(components.addressOf(id) + L.COMPONENT_POOL)
    segments[Number(segment)] =
      memory.word(pool + L.TABLE_ROWS) === 0 ? undefined : segmentAt(memory, pools, pool)
  }
  for (const [log, segments] of logs) {
    const made = segments.findIndex((segment) => segment === undefined)
    const there = made < 0 ? segments : segments.slice(0, made)
    if (segments.slice(there.length).some((segment) => segment !== undefined))
      fail(`the ${log} has a segment behind one that is missing`)
    const words = there.flatMap((segment) => memory.numbersAt(...(segment as [number, number])))
    const [count = 0] = words
    if ((count + 1) * WORDS > Math.max(words.length, WORDS))
      fail(`the ${log} counts ${count} removals and has ${words.length} words`)
    for (let place = 1; place <= count; place++) {
      const [entity = 0, died = 0] = words.slice(place * WORDS, place * WORDS + WORDS)
      const index = entities.indexOf(entity)
      if (index < L.FIRST_ENTITY_INDEX || index >= entities.fresh)
        fail(`the ${log} names the entity ${entity}, which was never given out`)
      if (died > 1) fail(`the ${log} says ${died} of entity ${entity} in place of whether it died`)
    }
  }
}

function segmentAt(memory: Memory, pools: Pools, pool: number): [address: number, words: number] {
  const location = memory.word(pool + L.TABLE_TAIL_ID) * 2 ** L.ROW_BITS
  const column = memory.word(memory.word(pool + L.TABLE_LAYOUT) + L.LAYOUT_COLUMNS)
  return [pools.hiddenAddress(pool, location, 0), memory.word(column + L.COLUMN_WIDTH) / 4]
}
