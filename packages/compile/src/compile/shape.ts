// Owns the shape of a loop, as the compiler takes it, from what the loop is declared with. Sources of functions are found by
// the caller: `compile` asks the functions themselves, the plugin reads them in the program.

import type { Source } from '../loopCompiler/refusal'
import type { LoopShape, ValueShape } from '../loopCompiler/shapes'
import type { DeclaredLoop } from './declared'

/** @param sourceOf the source of a function among the values */
export function shapeOf(
  { parts, values, options }: DeclaredLoop,
  body: Source,
  sourceOf: (given: object, name: string) => Source,
): LoopShape {
  const shapes = [...(values ?? [])].map(([name, { declared, shape }]): [string, ValueShape] => [
    name,
    shape === 'function' ? { source: sourceOf(declared as object, name) } : shape,
  ])
  return {
    parts: parts.map(({ shape }) => shape),
    values: values && Object.fromEntries(shapes),
    body,
    result: options.result ?? 'none',
  }
}
