// Owns the proof that a condition always holds, such as that a row has returned on every path: by trying all values of what it
// is made of.

import type { Value } from './graph'
import { foldOf } from './known'

/** With more than that, 2^n cases take too long. */
const MOST_LEAVES = 10

export function alwaysHolds(condition: Value): boolean {
  const leaves = new Set<Value>()
  const left = [condition]
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (value.op === 'const') continue
    if (isJoint(value)) left.push(...value.inputs)
    else if (leaves.add(value).size > MOST_LEAVES) return false
  }
  const list = [...leaves]
  for (let bits = 0; bits < 1 << list.length; bits++) {
    const known = new Map(list.map((leaf, k) => [leaf, ((bits >> k) & 1) === 1]))
    if (!holds(condition, known)) return false
  }
  return true
}

const isJoint = ({ op, isBoolean }: Value): boolean =>
  /^l(?:and|or|not|xor)$/.test(op) || (op === 'select' && isBoolean)

function holds(value: Value, known: Map<Value, boolean>): boolean {
  const before = known.get(value)
  if (before !== undefined) return before
  if (value.op === 'const') return value.data === true
  const [a, b, c] = value.inputs.map((input) => holds(input, known)) as [boolean, boolean, boolean]
  const result = value.op === 'select' ? (a ? b : c) : Boolean(foldOf(value.op)?.(Number(a), Number(b)))
  known.set(value, result)
  return result
}
