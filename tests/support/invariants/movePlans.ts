// Checks plans by which rows move, by counting what lies in both layouts.

import { LAYOUT } from '../layout'
import type { Archetypes } from './archetypes'
import { fail } from './failure'
import type { Memory } from './memory'

const L = LAYOUT

interface Entry {
  readonly id: number
  readonly columns: number
}

/** A plan must count the components and columns of both layouts as they lie. */
export function checkMovePlan(
  memory: Memory,
  archetypes: Archetypes,
  plan: number,
  source: number,
  target: number,
): void {
  const name = `the plan of the move from archetype ${source} to ${target}`
  const goal = archetypes.addressOf(target)
  memory.ledger.claim(plan, L.MOVE_PLAN_BYTES, name)
  if (memory.word(plan + L.MOVE_PLAN_TARGET) !== goal) fail(`${name} leads elsewhere`)
  const from = entriesOf(memory, archetypes.addressOf(source))
  const to = entriesOf(memory, goal)
  const [head, added, removed, tail] = memory.numbersAt(plan + L.MOVE_PLAN_COMPONENTS, 4) as [
    number,
    number,
    number,
    number,
  ]
  const fromParts = [from.slice(0, head), from.slice(head, head + removed), from.slice(head + removed)]
  const toParts = [to.slice(0, head), to.slice(head, head + added), to.slice(head + added)]
  if (
    idsOf(fromParts[0]) !== idsOf(toParts[0]) ||
    idsOf(fromParts[2]) !== idsOf(toParts[2]) ||
    toParts[2]?.length !== tail ||
    fromParts[1]?.some(({ id }) => to.some((other) => other.id === id)) === true
  ) {
    fail(`${name} does not count its components as they lie`)
  }
  const columns = [toParts[0], toParts[1], fromParts[1], toParts[2]].map(columnsOf)
  if (memory.numbersAt(plan + L.MOVE_PLAN_COLUMNS, 4).join() !== columns.join())
    fail(`${name} does not count its columns as they lie`)
  const first = memory.word(memory.word(goal + L.TABLE_LAYOUT) + L.LAYOUT_COLUMNS)
  if (memory.word(plan + L.MOVE_PLAN_ADDED) !== first + (columns[0] as number) * L.COLUMN_BYTES)
    fail(`${name} takes its defaults from another column`)
}

/** The components of an archetype's layout, in order, with how many columns each has. */
function entriesOf(memory: Memory, archetype: number): Entry[] {
  const layout = memory.word(archetype + L.TABLE_LAYOUT)
  const first = memory.word(layout + L.LAYOUT_COMPONENTS)
  return Array.from({ length: memory.word(layout + L.LAYOUT_COMPONENT_COUNT) }, (_, i) => {
    const entry = first + i * L.LAYOUT_COMPONENT_BYTES
    return {
      id: memory.word(entry + L.LAYOUT_COMPONENT_ID),
      columns: memory.word(entry + L.LAYOUT_COMPONENT_COLUMN_COUNT),
    }
  })
}

const idsOf = (entries: readonly Entry[] | undefined) => entries?.map(({ id }) => id).join()
const columnsOf = (entries: readonly Entry[] | undefined) =>
  (entries ?? []).reduce((sum, { columns }) => sum + columns, 0)
