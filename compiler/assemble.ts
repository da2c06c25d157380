// Owns the run of the AssemblyScript compiler: its options, the files it sees, and its messages with places in the user's
// files. It must never write to disk.

import { readFile } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import asc from 'assemblyscript/asc'
import { KernelSourceError, problemAt, type KernelSourceProblem, type Place } from './sourceError'
import type { ParsedSource } from './syntax'
import { PAGE_END } from './windows'

/** The folder `assembly` of this package: one above both compiler/ and dist/. */
const LIBRARY = fileURLToPath(new URL('../assembly/', import.meta.url))
const PACKAGE = /(?:^|[\\/])node_modules[\\/]strata-ecs[\\/](?:assembly[\\/])?(.+)$/
const WARNING = 2
const ERROR = 3
/** The compiler's number for data that reaches beyond `--lowMemoryLimit`. */
const TOO_MUCH_DATA = 104

/** What is compiled. */
export interface Assembly {
  /** The kernels' file. */
  readonly file: string
  /** The user's files by absolute path. */
  readonly sources: ReadonlyMap<string, ParsedSource>
  /** Text to compile in place of a file's own: it begins with that. */
  readonly replaced?: ReadonlyMap<string, string>
  /** The text of the entry module. */
  readonly entry: string
  /** Where data begins in memory. */
  readonly memoryBase: number
}

/** What the compiler wrote. */
export interface Assembled {
  readonly bytes: Uint8Array
  /** The module in the text format. */
  readonly text: string
  readonly warnings: readonly KernelSourceProblem[]
}

interface Diagnostic {
  message: string
  code: number
  category: number
  range: DiagnosticRange | null
  relatedRange: DiagnosticRange | null
}

interface DiagnosticRange {
  start: number
  end: number
  source: { normalizedPath: string } | null
}

/**
 * Compiles kernels to a module.
 *
 * @throws KernelSourceError with what the AssemblyScript compiler finds
 */
export async function assemble(assembly: Assembly): Promise<Assembled> {
  const folder = dirname(assembly.file)
  const entryName = `${basename(assembly.file, '.ts')}.entry.ts`
  const entryPath = resolve(folder, entryName)
  const diagnostics: Diagnostic[] = []
  let bytes: Uint8Array | undefined
  let text = ''
  const read = async (name: string): Promise<string | null> => {
    const library = PACKAGE.exec(name)?.[1]
    if (library !== undefined) return readFile(resolve(LIBRARY, library), 'utf8').catch(() => null)
    const path = resolve(folder, name)
    if (path === entryPath) return assembly.entry
    return assembly.replaced?.get(path) ?? assembly.sources.get(path)?.text ?? null
  }
  const { error } = await asc.main([entryName, ...optionsOf(assembly)], {
    readFile: read,
    writeFile: (_name, contents) => {
      if (typeof contents === 'string') text = contents
      else bytes = contents
    },
    listFiles: () => [],
    reportDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    stdout: asc.createMemoryStream(),
    stderr: asc.createMemoryStream(),
  })
  const of = (category: number): Diagnostic[] =>
    diagnostics.filter((diagnostic) => diagnostic.category === category)
  const errors = of(ERROR).map((diagnostic) => locate(diagnostic, assembly))
  if (errors.length > 0) {
    // What stands behind the user's text repeats it: an error there is news only where there is no other.
    const own = errors.filter(({ place }) => place.start < place.text.length)
    throw new KernelSourceError(
      (own.length > 0 ? own : errors).map(({ place, message }) => problemAt(place, message)),
    )
  }
  if (error !== null || bytes === undefined) {
    // The compiler gave up without a place: its own words, at the file.
    const reason = `The AssemblyScript compiler failed: ${error?.message ?? 'it wrote nothing.'}`
    throw new KernelSourceError([problemAt(startOf(assembly.file, assembly.sources), reason)])
  }
  return { bytes, text, warnings: warningsOf(of(WARNING), assembly) }
}

function optionsOf({ memoryBase }: Assembly): string[] {
  return [
    ...['--outFile', 'kernels.wasm'],
    ...['--textFile', 'kernels.wat'],
    ...['--runtime', 'stub'],
    '-O3',
    '--noAssert',
    ...['--use', 'abort='],
    '--importMemory',
    '--noExportMemory',
    ...['--memoryBase', String(memoryBase)],
    ...['--lowMemoryLimit', String(PAGE_END)],
    ...['--enable', 'simd'],
  ]
}

/** What the compiler remarks about the user's files; about the library it is no business of the user. */
function warningsOf(diagnostics: readonly Diagnostic[], assembly: Assembly): KernelSourceProblem[] {
  return diagnostics
    .map((diagnostic) => locate(diagnostic, assembly))
    .filter(({ place, inUserFile }) => inUserFile && place.start < place.text.length)
    .map(({ place, message }) => problemAt(place, message))
}

interface Located {
  readonly place: Place
  readonly message: string
  readonly inUserFile: boolean
}

/** The place of a message: the first of its two ranges that lies in a file of the user, or the start of the kernels. */
function locate({ message, code, range, relatedRange }: Diagnostic, { file, sources }: Assembly): Located {
  const coded = `${code === TOO_MUCH_DATA ? tooMuchData(message) : message} (AS${code})`
  for (const candidate of [range, relatedRange]) {
    if (!candidate?.source) continue
    const source = sources.get(resolve(dirname(file), candidate.source.normalizedPath))
    if (source === undefined) continue
    const { start, end } = candidate
    return { place: { file: source.file, text: source.text, start, end }, message: coded, inUserFile: true }
  }
  const elsewhere = range?.source?.normalizedPath.replace('~lib/', '')
  return {
    place: startOf(file, sources),
    message: elsewhere === undefined ? coded : `${coded} In ${elsewhere}.`,
    inUserFile: false,
  }
}

/** The compiler knows the numbers alone: '65596 > 65536'. */
function tooMuchData(message: string): string {
  const end = /\d+/.exec(message)?.[0] ?? ''
  return `The tables of this file would reach up to address ${end}, and those of all kernels of a build have to fit into memory page 0, below ${PAGE_END}. Make tables smaller, keep them in components, or begin lower with the option memoryBase.`
}

function startOf(file: string, sources: Assembly['sources']): Place {
  return { file, text: sources.get(file)?.text ?? '', start: 0, end: 0 }
}
