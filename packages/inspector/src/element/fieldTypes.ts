// Owns how the inspector shows and edits each type of field.

import type { FieldInfo } from '../inspect/inspect'

export type FieldType = FieldInfo['type']

/** A text in digits, of which a float has as many as tell it from its neighbours; a box to tick; lines of text; a handle. */
export const EDITED_AS: Record<FieldType, 'number' | 'float' | 'box' | 'lines' | 'handle'> = {
  i8: 'number',
  u8: 'number',
  i16: 'number',
  u16: 'number',
  i32: 'number',
  u32: 'number',
  f32: 'float',
  f64: 'number',
  bool: 'box',
  entity: 'handle',
  text: 'lines',
}
