// Owns the plugin for Rollup and Vite: a kernel's source, imported, becomes its compiled module, and loops that `compile` is
// given are compiled ahead. It must never need Rollup or Vite itself: what it uses of them is written down here. It must
// not need AssemblyScript either, until there is a kernel.

import { basename, resolve } from 'node:path'
import { types } from 'node:util'
import { Ahead } from '../../compile/src/ahead/ahead'
import { mayCompile } from '../../compile/src/ahead/calls'
import type { SourceMap } from '../../compile/src/ahead/edits'
import type { ProgramContext } from '../../compile/src/ahead/program'
import { beginBuild, type KernelBuild } from './build'
import type { CompiledKernels } from './compileKernels'
import { writeDeclarationsBeside } from './output'
import {
  KernelSourceError,
  describeProblem,
  type KernelSourceProblem,
} from '../../compile/src/ahead/sourceError'

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
  /**
   * Whether a build compiles the loops that `compile` is given: true (default) compiles each that is known before the program
   * runs, and notes which are not, and why; 'all' makes such a note an error, so that no program carries the compiler;
   * false leaves all of them to the program. Vite's dev server always does: the bytes are the same.
   */
  readonly ahead?: boolean | 'all' | undefined
}

/** An error or warning as Rollup and Vite take it; they show its place and frame. */
export interface KernelLog {
  message: string
  id: string
  /** The place; the column is counted from 0, as Rollup does. */
  loc: { file: string; line: number; column: number }
  frame: string
}

/** The part of the bundler that the plugin uses for kernels. */
export interface LoadContext {
  addWatchFile(file: string): void
  error(log: KernelLog): never
  warn(log: KernelLog): void
}

/** The part of the bundler that every hook has. */
export interface BuildContext {
  info(log: KernelLog): void
  /** In Vite: what is built, of several things. */
  readonly environment?: object
}

/** The part of the bundler that the plugin uses for loops. */
export interface TransformContext extends LoadContext, ProgramContext, BuildContext {}

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
  /** @internal Of Vite alone. */
  configResolved(config: { readonly command: string }): void
  buildStart(this: BuildContext): void
  /** @internal Of Rollup alone: what a loop was compiled for may stand in another module. */
  shouldTransformCachedModule(module: { readonly code: string }): boolean
  transform: {
    order: 'post'
    handler(
      this: TransformContext,
      code: string,
      id: string,
    ): Promise<{ code: string; map: SourceMap } | null>
  }
}

/** These ask for the file, or for something made of it, and not for its exports. */
const OTHER_USE = /[?&](?:raw|url|inline|worker|sharedworker)(?:[&=]|$)/

/**
 * A plugin that compiles imported kernels, `import { move } from './movement.kernel.ts'`, in Rollup and in Vite (dev
 * server and build). Each kernel file is compiled again only when one of its sources has changed, in some tenths of a
 * second. Kernels need the package `assemblyscript`.
 *
 * A build also compiles the loops that `compile` of 'strata-ecs/compile' is given, as far as they are known before the program
 * runs: see the option `ahead`. That needs nothing else.
 *
 * @throws TypeError for an option that does not exist, or is of another type; RangeError for a memory base outside page 0, and a
 *   time limit that is no time
 * @example export default { plugins: [kernels()] }
 */
export default function kernels(options: KernelsOptions = {}): KernelsPlugin {
  checkOptions(options)
  const { include = /\.kernel\.ts$/, declarations = false, ahead = true } = options
  const cache = new KernelCache(beginBuild(options))
  /** Vite may build several things at a time, each with modules of its own. */
  const builds = new WeakMap<object, Ahead>()
  let isServing = false
  const plugin: KernelsPlugin = {
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
    configResolved({ command }) {
      isServing = command === 'serve'
    },
    buildStart() {
      builds.set(this.environment ?? plugin, new Ahead())
    },
    shouldTransformCachedModule({ code }) {
      return ahead !== false && mayCompile(code)
    },
    transform: {
      // After the plugins that take types away.
      order: 'post',
      async handler(code, id) {
        if (ahead === false || isServing) return null
        const build = builds.get(this.environment ?? plugin) ?? new Ahead()
        const transformed = await build.transform(code, id, this, {
          left: (problem) => {
            const log = logOf([problem], id)
            if (ahead === 'all') this.error(log)
            // Vite prints the text alone.
            const { file, line, column } = log.loc
            this.info({ ...log, message: `${basename(file)} (${line}:${column + 1}): ${log.message}` })
          },
          refused: (problem) => this.error(logOf([problem], id)),
        })
        return transformed ?? null
      },
    },
  }
  return plugin
}

const OPTIONS = ['include', 'memoryBase', 'timeLimit', 'declarations', 'ahead']

/** A mistyped option would otherwise do nothing, and say nothing. */
function checkOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`The options of the plugin for kernels are an object, not ${String(options)}.`)
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name))
  if (unknown !== undefined)
    throw new TypeError(`The plugin for kernels has no option '${unknown}'. It has ${OPTIONS.join(', ')}.`)
  const { include, declarations, ahead } = options as KernelsOptions
  if (include !== undefined && !types.isRegExp(include))
    throw new TypeError(
      'The option include of the plugin for kernels is a regular expression, such as /\\.kernel\\.ts$/.',
    )
  if (declarations !== undefined && typeof declarations !== 'boolean')
    throw new TypeError('The option declarations of the plugin for kernels is true or false.')
  if (ahead !== undefined && typeof ahead !== 'boolean' && ahead !== 'all')
    throw new TypeError("The option ahead of the plugin for kernels is true, false or 'all'.")
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
    const { compileSources, readSources } = await import('./sourceBuild')
    const sources = await readSources(file, onSource)
    const texts = JSON.stringify([...sources.values()].map((source) => [source.file, source.text]))
    const known = this.compiled.get(file)
    if (known?.texts === texts) return known.kernels
    const kernels = await compileSources(sources, this.build)
    this.compiled.set(file, { texts, kernels })
    return kernels
  }
}
