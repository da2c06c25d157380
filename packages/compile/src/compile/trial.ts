// Owns the trial of a loop: what its functions leave in a few made-up rows, as one number. If a function was replaced by another
// one, the number differs, whatever a minifier has made of either. It must never need a world or the compiler.

import type { Field } from '../../../../bindings/components/fields'
import { vecLength } from '../loopCompiler/shapes'
import { type GivenPart, componentIn } from './table'

/**
 * @param components of stand-ins for declarations, too: only fields are read
 * @param returns whether what the body returns counts
 */
export function trialOf(
  components: readonly unknown[],
  values: object | undefined,
  body: (...given: unknown[]) => unknown,
  returns: boolean,
): number {
  // Eighths between -16 and 16, each as soon as another.
  let turn = 1
  const number = (): number => (turn = (turn * 75) % 257) / 8 - 16
  const held = (field: Field): unknown => {
    const length = vecLength(field)
    if (length > 0) return Array.from({ length }, number)
    return field.kind === 'bool' ? number() > 0 : number()
  }
  const record = (schema: object): unknown =>
    Object.fromEntries(Object.entries(schema).map(([name, field]) => [name, held(field as Field)]))
  let left = ''
  for (let row = 0; row < 4; row++) {
    const rows = components.map((part) => {
      const component = componentIn(part)
      // A row may lack what is optional.
      return component
        ? (part as GivenPart).operator && row & 1
          ? undefined
          : record(component.schema)
        : number()
    })
    const given = Object.entries(values ?? {}).map(([name, value]: [string, unknown]) => {
      const { schema, kind } = value as GivenPart
      return [name, schema ? record(schema) : kind ? held(value as Field) : value]
    })
    try {
      const returned = body(...rows, Object.fromEntries(given))
      // Some minifiers write 1 for true.
      left += JSON.stringify([rows, returns && returned], (_, each: unknown) =>
        each === true ? 1 : each || 0,
      )
    } catch {
      // It throws, or leaves what is no row, such as a bigint.
      left += 'thrown'
    }
  }
  let hash = 0
  for (let k = 0; k < left.length; k++) hash = (Math.imul(hash, 31) + left.charCodeAt(k)) | 0
  return hash
}
