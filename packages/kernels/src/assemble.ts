// Owns the run of the AssemblyScript compiler: its options, the files it sees, and its messages with places in the user's files.

import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runCompiler, type CompilerDiagnostic, type CompilerFailure } from './compilerThread'
import { TABLE_STATE } from './forbidden'
import {
  KernelSourceError,
  problemAt,
  type KernelSourceProblem,
  type Place,
} from '../../compile/src/ahead/sourceError'
import type { ParsedSource } from './syntax'
import { PAGE_END } from './windows'

/** The folder `assembly` of this package: the one above dist/ in the package. */
const LIBRARY = fileURLToPath(new URL('../../../assembly/', import.meta.url))
const WARNING = 2
const ERROR = 3
/** The compiler's number for data that reaches beyond `--lowMemoryLimit`. */
const TOO_MUCH_DATA = 104
/** What the compiler says of functions that tables do not have here: see kernelWorker.js. */
const STORE_INTO_TABLE =
  /StaticArray<.*only permits reading|'(?:fill|copyWithin|sort|reverse)' does not exist on type '~lib\/staticarray/

/** What is compiled. */
export interface Assembly {
  /** The kernels' file. */
  readonly file: string
  /** The user's files by absolute path. */
  readonly sources: ReadonlyMap<string, ParsedSource>
  /** What follows the text of the kernels' file. */
  readonly added: string
  /** The text of the entry module, for a name by which it imports the kernels' file. */
  readonly entry: (kernelsPath: string) => string
  /** The kernel that an offset in the entry belongs to; undefined where it belongs to none. */
  readonly kernelAt: (entry: string, offset: number) => Place | undefined
  /** Where data begins in memory. */
  readonly memoryBase: number
  /** How many seconds the compiler may take. */
  readonly timeLimit: number
}

/** What the compiler wrote. */
export interface Assembled {
  readonly bytes: Uint8Array
  /** The module in the text format. */
  readonly text: string
  readonly warnings: readonly KernelSourceProblem[]
}

/**
 * Compiles kernels to a module.
 *
 * @throws KernelSourceError with what the AssemblyScript compiler finds, or that it came to no end
 */
export async function assemble(assembly: Assembly): Promise<Assembled> {
  const names = new FileNames(assembly)
  const job = {
    entry: `${names.entry}.ts`,
    options: optionsOf(assembly),
    folder: names.folder,
    files: names.files(),
    library: LIBRARY,
  }
  const answer = await runCompiler(job, assembly.timeLimit)
  if ('failure' in answer) throw new KernelSourceError([failed(answer, names)])
  const { bytes, text, diagnostics, error } = answer
  const of = (category: number): Located[] =>
    diagnostics
      .filter((diagnostic) => diagnostic.category === category)
      .map((diagnostic) => locate(diagnostic, names))
  const errors = of(ERROR)
  if (errors.length > 0) {
    // What follows the user's text repeats it: an error there is news only where there is no other.
    const own = errors.filter(({ place }) => place.start < place.text.length)
    throw new KernelSourceError(
      (own.length > 0 ? own : errors).map(({ place, message }) => problemAt(place, message)),
    )
  }
  if (error !== undefined || bytes === undefined) {
    // The compiler gave up without a place: its own words, at the file.
    const reason = `The AssemblyScript compiler failed: ${error ?? 'it wrote nothing.'}`
    throw new KernelSourceError([problemAt(names.start, reason)])
  }
  // What it remarks about the library is no business of the user.
  const warnings = of(WARNING).filter(
    ({ place, inUserFile }) => inUserFile && place.start < place.text.length,
  )
  return { bytes, text, warnings: warnings.map(({ place, message }) => problemAt(place, message)) }
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

/**
 * The files as the compiler knows them. The kernels' own has a plain name there, whatever it is called: names can hold quotes and
 * line breaks, or begin like an option.
 */
class FileNames {
  readonly folder: string
  readonly entry: string
  readonly entryText: string
  private readonly kernels: string

  constructor(private readonly assembly: Assembly) {
    this.folder = dirname(assembly.file)
    this.entry = this.free('__entry')
    this.kernels = this.free('__kernels')
    this.entryText = assembly.entry(`./${this.kernels}`)
  }

  /** A name in the folder that no file of the user has. */
  private free(name: string): string {
    return this.assembly.sources.has(this.path(name)) ? this.free(`${name}_`) : name
  }

  private path(name: string): string {
    return resolve(this.folder, `${name}.ts`)
  }

  files(): [path: string, text: string][] {
    const { file, sources, added } = this.assembly
    const texts = new Map([...sources].map(([path, { text }]) => [path, text]))
    texts.set(this.path(this.entry), this.entryText)
    texts.set(this.path(this.kernels), (sources.get(file)?.text ?? '') + added)
    // For files that import the kernels' file.
    texts.set(file, `export * from './${this.kernels}'`)
    return [...texts]
  }

  /** The place in the user's files that a range of the compiler means; undefined where it is in none of them. */
  placeOf({ path, start, end }: { path: string; start: number; end: number }): Place | undefined {
    const { file, sources, kernelAt } = this.assembly
    const absolute = resolve(this.folder, path)
    if (absolute === this.path(this.entry)) return kernelAt(this.entryText, start)
    const source = sources.get(absolute === this.path(this.kernels) ? file : absolute)
    return source && { file: source.file, text: source.text, start, end }
  }

  /** The start of the kernels' file. */
  get start(): Place {
    const { file, sources } = this.assembly
    return { file, text: sources.get(file)?.text ?? '', start: 0, end: 0 }
  }

  get timeLimit(): number {
    return this.assembly.timeLimit
  }
}

interface Located {
  readonly place: Place
  readonly message: string
  readonly inUserFile: boolean
}

/** The place of a message: the first of its two ranges that lies in a file of the user, or the start of the kernels. */
function locate({ message, code, ranges }: CompilerDiagnostic, names: FileNames): Located {
  const coded = `${explained(message, code)} (AS${code})`
  for (const range of ranges) {
    const place = range && names.placeOf(range)
    if (place !== undefined) return { place, message: coded, inUserFile: true }
  }
  const elsewhere = ranges[0]?.path.replace('~lib/', '')
  return {
    place: names.start,
    message: elsewhere === undefined ? coded : `${coded} In ${elsewhere}.`,
    inUserFile: false,
  }
}

function explained(message: string, code: number): string {
  if (code === TOO_MUCH_DATA) return tooMuchData(message)
  return STORE_INTO_TABLE.test(message) ? `${message} ${TABLE_STATE}` : message
}

/** The compiler knows the numbers alone: '65596 > 65536'. */
function tooMuchData(message: string): string {
  const end = /\d+/.exec(message)?.[0] ?? ''
  return `The tables of this file would reach up to address ${end}, and those of all kernels of a build have to fit into memory page 0, below ${PAGE_END}. Make tables smaller, keep them in components, or begin lower with the option memoryBase.`
}

/** Why the compiler came to no end: at the statement that it was at. */
function failed({ failure, place, reason }: CompilerFailure, names: FileNames): KernelSourceProblem {
  const found = place && names.placeOf(place)
  const where = found === undefined ? 'in its optimiser' : 'at this statement'
  const message = {
    crashed: `The AssemblyScript compiler crashed ${where}${reason === undefined ? '' : ` (${reason})`}. A generic function that calls itself with new types without end does that. Write it in a simpler way.`,
    'too long': `The AssemblyScript compiler had not come to an end after ${names.timeLimit} seconds, and was stopped ${where}. Generic functions that call themselves with new types, functions that are inlined into each other, and very long ones take long. Make them smaller, or allow more with the option timeLimit.`,
    'too much memory': `The AssemblyScript compiler took too much memory, and was stopped ${where}. Generic functions that call themselves with new types, and functions that are inlined into each other, do that. Make them smaller.`,
  }[failure]
  return problemAt(found ?? names.start, message)
}
