// Owns the command `strata-kernels`: its options, what it prints, its exit codes.

import { relative, resolve } from 'node:path'
import { parseArgs, types } from 'node:util'
import { beginBuild, type KernelBuild } from './build'
import { compileSources, type CompiledKernels } from './compileKernels'
import { moduleFile, writeDeclarationsBeside, writeModule } from './output'
import {
  KernelSourceError,
  describeProblem,
  type KernelSourceProblem,
} from '../../compile/src/ahead/sourceError'
import { readSources } from './sources'
import { SourceWatch } from './sourceWatch'

const HELP = `strata-kernels build <files...> --out <dir>

Compiles kernels: movement.kernel.ts becomes <dir>/movement.kernel.js with its declarations.

  --out <dir>           where the modules are written
  --watch               build again when a source changes
  --types-beside        write movement.kernel.types.ts beside each source, for editors
  --memory-base <n>     address in memory page 0 where data of kernels begins (1024); another one for kernels that
                        share a world with those of another build
  --time-limit <s>      seconds that the compiler may take for a file (60)
  --help                show this

Exit codes: 0 all built, 1 a source is wrong, 2 the command is wrong.
`

const DONE = 0
const SOURCE_WRONG = 1
const COMMAND_WRONG = 2

/** Where the command prints. */
export interface Streams {
  readonly out: (text: string) => void
  readonly error: (text: string) => void
}

interface Command {
  readonly files: readonly string[]
  readonly out: string
  readonly watch: boolean
  readonly typesBeside: boolean
  readonly shared: KernelBuild
}

/**
 * Runs the command.
 *
 * @param args what stands behind `strata-kernels`
 * @returns the exit code; with `--watch` it does not end
 */
export async function runCommand(args: readonly string[], streams: Streams): Promise<number> {
  let command: Command | undefined
  try {
    command = readCommand(args)
  } catch (error) {
    streams.error(`strata-kernels: ${(error as Error).message}\nSee strata-kernels --help.\n`)
    return COMMAND_WRONG
  }
  if (command === undefined) {
    streams.out(HELP)
    return DONE
  }
  const build = new Build(command, streams)
  let allBuilt = true
  for (const file of command.files) if (!(await build.build(file))) allBuilt = false
  if (!command.watch) return allBuilt ? DONE : SOURCE_WRONG
  streams.out('Watching for changes.\n')
  return new Promise<number>(() => build.watch())
}

/** @returns undefined when help is asked for */
function readCommand(args: readonly string[]): Command | undefined {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      out: { type: 'string' },
      watch: { type: 'boolean', default: false },
      'types-beside': { type: 'boolean', default: false },
      'memory-base': { type: 'string' },
      'time-limit': { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return undefined
  const [verb, ...names] = positionals
  if (verb !== 'build')
    throw new Error(verb === undefined ? 'Say what to do: build.' : `There is no command '${verb}'.`)
  if (names.length === 0) throw new Error('Name the files to build.')
  if (values.out === undefined) throw new Error('Say with --out <dir> where the modules are to be written.')
  const files = [...new Set(names.map((name) => resolve(name)))]
  const out = resolve(values.out)
  refuseSameModule(files, out)
  const number = (text: string | undefined): number | undefined =>
    text === undefined ? undefined : Number(text)
  return {
    files,
    out,
    watch: values.watch,
    typesBeside: values['types-beside'],
    shared: beginBuild({
      memoryBase: number(values['memory-base']),
      timeLimit: number(values['time-limit']),
    }),
  }
}

function refuseSameModule(files: readonly string[], out: string): void {
  const sources = new Map<string, string>()
  for (const file of files) {
    const module = moduleFile(file, out)
    const other = sources.get(module)
    if (other !== undefined)
      throw new Error(`${shown(other)} and ${shown(file)} would both become ${shown(module)}.`)
    sources.set(module, file)
  }
}

function shown(file: string): string {
  return relative('.', file)
}

function shownProblem(problem: KernelSourceProblem): string {
  return describeProblem({ ...problem, file: shown(problem.file) })
}

/** One run of the command over its files. */
class Build {
  private readonly command: Command
  private readonly streams: Streams
  /** The files that each file was last built from. */
  private readonly sources = new Map<string, ReadonlySet<string>>()

  constructor(command: Command, streams: Streams) {
    this.command = command
    this.streams = streams
  }

  /** @returns whether the file was built */
  async build(file: string): Promise<boolean> {
    const { out, shared, typesBeside } = this.command
    const sources = new Set([file])
    this.sources.set(file, sources)
    try {
      const compiled = await compileSources(await readSources(file, (source) => sources.add(source)), shared)
      const module = await writeModule(compiled, out)
      if (typesBeside) await writeDeclarationsBeside(compiled)
      this.report(compiled, module)
      return true
    } catch (error) {
      if (!(error instanceof KernelSourceError) && !isFileError(error)) throw error
      this.streams.error(
        error instanceof KernelSourceError
          ? `${error.problems.map(shownProblem).join('\n\n')}\n\n`
          : `strata-kernels: ${error.message}\n`,
      )
      return false
    }
  }

  private report({ file, bytes, kernels, warnings }: CompiledKernels, module: string): void {
    for (const warning of warnings) this.streams.error(`warning: ${shownProblem(warning)}\n\n`)
    const names = kernels.map(({ kernel }) => kernel).join(', ')
    this.streams.out(`${shown(file)} -> ${shown(module)}  ${bytes.length} bytes  ${names}\n`)
  }

  /** Builds again, one file at a time, what a changed source belongs to. */
  watch(): void {
    const watch = new SourceWatch(async (changed) => {
      for (const [file, sources] of [...this.sources])
        if ([...changed].some((source) => sources.has(source))) await this.build(file)
      watch.follow(this.watched())
    })
    watch.follow(this.watched())
  }

  private watched(): Set<string> {
    return new Set([...this.sources.values()].flatMap((sources) => [...sources]))
  }
}

function isFileError(error: unknown): error is Error {
  return types.isNativeError(error) && 'syscall' in error
}
