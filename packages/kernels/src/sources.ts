// Owns the files of a kernel: the file itself and its imports from disk, parsed, and checked to hold nothing that no kernel may
// have.

import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { ExportStatement, ImportStatement, Statement, StringLiteralExpression } from 'assemblyscript'
import { forbiddenIn } from './forbidden'
import { KernelSourceError, problemAt, type KernelSourceProblem } from '../../compile/src/ahead/sourceError'
import { NodeKind, parseSource, placeOf, type ParsedSource } from './syntax'

/** The module that a kernel may import besides files. */
export const LIBRARY = 'strata-ecs/kernel'

/**
 * Reads a kernel's file and all files that it imports.
 *
 * @param onSource called with the path of each file that is read, also when it turns out to be wrong
 * @returns the sources by their absolute path; the kernel's own file is the first
 * @throws KernelSourceError at an import that leads nowhere, or a statement that no kernel may have
 */
export async function readSources(
  file: string,
  onSource: (file: string) => void = () => {},
): Promise<Map<string, ParsedSource>> {
  const sources = new Map<string, ParsedSource>()
  const problems: KernelSourceProblem[] = []
  const follow = async (path: string, text: string): Promise<void> => {
    onSource(path)
    const source = parseSource(path, text)
    sources.set(path, source)
    problems.push(...forbiddenIn(source))
    for (const statement of source.tree.statements) {
      const from = importedPath(statement)
      if (from === undefined || from.value === LIBRARY) continue
      const place = placeOf(source, from)
      if (!isRelative(from.value)) {
        problems.push(
          problemAt(
            place,
            `A kernel can import from 'strata-ecs/kernel' and from AssemblyScript files beside it; '${from.value}' is neither.`,
          ),
        )
        continue
      }
      const found = await firstOf(candidates(path, from.value), sources)
      if (found === undefined)
        problems.push(
          problemAt(
            place,
            `There is no file '${from.value}'. Name an AssemblyScript file, such as './shared.ts'.`,
          ),
        )
      else if (!sources.has(found.file)) await follow(found.file, found.text)
    }
  }
  await follow(file, await readFile(file, 'utf8'))
  if (problems.length > 0) throw new KernelSourceError(problems)
  return sources
}

export function isRelative(path: string): boolean {
  return path.startsWith('./') || path.startsWith('../')
}

/** The files that an import may mean, as AssemblyScript looks for them. */
function candidates(importer: string, path: string): string[] {
  const base = resolve(dirname(importer), path.replace(/\.ts$/, ''))
  return [`${base}.ts`, `${base}/index.ts`]
}

async function firstOf(
  files: string[],
  known: ReadonlyMap<string, ParsedSource>,
): Promise<{ file: string; text: string } | undefined> {
  for (const file of files) {
    const source = known.get(file)
    if (source !== undefined) return { file, text: source.text }
    const text = await readFile(file, 'utf8').catch(() => undefined)
    if (text !== undefined) return { file, text }
  }
  return undefined
}

function importedPath(statement: Statement): StringLiteralExpression | undefined {
  if (statement.kind === NodeKind.Import) return (statement as ImportStatement).path
  if (statement.kind === NodeKind.Export) return (statement as ExportStatement).path ?? undefined
  return undefined
}
