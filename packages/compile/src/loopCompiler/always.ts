// Owns the proof that a condition always holds, such as that a row has returned on every path: by trying all values of what it
// is made of, at once. Of each condition there is a table with a bit for each case.

import type { GraphValue } from './graph'
import type { Work } from './work'

/** With more than that, 2^n cases are too many. */
const MOST_LEAVES = 10
/** What it takes to compute a table of 2^10 bits. */
const STEPS_OF_TABLE = 5

export function alwaysHolds(condition: GraphValue, work: Work): boolean {
  const reached = new Set<GraphValue>()
  const left = [condition]
  let leaves = 0
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (reached.has(value)) continue
    work.spend(STEPS_OF_TABLE)
    reached.add(value)
    if (isJoint(value)) left.push(...value.inputs)
    else if (value.op !== 'const' && ++leaves > MOST_LEAVES) return false
  }
  const always = (1n << (1n << BigInt(leaves))) - 1n
  const tables = new Map<GraphValue, bigint>()
  const tableOf = (value: GraphValue): bigint => tables.get(value) as bigint
  let width = 1n
  // What a value is made of is older than the value.
  for (const value of [...reached].sort((a, b) => a.id - b.id)) {
    const { op, data, inputs } = value
    if (isJoint(value)) {
      const join: (always: bigint, ...tables: bigint[]) => bigint = JOINTS[op as keyof typeof JOINTS]
      tables.set(value, join(always, ...inputs.map(tableOf)))
    } else if (op === 'const') tables.set(value, data === true ? always : 0n)
    else {
      // Of each leaf the bits change at twice the distance of the one before.
      tables.set(value, always / ((1n << width) + 1n))
      width <<= 1n
    }
  }
  return tableOf(condition) === always
}

const isJoint = ({ op, isBoolean }: GraphValue): boolean => isBoolean && Object.hasOwn(JOINTS, op)

const JOINTS = {
  land: (_: bigint, a: bigint, b: bigint) => a & b,
  lor: (_: bigint, a: bigint, b: bigint) => a | b,
  lxor: (_: bigint, a: bigint, b: bigint) => a ^ b,
  lnot: (always: bigint, a: bigint) => always ^ a,
  select: (_: bigint, a: bigint, b: bigint, c: bigint) => (a & b) | (~a & c),
} as const
