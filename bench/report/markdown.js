// Owns how a table is written in Markdown: columns as wide as prettier makes them.

/** A table whose cells are Markdown. `alignment` has `<` or `>` for each column. */
export function markdownTable(lines, alignment) {
  const widths = lines[0].map((_, column) => Math.max(3, ...lines.map((line) => line[column].length)))
  const rowOf = (line) => `| ${line.join(' | ')} |`
  const padded = lines.map((line) =>
    line.map((cell, k) => (alignment[k] === '>' ? cell.padStart(widths[k]) : cell.padEnd(widths[k]))),
  )
  const rule = widths.map((width, k) =>
    alignment[k] === '>' ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
  )
  return [padded[0], rule, ...padded.slice(1)].map(rowOf).join('\n')
}

/** A table whose cells are plain text. */
export const tableOfTexts = (lines, alignment) =>
  markdownTable(
    lines.map((line) => line.map(plain)),
    alignment,
  )

/** Text that Markdown must not read anything into. */
export const plain = (text) => text.replace(/[|*<`]|(?<!\w)_|_(?!\w)/g, '\\$&').replace(/\s+/g, ' ')
