// The numbers of rows at which something changes in a storage.

import { component, u32 } from '../../bindings/index'
import { isShort } from './proofs'
import { capacitiesOf } from './storages'

/** Slots covered by one page of a sparse set's index. */
const SPARSE_PAGE = 4096

const { first, full } = capacitiesOf(component('Counted', { n: u32 }))

/** Behind three full chunks the large ones begin. */
const EDGES = [first, first + full, first + 3 * full, SPARSE_PAGE]

/**
 * Numbers of rows around every boundary of a component of one u32: words, chunks, pages. A short run has one or two of each
 * boundary.
 */
export const ROW_COUNTS = isShort
  ? [0, 1, 63, 65, first, ...EDGES.map((edge) => edge + 1)]
  : [0, 1, 2, 63, 64, 65, ...EDGES.flatMap((edge) => [edge - 1, edge, edge + 1])]
