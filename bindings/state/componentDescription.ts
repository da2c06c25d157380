// Owns the description of a component that the core is given when it is registered, byte by byte, in scratch. It must never be
// written while scratch holds anything else.

import {
  COLUMN_ENTITY,
  COLUMN_PLAIN,
  COLUMN_TEXT,
  COLUMN_TICK,
  DESCRIBED_COLUMN_BYTES,
  DESCRIBED_COLUMN_DEFAULT,
  DESCRIBED_COLUMN_KIND,
  DESCRIBED_COLUMN_WIDTH,
  DESCRIPTION_BYTES,
  DESCRIPTION_COLUMNS,
  DESCRIPTION_FLAGS,
  DESCRIPTION_STORAGE,
  DESCRIPTION_TEXT_BYTES,
  DESCRIPTION_TEXT_OFFSET,
  SCRATCH_ADDRESS,
  SCRATCH_BYTES,
} from '../../build/layout'
import { type Definition, rowBytes } from '../components/definition'
import { storeDefault } from '../components/fieldMemory'
import { type Field, isVec } from '../components/fields'
import type { Kind, KindIn } from '../components/fieldKinds'
import { isWide } from '../components/resourceDeclaration'
import type { Heap } from '../memory/heap'
import { utf8 } from '../memory/encodings'
import { descriptionTooLarge } from './rowLimits'

/** Where rows are tracked: the tick of the last change, then the tick of the adding. */
const ROW_TICK_COLUMNS = 2

/** Lays out in scratch: the description, a description for each column, the defaults, the text. */
export function writeDescription(heap: Heap, definition: Definition): void {
  const { fieldNames, details } = definition
  const { columns: fields } = details
  const u32 = heap.u32
  const at = (offset: number) => (SCRATCH_ADDRESS + offset) >> 2
  const kinds = fields.map(
    (field, k) => `${fieldNames[k] ?? ''}:${field.kind}${isVec(field) ? `*${field.length}` : ''}`,
  )
  const text = utf8(`${definition.componentName}{${kinds.join(',')}}`)
  const columns = fields.length + (details.tracksRows ? ROW_TICK_COLUMNS : 0)
  // The lists of a wide resource go where they belong when its row is made: see resources.ts.
  const wide = isWide(definition)
  const isLeftOut = (field: Field) => wide && isVec(field)
  const valueBytes = wide
    ? fields.reduce((sum, field) => (isLeftOut(field) ? sum : sum + (1 << field.shift)), 0)
    : rowBytes(definition)
  const bytes = DESCRIPTION_BYTES + columns * (DESCRIBED_COLUMN_BYTES + 8) + valueBytes
  if (bytes + text.length > SCRATCH_BYTES) throw descriptionTooLarge(definition, bytes + text.length)
  u32[at(DESCRIPTION_STORAGE)] = definition.storageCode
  u32[at(DESCRIPTION_FLAGS)] = definition.flags
  u32[at(DESCRIPTION_COLUMNS)] = columns
  let end = DESCRIPTION_BYTES + columns * DESCRIBED_COLUMN_BYTES
  const describeColumn = (k: number, width: number, kind: number, defaultOffset: number) => {
    const column = DESCRIPTION_BYTES + k * DESCRIBED_COLUMN_BYTES
    u32[at(column + DESCRIBED_COLUMN_WIDTH)] = width
    u32[at(column + DESCRIBED_COLUMN_KIND)] = kind
    u32[at(column + DESCRIBED_COLUMN_DEFAULT)] = defaultOffset
  }
  fields.forEach((field, k) => {
    const width = field.length << field.shift
    if (isLeftOut(field)) {
      describeColumn(k, width, columnKind(field.kind), 0)
      return
    }
    end = (end + 7) & ~7
    describeColumn(k, width, columnKind(field.kind), end)
    storeDefault(heap, field, SCRATCH_ADDRESS + end)
    end += width
  })
  for (let k = fields.length; k < columns; k++) describeColumn(k, 4, COLUMN_TICK, 0)
  u32[at(DESCRIPTION_TEXT_OFFSET)] = end
  u32[at(DESCRIPTION_TEXT_BYTES)] = text.length
  heap.u8.set(text, SCRATCH_ADDRESS + end)
}

/** What the core must know of a column's values: sweeps look for handles and texts. */
function columnKind(kind: Kind): number {
  if (kind === 'entity') return COLUMN_ENTITY
  if (kind === 'text') return COLUMN_TEXT
  kind satisfies KindIn<'integer' | 'float' | 'bool'>
  return COLUMN_PLAIN
}
