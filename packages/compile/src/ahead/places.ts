// Owns the way from a place in a module's text to the place in the file that the user wrote. Plugins before this one have
// taken types away, and lines with them.

import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, resolve } from 'node:path'
import { type KernelSourceProblem, problemAt } from './sourceError'

/** A source map, as far as this file reads it itself. */
export interface UserMap {
  readonly sources: readonly string[]
  readonly sourcesContent?: readonly (string | null)[]
}

/** A stretch of a module's text. */
export interface Stretch {
  readonly id: string
  readonly code: string
  readonly start: number
  readonly end: number
}

/**
 * What is wrong at a place, as it is shown.
 *
 * @param map leads from the module's text to the user's file
 */
export function shownAt(
  { id, code, start, end }: Stretch,
  map: UserMap | undefined,
  message: string,
): KernelSourceProblem {
  const file = id.replace(/[?#].*$/, '')
  const found = map && original(file, code, start, map)
  if (found === undefined) return problemAt({ file, text: code, start, end }, message)
  // How long the stretch is there, its text tells if it is the same.
  const isSame = found.text.startsWith(code.slice(start, end), found.start)
  return problemAt({ ...found, end: isSame ? found.start + end - start : found.start + 1 }, message)
}

function original(
  file: string,
  code: string,
  offset: number,
  map: UserMap,
): { file: string; text: string; start: number } | undefined {
  const before = code.slice(0, offset)
  const line = before.split('\n').length - 1
  const entry = new SourceMap(map as never).findEntry(line, offset - before.lastIndexOf('\n') - 1)
  if (!('originalLine' in entry)) return undefined
  const source = map.sources.indexOf(entry.originalSource)
  const path = resolve(dirname(file), entry.originalSource.replace(/^file:\/\//, ''))
  const text = map.sourcesContent?.[source] ?? textOf(path)
  if (text === undefined) return undefined
  const lines = text.split('\n').slice(0, entry.originalLine)
  return {
    file: path,
    text,
    start: lines.join('\n').length + (lines.length > 0 ? 1 : 0) + entry.originalColumn,
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
