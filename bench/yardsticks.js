// Owns what the rows of a case are judged by where that is neither the hand-written loops nor the best peer: the row of
// one library, often of another case. It must never choose the slower of two ways: a yardstick is the best there is.
import { median } from './statistics.js'

/**
 * The yardsticks of a case, as its `beside` names them: `name`, and `rowFor(row)`, the row beside which one is shown.
 *
 * @param work.beside for each: `name`; the name of the `case`, this one if there is none; its `size`, the same if there is
 *   none; its `library`, that of the row if there is none; its `way`, the fastest if there is none
 * @param rows those of all cases; a yardstick of which there is none is left out
 */
export function yardsticksOf(work, size, rows) {
  return (work.beside ?? [])
    .map((one) => {
      const fits = rows.filter(
        (row) =>
          row.case === (one.case ?? work.name) &&
          row.size === (one.size ?? size) &&
          (one.way === undefined || row.way === one.way),
      )
      const rowFor = ({ library }) => fastest(fits.filter((row) => row.library === (one.library ?? library)))
      return { name: one.name, rowFor, found: fits.length > 0 }
    })
    .filter(({ found }) => found)
}

const fastest = (rows) => rows.toSorted((a, b) => median(a.nanoseconds) - median(b.nanoseconds))[0]
