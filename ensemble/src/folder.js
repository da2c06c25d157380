// Owns the folder of an ensemble: what is in it under which names, what it is about, and which runs are done in it.

import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { EnsembleError, writing } from './errors.js'
import { readJournals } from './journal.js'
import { readPart } from './part.js'

const FORMAT = 1
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
  if (!existsSync(paths.description)) return makeFolder(paths, source)
  const description = readDescription(folder)
  if (description.source !== source.hash) {
    throw new EnsembleError(
      'OTHER_ENSEMBLE',
      `${paths.root} holds results of another text of ${description.module}, or of other versions of the packages: ` +
        'name another folder with --out, or remove that one.',
    )
  }
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
    for (const path of [paths.parts, paths.journals, paths.checkpoints]) mkdirSync(path, { recursive: true })
  })
  writeWhole(paths.description, `${JSON.stringify(description, null, 2)}\n`)
  return { paths, description }
}

/** @returns {Description} @throws {EnsembleError} BAD_FOLDER */
export function readDescription(folder) {
  const { root, description } = pathsIn(folder)
  if (!existsSync(description)) {
    throw new EnsembleError(
      'BAD_FOLDER',
      `${root} holds no ensemble: name the folder that was given as --out.`,
    )
  }
  const read = JSON.parse(readFileSync(description, 'utf8'))
  if (read.format === FORMAT) return read
  throw new EnsembleError(
    'BAD_FOLDER',
    `${root} is in format ${read.format}, which this version cannot read.`,
  )
}

/** Writes a file so that it is there as a whole or not at all. */
export function writeWhole(path, content) {
  const unfinished = `${path}.${process.pid}.unfinished`
  writing(path, () => {
    try {
      writeFileSync(unfinished, content)
      renameSync(unfinished, path)
    } catch (error) {
      rmSync(unfinished, { force: true })
      throw error
    }
  })
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
 * @returns {{ done: Map<string, import('./journal.js').Entry>, failed: Map<string, import('./journal.js').Entry> }}
 */
export function readState(folder) {
  const { journals, parts } = pathsIn(folder)
  const done = new Map()
  const failed = new Map()
  const batches = new Map()
  for (const entry of readJournals(journals)) {
    if (entry.failed) failed.set(entry.key, entry)
    else if (!done.has(entry.key) && areThere(entry, parts, batches)) done.set(entry.key, entry)
  }
  for (const key of done.keys()) failed.delete(key)
  return { done, failed }
}

/** @param {any} entry */
function areThere({ rows, part, batch, at, key }, parts, known) {
  if (rows === 0) return true
  if (!known.has(part)) known.set(part, keysIn(join(parts, part)))
  const column = known.get(part)[batch]
  return column !== undefined && at + rows <= column.length && column.get(at) === key
}

/** The column of keys of each record batch. */
function keysIn(path) {
  if (!existsSync(path) || statSync(path).size === 0) return []
  return readPart(path).map((batch) => batch.getChild('key'))
}
