// What two swarms are compared by: every column of what an agent has, bit by bit, and the handles in their order. The function
// goes to pages as its text, so it may not use anything outside.

import type { createSwarm } from '../../examples/swarm/src/simulation/swarm.ts'
import type * as Components from '../../examples/swarm/src/simulation/components.ts'

type Compared = Pick<typeof Components, 'Position' | 'Velocity' | 'Prey' | 'Burning' | 'Hunter'>

/**
 * How many rows each column has, and a checksum of their bits: `{ 'Position.x': '5024 rows, 8f3a01c2' }`. Equal columns
 * have equal ones, and others but by a chance of one in four thousand millions.
 */
export function stateOf(
  swarm: ReturnType<typeof createSwarm>,
  { Position, Velocity, Prey, Burning, Hunter }: Compared,
): Record<string, string> {
  const state: Record<string, { rows: number; sum: number }> = {}

  function add(name: string, column: ArrayLike<number> & ArrayBufferView, start: number, end: number) {
    const bits = new Uint32Array(column.buffer, column.byteOffset, column.length)
    const known = (state[name] ??= { rows: 0, sum: 0x811c9dc5 })
    known.rows += end - start
    for (let i = start; i < end; i++) known.sum = Math.imul(known.sum ^ bits[i], 0x01000193)
  }

  for (const component of [Position, Velocity, Prey, Burning, Hunter] as (typeof Position)[]) {
    const name = component.componentName
    for (const chunk of swarm.world.query(component)) {
      const { start, end, entities } = chunk
      add(`${name} handles`, entities as Uint32Array, start, end)
      const columns = chunk.read(component)
      for (const field of Object.keys(component.schema) as (keyof typeof columns)[])
        add(`${name}.${field}`, columns[field], start, end)
    }
  }
  const entries = Object.entries(state)
  return Object.fromEntries(
    entries.map(([name, { rows, sum }]) => [name, `${rows} rows, ${(sum >>> 0).toString(16)}`]),
  )
}
