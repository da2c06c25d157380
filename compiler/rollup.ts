// Owns the plugin for Rollup and Vite: a kernel's source, imported, becomes its compiled module.
// It must never need Rollup or Vite itself: what it uses of them is written down here.

import { resolve } from 'node:path'
import { beginBuild, compileSources, type CompiledKernels, type KernelBuild } from './compileKernels'
import { writeDeclarationsBeside } from './output'
import { KernelSourceError, describeProblem, type KernelSourceProblem } from './sourceError'
import { readSources } from './sources'

/** Options of the plugin. */
export interface KernelsOptions {
  /** Which files are kernels, matched against the absolute path. Default: those that end in `.kernel.ts`. */
  readonly include?: RegExp | undefined
  /** Address in memory page 0 at which the data of the first file begins: 16 to 65,535. Default 1024. */
  readonly memoryBase?: number | undefined
  /** How many seconds the AssemblyScript compiler may take for a file before it is stopped. Default 60. */
  readonly timeLimit?: number | undefined
  /**
   * Whether to write `movement.kernel.types.ts` beside each `movement.kernel.ts`. TypeScript reads it in place of the
   * source with `"moduleSuffixes": [".types", ""]`. Default false.
   */
  readonly declarations?: boolean | undefined
}

/** An error or warning as Rollup and Vite take it; they show its place and frame. */
export interface KernelLog {
  message: string
  id: string
  /** The place; the column is counted from 0, as Rollup does. */
  loc: { file: string; line: number; column: number }
  frame: string
}

/** The part of the bundler that the plugin uses. */
export interface LoadContext {
  addWatchFile(file: string): void
  error(log: KernelLog): never
  warn(log: KernelLog): void
}

/** The plugin, as Rollup and Vite take it. */
export interface KernelsPlugin {
  name: string
  enforce: 'pre'
  load: {
    order: 'pre'
    handler(
      this: LoadContext,
      id: string,
    ): Promise<{ code: string; map: { mappings: '' }; moduleSideEffects: false } | null>
  }
}

/** These ask for the file, or for something made of it, and not for its exports. */
const OTHER_USE = /[?&](?:raw|url|inline|worker|sharedworker)(?:[&=]|$)/

/**
 * A plugin that compiles imported kernels, `import { move } from './movement.kernel.ts'`, in Rollup and in Vite (dev
 * server and build). Each kernel file is compiled again only when one of its sources has changed, in some tenths of a
 * second. Needs the package `assemblyscript`.
 *
 * @throws TypeError for an option that does not exist, or is of another type; RangeError for a memory base outside page 0, and a
 *   time limit that is no time
 * @example export default { plugins: [kernels()] }
 */
export default function kernels(options: KernelsOptions = {}): KernelsPlugin {
  checkOptions(options)
  const { include = /\.kernel\.ts$/, declarations = false } = options
  const cache = new KernelCache(beginBuild(options))
  return {
    name: 'strata-kernels',
    enforce: 'pre',
    load: {
      order: 'pre',
      async handler(id) {
        // No file: a module of another plugin, or one that stands for a file.
        if (id.startsWith('\0')) return null
        const path = id.replace(/[?#].*$/, '')
        // Not `test`: a pattern with the flag `g` would remember where it found something.
        if (path.search(include) < 0 || OTHER_USE.test(id)) return null
        const file = resolve(path)
        this.addWatchFile(file)
        try {
          const compiled = await cache.compile(file, (source) => this.addWatchFile(source))
          if (declarations) await writeDeclarationsBeside(compiled)
          for (const warning of compiled.warnings) this.warn(logOf([warning], id))
          return { code: compiled.module, map: { mappings: '' }, moduleSideEffects: false }
        } catch (error) {
          if (error instanceof KernelSourceError) this.error(logOf(error.problems, id))
          throw error
        }
      },
    },
  }
}

const OPTIONS = ['include', 'memoryBase', 'timeLimit', 'declarations']

/** A mistyped option would otherwise do nothing, and say nothing. */
function checkOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`The options of the plugin for kernels are an object, not ${String(options)}.`)
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name))
  if (unknown !== undefined)
    throw new TypeError(`The plugin for kernels has no option '${unknown}'. It has ${OPTIONS.join(', ')}.`)
  const { include, declarations } = options as KernelsOptions
  if (include !== undefined && !(include instanceof RegExp))
    throw new TypeError(
      'The option include of the plugin for kernels is a regular expression, such as /\\.kernel\\.ts$/.',
    )
  if (declarations !== undefined && typeof declarations !== 'boolean')
    throw new TypeError('The option declarations of the plugin for kernels is true or false.')
}

/** The first problem with its place; the others in its message. */
function logOf(problems: readonly KernelSourceProblem[], id: string): KernelLog {
  const [first, ...others] = problems
  const { file, line, column, message, frame } = first!
  return {
    message: [message, ...others.map(describeProblem)].join('\n\n'),
    id,
    loc: { file, line, column: column - 1 },
    frame,
  }
}

/** What was compiled, by file, with the texts that it was compiled from. */
class KernelCache {
  private readonly compiled = new Map<string, { texts: string; kernels: CompiledKernels }>()
  private readonly build: KernelBuild
  /** One file at a time: a window is only known to be free when the last one is settled. */
  private last: Promise<unknown> = Promise.resolve()

  constructor(build: KernelBuild) {
    this.build = build
  }

  /** @param onSource called with each file that is read, also when it cannot be compiled then */
  compile(file: string, onSource: (file: string) => void): Promise<CompiledKernels> {
    const result = this.last.then(() => this.compileNow(file, onSource))
    this.last = result.catch(() => undefined)
    return result
  }

  private async compileNow(file: string, onSource: (file: string) => void): Promise<CompiledKernels> {
    const sources = await readSources(file, onSource)
    const texts = JSON.stringify([...sources.values()].map((source) => [source.file, source.text]))
    const known = this.compiled.get(file)
    if (known?.texts === texts) return known.kernels
    const kernels = await compileSources(sources, this.build)
    this.compiled.set(file, { texts, kernels })
    return kernels
  }
}
