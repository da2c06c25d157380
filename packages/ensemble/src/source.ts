// Owns the module of a run: finding it, loading it, and the hash of its text and of all files that it imports by paths.
// It must never hash what was installed: packages are known by their versions.

import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { init, parse } from 'es-module-lexer'
import { type Definition, checkDefinition } from './define.js'
import { EnsembleError, type Failure, asError } from './errors.js'
import { OWN_FOLDER, programOf } from './programs.js'

const DEFINING = programOf('definitionProcess')

/** Loading may take its time, but not for ever. */
const LOADING_SECONDS = 120

/** A module that was opened. */
export interface Source {
  path: string
  href: string
  /** The file's name without its folder and without .js. */
  name: string
  /** 64 hexadecimal digits: the texts, the definition's version, the versions of both packages. */
  hash: string
  /** All files whose text is in the hash. */
  files: string[]
  definition: DefinitionOnly
}

/** What a module defines, without what it runs: that cannot be sent. */
export type DefinitionOnly = Omit<Definition, 'run'>

/** What the process in which a module is loaded says. */
export type Answer = { definition: DefinitionOnly } | { refused: { code: string; message: string } }

/**
 * @param module a path or a file URL
 * @throws EnsembleError NO_MODULE, BAD_DEFINITION; STOPPED when the signal is aborted before it is loaded
 */
export async function openSource(
  module: string | URL,
  {
    signal,
    loadingSeconds = LOADING_SECONDS,
  }: { signal?: AbortSignal | undefined; loadingSeconds?: number } = {},
): Promise<Source> {
  const path = pathOf(module)
  if (!existsSync(path))
    throw new EnsembleError('NO_MODULE', `There is no file ${path}: name the module of a run.`)
  const href = pathToFileURL(path).href
  const definition = await describe(href, { signal, loadingSeconds })
  const files = await filesOf(path)
  const hash = createHash('sha256')
  for (const file of files) {
    hash.update(`${relative(dirname(path), file).replaceAll('\\', '/')}\0`)
    hash.update(readFileSync(file))
    hash.update('\0')
  }
  hash.update(JSON.stringify([definition.version, versions()]))
  const name = basename(path).replace(/\.[cm]?[jt]s$/, '')
  return { path, href, name, hash: hash.digest('hex'), files, definition }
}

function pathOf(module: string | URL): string {
  const text = String(module)
  if (!text.startsWith('file:')) return resolve(text)
  try {
    return fileURLToPath(text)
  } catch (cause) {
    throw new EnsembleError('NO_MODULE', `${text} names no file of this machine: name the module of a run.`, {
      cause,
    })
  }
}

/**
 * What a module defines. It is loaded in a process of its own: it may end that, or never come to an end.
 *
 * @returns without what it runs
 */
function describe(
  href: string,
  { signal, loadingSeconds }: { signal: AbortSignal | undefined; loadingSeconds: number },
): Promise<DefinitionOnly> {
  const path = fileURLToPath(href)
  const stopped = () => new EnsembleError('STOPPED', `Stopped while ${path} was loaded.`)
  if (signal?.aborted) return Promise.reject(stopped())
  // What a module prints while it is loaded is no result.
  const child = fork(DEFINING, { serialization: 'advanced', stdio: ['ignore', 2, 2, 'ipc'] })
  let stop = () => {}
  let timer: NodeJS.Timeout
  return new Promise<DefinitionOnly>((resolve, reject) => {
    const refuse = (sentence: string) => reject(new EnsembleError('NO_MODULE', `${path} ${sentence}`))
    child.on('message', (message) => {
      const answer = message as Answer
      if ('definition' in answer) resolve(answer.definition)
      else reject(new EnsembleError(answer.refused.code, answer.refused.message))
    })
    child.on('error', (error) => refuse(`cannot be loaded: ${error.message}`))
    child.on('exit', (code, by) =>
      refuse(`ended its process while it was loaded (${by ?? `exit code ${code}`}): it must export a run.`),
    )
    timer = setTimeout(
      () =>
        refuse(
          `was not loaded after ${loadingSeconds} s: it waits at its top for what does not come, or loops.`,
        ),
      loadingSeconds * 1000,
    )
    stop = () => reject(stopped())
    signal?.addEventListener('abort', stop)
    child.send({ href }, () => {})
  }).finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
    child.kill('SIGKILL')
  })
}

/** @throws EnsembleError NO_MODULE when it cannot be loaded, BAD_DEFINITION when it exports no run */
export async function loadDefinition(href: string): Promise<Definition> {
  let module: { default?: unknown }
  try {
    module = (await import(href)) as { default?: unknown }
  } catch (cause) {
    const { code, message } = asError(cause)
    const sentence =
      typeScriptSentence({ code, message }) ?? `${fileURLToPath(href)} cannot be loaded: ${message}`
    throw new EnsembleError('NO_MODULE', sentence, { cause })
  }
  return checkDefinition(module.default, basename(fileURLToPath(href)))
}

/** What to do about TypeScript, where it is this that the error is about. */
function typeScriptSentence({ code, message }: Pick<Failure, 'code' | 'message'>): string | undefined {
  const [, path] = /^Unknown file extension "\.[cm]?ts" for (.*)$/.exec(message) ?? []
  if (code !== 'ERR_UNKNOWN_FILE_EXTENSION' || path === undefined) return undefined
  return `${path} is TypeScript, which Node ${process.versions.node} does not load: compile it to JavaScript, or use Node 22.18 or later.`
}

/** The versions that a run's key depends on. */
export function versions(): [own: string, library: string] {
  const require = createRequire(import.meta.url)
  const own = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  const library = require('strata-ecs/package.json') as { version: string }
  return [own.version, library.version]
}

/**
 * The file and, sorted by path, all that it loads by relative paths, what these load, and so on.
 *
 * @throws EnsembleError BAD_DEFINITION when it loads a file that cannot be known before
 */
export async function filesOf(path: string): Promise<string[]> {
  await init()
  const seen = new Set([path])
  const open = [path]
  while (open.length > 0) {
    const file = open.pop() as string
    if (!/\.[cm]?[jt]s$/.test(file)) continue
    for (const loaded of loadedBy(file)) {
      // Its own text is known by its version.
      if (seen.has(loaded) || loaded.startsWith(OWN_FOLDER) || !existsSync(loaded)) continue
      seen.add(loaded)
      open.push(loaded)
    }
  }
  return [path, ...[...seen].filter((file) => file !== path).sort()]
}

/** The files that a file names in import and require. */
function loadedBy(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  let parsed: ReturnType<typeof parse>
  try {
    parsed = parse(text, file)
  } catch {
    // Of CommonJS, which this may not read, require says what is loaded.
    return requiredBy(file, text)
  }
  const [imports, , , isModule] = parsed
  const imported = imports.flatMap((one) => {
    const { specifier } = one
    if (one.type === 'dynamic' && (one.glob || typeof specifier !== 'string'))
      throw unknown(file, text, one.start)
    return typeof specifier === 'string' ? fileOf(file, specifier, importedAs) : []
  })
  // A module has require only where it makes it.
  return isModule && !text.includes('createRequire') ? imported : [...imported, ...requiredBy(file, text)]
}

/** Finds the files behind a path in a file, none where there is none. */
type Find = (file: string, specifier: string) => string[]

function fileOf(file: string, specifier: string, find: Find): string[] {
  if (specifier.startsWith('#')) return ofPackage(file, specifier)
  return /^(\.\.?(\/|$)|\/|file:)/.test(specifier) ? find(file, specifier) : []
}

const importedAs: Find = (file, specifier) => [fileURLToPath(new URL(specifier, pathToFileURL(file)))]

function requiredAs(file: string, specifier: string): string[] {
  try {
    return [createRequire(file).resolve(specifier)]
  } catch {
    // It fails where it is called, or is expected to.
    return []
  }
}

function requiredBy(file: string, text: string): string[] {
  return [...text.matchAll(/(?<![\w$.])require(?:\.resolve)?\(\s*/g)].flatMap(({ index, 0: call }) => {
    const line = text.slice(text.lastIndexOf('\n', index) + 1, index).trimStart()
    if (/^(\/\/|\/?\*)/.test(line)) return []
    const after = text.slice(index + call.length)
    const [, , specifier] = /^(['"`])((?:(?!\1|\$\{).)+)\1\s*\)/.exec(after) ?? []
    if (specifier === undefined) throw unknown(file, text, index)
    return fileOf(file, specifier, requiredAs)
  })
}

/** The file behind `#name`, as the nearest package.json says, and that. */
function ofPackage(file: string, specifier: string): string[] {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const path = resolve(folder, 'package.json')
    if (existsSync(path)) {
      const { imports } = JSON.parse(readFileSync(path, 'utf8')) as { imports?: Record<string, unknown> }
      const target = imports?.[specifier]
      if (typeof target === 'string' && target.startsWith('./')) return [path, resolve(folder, target)]
      throw new EnsembleError(
        'BAD_DEFINITION',
        `${file} imports '${specifier}', of which ${path} does not name one file: import that by its path, so that a change in it is noticed.`,
      )
    }
    if (folder === dirname(folder)) return []
  }
}

function unknown(file: string, text: string, at: number): EnsembleError {
  const line = text.slice(0, at).split('\n').length
  return new EnsembleError(
    'BAD_DEFINITION',
    `${file} loads a file in line ${line} whose name it computes, so a change in that would not be noticed: write the name as a literal.`,
  )
}
