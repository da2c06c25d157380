// Checks plans by which rows move, by counting what lies in both layouts.

import { LAYOUT } from '../layout'
import { fail } from './failure'
import type { Memory } from './memory'

const L = LAYOUT

interface Entry {
  readonly id: number
  readonly columns: number
}

/** Plans by where a row comes from and where it goes. */
export class MovePlans {
  private readonly plans = new Map<string, number>()

  constructor(private readonly memory: Memory) {}

  /** Each plan must count the components and columns of both layouts as they lie. */
  check(): void {
    const { memory } = this
    const table = memory.word(L.ARCHETYPES_MOVE_PLANS)
    for (const [to, from, plan] of memory.hashed(table, 'the table of move plans')) {
      this.plans.set(`${from} ${to}`, plan)
      if (plan > L.MOVE_PLAN_NOT_PLAIN)
        checkMovePlan(
          memory,
          plan,
          this.layout(from),
          this.layout(to),
          `the plan from layout ${from} to ${to}`,
        )
    }
  }

  /** The plan for moves between two archetypes, by their addresses; undefined where there is none. */
  between(source: number, target: number): number | undefined {
    const idOf = (archetype: number) =>
      this.memory.word(this.memory.word(archetype + L.TABLE_LAYOUT) + L.LAYOUT_ID)
    return this.plans.get(`${idOf(source)} ${idOf(target)}`)
  }

  private layout(id: number): number {
    const { memory } = this
    const all = memory.word(L.LAYOUTS_ALL)
    if (id >= memory.word(all + L.LIST_COUNT)) fail(`a move plan names layout ${id}, which is not there`)
    return memory.word(memory.word(all + L.LIST_ITEMS) + id * 4)
  }
}

function checkMovePlan(memory: Memory, plan: number, source: number, target: number, name: string): void {
  memory.ledger.claim(plan, L.MOVE_PLAN_BYTES, name)
  const from = entriesOf(memory, source)
  const to = entriesOf(memory, target)
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
  const first = memory.word(target + L.LAYOUT_COLUMNS)
  if (memory.word(plan + L.MOVE_PLAN_ADDED) !== first + (columns[0] as number) * L.COLUMN_BYTES)
    fail(`${name} takes its defaults from another column`)
}

/** The components of a layout, in order, with how many columns each has. */
function entriesOf(memory: Memory, layout: number): Entry[] {
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
