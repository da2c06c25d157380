// Owns the console of a live program: what Node's prints, as lines of text.

import { format, inspect } from 'node-inspect-extracted'

const isObject = (value) => typeof value === 'object' && value !== null

/** Cells as wide as the widest of their column, in a frame. */
function framed(head, rows) {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column].length)) + 2)
  const centred = (cell, width) => {
    const left = Math.floor((width - cell.length) / 2)
    return ' '.repeat(left) + cell + ' '.repeat(width - cell.length - left)
  }
  const line = (cells) => `│${cells.map((cell, i) => centred(cell, widths[i])).join('│')}│`
  const rule = (left, middle, right) => left + widths.map((width) => '─'.repeat(width)).join(middle) + right
  return [rule('┌', '┬', '┐'), line(head), rule('├', '┼', '┤'), ...rows.map(line), rule('└', '┴', '┘')]
}

/** A list or an object as a table, as console.table shows it; undefined of what is none. */
export function tableOf(data, only) {
  if (!isObject(data)) return undefined
  const isKeyed = data instanceof Map || data instanceof Set
  const entries = isKeyed ? [...data.values()].map((value, i) => [i, value]) : Object.entries(data)
  const names = only ?? [...new Set(entries.flatMap(([, row]) => (isObject(row) ? Object.keys(row) : [])))]
  const hasValues = entries.some(([, row]) => !isObject(row))
  const rows = entries.map(([key, row]) => [
    String(key),
    ...names.map((name) =>
      isObject(row) && Object.hasOwn(row, name) ? inspect(row[name], { depth: 0 }) : '',
    ),
    ...(hasValues ? [isObject(row) ? '' : inspect(row)] : []),
  ])
  return framed(['(index)', ...names, ...(hasValues ? ['Values'] : [])], rows).join('\n')
}

/**
 * The methods of a console that writes texts.
 *
 * @param write is given one text of one or several lines
 */
export function consoleOver(write) {
  const counts = new Map()
  const begun = new Map()
  let indent = ''
  const print = (...values) => write(format(...values).replace(/^/gm, indent))
  const group = (...values) => {
    if (values.length > 0) print(...values)
    indent += '  '
  }
  const timeOf = (label) =>
    `${label}: ${(performance.now() - (begun.get(label) ?? performance.now())).toFixed(2)}ms`
  return {
    log: print,
    info: print,
    debug: print,
    warn: print,
    error: print,
    dir: (value, options) => print(inspect(value, options)),
    dirxml: print,
    table: (data, only) => print(tableOf(data, only) ?? data),
    trace: (...values) => print('Trace:', ...values),
    assert(condition, ...values) {
      if (!condition) print(...(values.length > 0 ? ['Assertion failed:', ...values] : ['Assertion failed']))
    },
    count(label = 'default') {
      counts.set(label, (counts.get(label) ?? 0) + 1)
      print(`${label}: ${counts.get(label)}`)
    },
    countReset: (label = 'default') => counts.delete(label),
    time: (label = 'default') => begun.set(label, performance.now()),
    timeLog: (label = 'default', ...values) => print(timeOf(label), ...values),
    timeEnd(label = 'default') {
      print(timeOf(label))
      begun.delete(label)
    },
    group,
    groupCollapsed: group,
    groupEnd: () => (indent = indent.slice(2)),
  }
}
