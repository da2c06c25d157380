// Owns the folder of an ensemble: what is in it under which names, what it is about, and which runs are done in it.

import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { allKinds } from './columns.js'
import { digestOf, removeAbandoned, writeFirst, writeWhole } from './disk.js'
import { EnsembleError, writing } from './errors.js'
import { Ledger } from './ledger.js'

/** 2: lines of journals, batches of parts and ensemble.json have digests. */
const FORMAT = 2
const DESCRIPTION = 'ensemble.json'

/**
 * @typedef {object} Description what an ensemble is about
 * @property {number} format
 * @property {string} id
 * @property {string} module
 * @property {string} source the hash of its text
 * @property {Record<string, number | string | boolean>} parameters
 * @property {Record<string, string>} columns
 * @property {string} [axis]
 */

/** Where things are in the folder of an ensemble. */
export function pathsIn(folder) {
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
 * @param {string} folder
 * @param {import('./source.js').Source} source
 * @throws {EnsembleError} OTHER_ENSEMBLE when it holds results of another text; BAD_FOLDER, DISK_FULL, CANNOT_WRITE
 */
export function openFolder(folder, source) {
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

function makeFolder(paths, source) {
  const { parameters, columns, axis } = source.definition
  /** @type {Description} */
  const description = {
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
function makeFolders(path) {
  if (existsSync(path)) return
  const above = dirname(path)
  if (above !== path) makeFolders(above)
  try {
    mkdirSync(path)
  } catch (error) {
    // Another program may have made it a moment before.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
  }
}

/** @returns {Description} @throws {EnsembleError} BAD_FOLDER */
export function readDescription(folder) {
  const { root, description: path } = pathsIn(folder)
  const bad = (sentence, cause) => new EnsembleError('BAD_FOLDER', sentence, { cause })
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
  return description
}

function readObject(path, damaged, bad) {
  let text
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (cause)
    throw bad(`${path} cannot be read (${code}).`, cause)
  }
  try {
    const value = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value
  } catch (cause) {
    throw bad(damaged, cause)
  }
  throw bad(damaged)
}

/** A name for the files of one process that no other process has, on any machine; later ones sort after earlier ones. */
export function writerName() {
  const host = hostname()
    .replace(/[^\w-]/g, '')
    .slice(0, 24)
  return `${Date.now().toString(36).padStart(9, '0')}-${host}-${process.pid}-${randomUUID().slice(0, 8)}`
}

/**
 * What the journals and the parts of a folder say together: a run is done when a journal says so and its rows are there.
 *
 * @param {string} folder
 * @param {Description} [description]
 * @throws {EnsembleError} BAD_FOLDER
 */
export function readState(folder, description = readDescription(folder)) {
  const { source, parameters, columns } = description
  const { root, ...paths } = pathsIn(folder)
  try {
    return new Ledger(paths, source, allKinds(parameters, columns))
  } catch (cause) {
    const { syscall, code, path } = /** @type {NodeJS.ErrnoException} */ (cause)
    if (syscall === undefined) throw cause
    throw new EnsembleError('BAD_FOLDER', `${root} cannot be read (${code} in ${path}).`, {
      cause,
    })
  }
}

/** What is to be said of a folder beside its results: nothing, or a sentence each. */
export function remarksOn({ foreign, damaged }) {
  const remarks = []
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
