// Owns the search for sides of choices that are expensive and serve nothing else: these are computed only if a row takes them.

import type { GraphValue } from './graph'
import type { Work } from './work'

/** By sideOf: what is computed for that side alone. */
export type CostlySides = ReadonlyMap<string, ReadonlySet<GraphValue>>

/** From here on a side is worth a branch. */
const COSTLY = 16
/** With more conditions than that, finding costly sides would take longer than it saves. */
const MOST_CONDITIONS = 64
/** What an operation costs, where that is not 1. */
const COSTS: Readonly<Record<string, number>> = { div: 8, sqrt: 8, const: 0, scalar: 0, held: 0, load: 0 }

/** Names the value that is chosen where a condition holds, or where it does not. */
export function sideOf(condition: GraphValue, taken: boolean): string {
  return `${condition.id} ${taken}`
}

export function costlySides(roots: readonly GraphValue[], work: Work): CostlySides {
  const choices = new Map<GraphValue, GraphValue[]>()
  for (const value of reach(roots, ({ inputs }) => inputs, work)) {
    if (value.op !== 'select') continue
    const condition = value.inputs[0] as GraphValue
    const others = choices.get(condition)
    if (others === undefined) choices.set(condition, [value])
    else others.push(value)
  }
  const costly = new Map<string, ReadonlySet<GraphValue>>()
  if (choices.size > MOST_CONDITIONS) return costly
  for (const [condition, selects] of choices) {
    for (const taken of [true, false]) {
      const place = taken ? 1 : 2
      const elsewhere = reach(
        roots,
        ({ op, inputs }) =>
          op === 'select' && inputs[0] === condition ? inputs.filter((_, k) => k !== place) : inputs,
        work,
      )
      const own = reach(
        selects.map(({ inputs }) => inputs[place] as GraphValue),
        ({ inputs }) => inputs,
        work,
      )
      let cost = 0
      for (const value of own) {
        if (elsewhere.has(value)) own.delete(value)
        else if (!value.uniform) cost += COSTS[value.op] ?? 1
      }
      if (cost >= COSTLY) costly.set(sideOf(condition, taken), own)
    }
  }
  return costly
}

/** All values that some are computed from, with themselves. */
function reach(
  from: readonly GraphValue[],
  inputsOf: (value: GraphValue) => readonly GraphValue[],
  work: Work,
): Set<GraphValue> {
  const reached = new Set<GraphValue>()
  const left = [...from]
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (reached.has(value)) continue
    work.spend(2)
    reached.add(value)
    left.push(...inputsOf(value))
  }
  return reached
}
