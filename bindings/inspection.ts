// Owns the lines that Node's console shows for our objects, in place of thousands of characters of what is inside them.
// It must never need Node: other consoles do not know the symbol, and show what they always do.

import type { Definition, Schema } from './component'
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

export function showSchema(schema: Schema): string {
  const fields = Object.entries(schema)
  const named = fields.slice(0, NAMES).map(([name, { kind, length }]) => {
    return `${name}: ${length === 1 ? kind : `vec(${kind}, ${length})`}`
  })
  if (fields.length > NAMES) named.push(`${fields.length - NAMES} more`)
  return named.length === 0 ? '{}' : `{ ${named.join(', ')} }`
}

export function showSchedule(runs: number, names: readonly string[]): string {
  const shown = names.slice(0, NAMES)
  if (names.length > NAMES) shown.push(`${names.length - NAMES} more`)
  return `Schedule(${several(names.length, 'system')}, ${several(runs, 'run')}${shown.length === 0 ? '' : `: ${shown.join(', ')}`})`
}
