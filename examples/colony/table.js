// Owns tables of text: columns as wide as their widest cell. It must never know what a column means.

/** The first column to the left, the others to the right. */
export function formatTable(header, rows) {
  const cells = [header, ...rows].map((line) => line.map(String))
  const widths = header.map((_, column) => Math.max(...cells.map((line) => line[column].length)))
  const format = (line) =>
    line
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))
      .join('  ')
  const rule = '─'.repeat(widths.reduce((total, width) => total + width, 2 * (widths.length - 1)))
  return [format(cells[0]), rule, ...cells.slice(1).map(format)].join('\n')
}
