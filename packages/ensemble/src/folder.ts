// Owns the folder of an ensemble: what is in it under which names, what it is about, and which runs are done in it.

import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { allKinds } from './columns.js'
import type { Kinds, ParameterValues } from './definition.js'
import { digestOf, removeAbandoned, writeFirst, writeWhole } from './disk.js'
import { EnsembleError, writing } from './errors.js'
import { Ledger } from './ledger.js'
import type { Source } from './source.js'

/** 2: lines of journals, batches of parts and ensemble.json have digests. */
const FORMAT = 2
const DESCRIPTION = 'ensemble.json'

/** What an ensemble is about. */
export interface Description {
  format: number
  id: string
  module: string
  /** The hash of its text. */
  source: string
  parameters: ParameterValues
  columns: Kinds
  axis?: string | undefined
}

/** Where things are in the folder of an ensemble. */
export interface Paths {
  root: string
  description: string
  parts: string
  journals: string
  checkpoints: string
  report: string
}

export function pathsIn(folder: string): Paths {
  const root = resolve(folder)
  return {
    root,
    description: join(root, DESCRIPTION),
    parts: join(root, 'parts'),
    journals: join(root, 'journals'),
    checkpoints: join(root, 'checkpoints'),
    report: join(root, 'report.html'),
  }
}

/**
 * Makes the folder of an ensemble, or opens the one that is there.
 *
 * @throws EnsembleError OTHER_ENSEMBLE when it holds results of another text; BAD_FOLDER, DISK_FULL, CANNOT_WRITE
 */
export function openFolder(
  folder: string,
  source: Pick<Source, 'name' | 'hash' | 'definition'>,
): { paths: Paths; description: Description } {
  const paths = pathsIn(folder)
  if (!existsSync(paths.description)) makeFolder(paths, source)
  // Another program may have made it a moment before.
  const description = readDescription(folder)
  if (description.source !== source.hash) {
    throw new EnsembleError(
      'OTHER_ENSEMBLE',
      `${paths.root} holds results of another text of ${description.module}, or of other versions of the packages: ` +
        'name another folder with --out, or remove that one.',
    )
  }
  for (const path of [paths.root, paths.checkpoints]) removeAbandoned(path)
  return { paths, description }
}

function makeFolder(paths: Paths, source: Pick<Source, 'name' | 'hash' | 'definition'>): void {
  const { parameters, columns, axis } = source.definition
  const description: Description = {
    format: FORMAT,
    id: randomUUID().slice(0, 8),
    module: source.name,
    source: source.hash,
    parameters,
    columns,
    axis,
  }
  writing(paths.root, () => {
    for (const path of [paths.parts, paths.journals, paths.checkpoints]) makeFolders(path)
  })
  const digest = digestOf(JSON.stringify(description))
  writeFirst(paths.description, `${JSON.stringify({ ...description, digest }, null, 2)}\n`)
}

/** One after the other: Node's own recursion comes to no end where a file system says of a folder it refuses that it is missing. */
function makeFolders(path: string): void {
  if (existsSync(path)) return
  const above = dirname(path)
  if (above !== path) makeFolders(above)
  try {
    mkdirSync(path)
  } catch (error) {
    // Another program may have made it a moment before.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** @throws EnsembleError BAD_FOLDER */
export function readDescription(folder: string): Description {
  const { root, description: path } = pathsIn(folder)
  const bad: Bad = (sentence, cause) => new EnsembleError('BAD_FOLDER', sentence, { cause })
  if (!existsSync(path)) throw bad(`${root} holds no ensemble: name the folder that was given as --out.`)
  const damaged =
    `${path} is damaged: remove it, then give the same run command again, which writes it anew. ` +
    'Results in the folder are kept.'
  const { digest, ...description } = readObject(path, damaged, bad)
  if (typeof description.format === 'number' && description.format !== FORMAT) {
    throw bad(
      `${root} is in format ${description.format}, and this version reads format ${FORMAT}: use the version that wrote it.`,
    )
  }
  if (digest !== digestOf(JSON.stringify(description))) throw bad(damaged)
  return description as unknown as Description
}

/** What is wrong with a folder. */
type Bad = (sentence: string, cause?: unknown) => EnsembleError

function readObject(path: string, damaged: string, bad: Bad): Record<string, unknown> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw bad(`${path} cannot be read (${code}).`, cause)
  }
  try {
    const value = JSON.parse(text) as unknown
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch (cause) {
    throw bad(damaged, cause)
  }
  throw bad(damaged)
}

/** A name for the files of one process that no other process has, on any machine; later ones sort after earlier ones. */
export function writerName(): string {
  const host = hostname()
    .replace(/[^\w-]/g, '')
    .slice(0, 24)
  return `${Date.now().toString(36).padStart(9, '0')}-${host}-${process.pid}-${randomUUID().slice(0, 8)}`
}

/**
 * What the journals and the parts of a folder say together: a run is done when a journal says so and its rows are there.
 *
 * @throws EnsembleError BAD_FOLDER
 */
export function readState(folder: string, description: Description = readDescription(folder)): Ledger {
  const { source, parameters, columns } = description
  const { root, ...paths } = pathsIn(folder)
  try {
    return new Ledger(paths, source, allKinds(parameters, columns))
  } catch (cause) {
    const { syscall, code, path } = cause as NodeJS.ErrnoException
    if (syscall === undefined) throw cause
    throw new EnsembleError('BAD_FOLDER', `${root} cannot be read (${code} in ${path}).`, {
      cause,
    })
  }
}

/** What is to be said of a folder beside its results: nothing, or a sentence each. */
export function remarksOn({ foreign, damaged }: Pick<Ledger, 'foreign' | 'damaged'>): string[] {
  const remarks: string[] = []
  if (foreign > 0) {
    remarks.push(
      `${foreign} runs in this folder are of another text of the module, or of other versions of the packages: they are left out.`,
    )
  }
  if (damaged > 0) {
    const lines = damaged === 1 ? '1 line of a journal is' : `${damaged} lines of journals are`
    remarks.push(`${lines} torn or damaged: what they say is not used, and its runs are done again.`)
  }
  return remarks
}

export { writeWhole }
