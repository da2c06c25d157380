// Owns the lines that Node's console shows for our objects, in place of thousands of characters of what is inside them.
// It must never need Node: other consoles do not know the symbol, and show what they always do.

import type { Definition, Held, Schema } from './component'
import { describe } from './describe'
import { NULL_ENTITY } from './entity'
import type { Field } from './fields'
import type { Taken, TakenValue } from './taking'
import type { WorldStats } from './world'
import type { WorldState } from './worldState'

/** The name under which Node looks for a method that gives the text. */
export const INSPECT: unique symbol = /* @__PURE__ */ Symbol.for('nodejs.util.inspect.custom')

/** How many names a line holds. */
const NAMES = 20

export function showWorld(state: WorldState, stats: () => WorldStats): string {
  if (state.disposed) return 'World(disposed)'
  const { entities, components, archetypes, bytesUsed, bytesReserved } = stats()
  const locked = state.locks === 0 ? '' : `, locked by ${state.loops.names ?? 'a block or a listener'}`
  const counts = [showEntities(entities), several(components, 'component'), several(archetypes, 'archetype')]
  return `World(${counts.join(', ')}, ${bytesUsed} of ${bytesReserved} bytes used${locked})`
}

export function showEntities(count: number): string {
  return several(count, 'entity', 'entities')
}

function several(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** What is walked with its rows, such as a chunk. */
export function showRows(name: string, start: number, end: number, describe: () => string): string {
  return `${name}(rows from ${start} to before ${end}, of ${describe()})`
}

/** A component, tag or object component; a method of each of them. */
export function showDefinition(this: Definition): string {
  const { kind, componentName, storage } = this
  if (kind === 'tag') return `tag ${componentName}`
  if (kind === 'object') return `object ${componentName}`
  return `component ${componentName} ${showSchema(this.schema)}${storage === 'table' ? '' : `, ${storage}`}`
}

/** A component with values, as it was written. */
export function showValues(
  { componentName, fieldNames }: Definition,
  values: Taken | Held | undefined,
): string {
  if (values === undefined) return `${componentName}()`
  if (!Array.isArray(values)) return `${componentName}(${describe((values as Held).value)})`
  const given = (values as Taken).flatMap((value, k) =>
    value === undefined ? [] : `${fieldNames[k]}: ${showValue(value)}`,
  )
  return `${componentName}(${given.length === 0 ? '{}' : `{ ${shorten(given).join(', ')} }`})`
}

function showValue(value: TakenValue): string {
  return typeof value === 'object' ? `[${shorten(Array.from(value)).join(', ')}]` : describe(value)
}

/** The first of a list, and how many more there are. */
function shorten(list: readonly unknown[]): readonly unknown[] {
  return list.length <= NAMES ? list : [...list.slice(0, NAMES), `${list.length - NAMES} more`]
}

/** A field: f32, vec(u8, 4), f32.default(1). */
export function showField({ kind, length }: Field, isVec: boolean, given: unknown): string {
  const field = isVec ? `vec(${kind}, ${length})` : kind
  const usual = kind === 'text' ? '' : kind === 'bool' ? false : kind === 'entity' ? NULL_ENTITY : 0
  if (given === usual) return field
  return `${field}.default(${Array.isArray(given) ? `[${shorten(given).join(', ')}]` : describe(given)})`
}

export function showSchema(schema: Schema): string {
  const fields = Object.entries(schema).map(([name, { kind, length }]) => {
    return `${name}: ${length === 1 ? kind : `vec(${kind}, ${length})`}`
  })
  const named = shorten(fields)
  return named.length === 0 ? '{}' : `{ ${named.join(', ')} }`
}

export function showSchedule(runs: number, names: readonly string[]): string {
  const shown = shorten(names)
  return `Schedule(${several(names.length, 'system')}, ${several(runs, 'run')}${shown.length === 0 ? '' : `: ${shown.join(', ')}`})`
}
