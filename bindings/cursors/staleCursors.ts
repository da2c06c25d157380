// Owns the checked core's test of cursors: whether a cursor's row still belongs to the entity it was given for. It must never be
// reached from index.ts: strata-ecs/checked brings it.

import { CHUNK_DATA_WORD, CHUNK_ROWS_WORD } from '../../build/layout'
import type { CursorChecks } from '../memory/core'
import { StrataError } from '../memory/errors'

export const CURSOR_CHECKS: CursorChecks = {
  note(checked, { u32 }) {
    checked.entity = u32[(checked.data >> 2) + checked.row] as number
  },

  hasLost({ data, row, chunkOffset, entity }, { u32, chunks }) {
    const descriptor = chunks + chunkOffset
    return (
      u32[descriptor + CHUNK_DATA_WORD] !== data ||
      row >= (u32[descriptor + CHUNK_ROWS_WORD] as number) ||
      u32[(data >> 2) + row] !== entity
    )
  },

  refuse(componentName) {
    throw new StrataError(
      'STALE_CURSOR',
      `This cursor of ${componentName} no longer stands on the row that it was given for: the row has moved or is gone, or eight others have been asked for since. Ask for it anew, and use it at once.`,
    )
  },
}
