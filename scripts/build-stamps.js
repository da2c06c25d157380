// Owns the stamps of a build, build/stamps: of each step, digests of every file that it was made from and of every file that it
// made. It must never call a step up to date on less than the content of all of these files.

import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const stampOf = (root, name) => join(root, `build/stamps/${name}.json`)

/** Digests by path; what is not there has none. A folder stands for all files in it but hidden ones, such as editors write. */
function digestsOf(root, paths) {
  const files = paths.flatMap((path) => filesIn(root, path)).sort()
  return Object.fromEntries(files.map((file) => [file, digestOf(readFileSync(join(root, file)))]))
}

const digestOf = (bytes) => createHash('sha256').update(bytes).digest('base64')

function filesIn(root, path) {
  const found = statSync(join(root, path), { throwIfNoEntry: false })
  if (found === undefined) return []
  if (!found.isDirectory()) return [path]
  return readdirSync(join(root, path))
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) => filesIn(root, `${path}/${name}`))
}

/** The first difference as the end of a sentence; undefined when there is none. */
function difference(before, now) {
  for (const [file, digest] of Object.entries(before)) {
    if (!Object.hasOwn(now, file)) return `${file} is gone`
    if (now[file] !== digest) return `${file} has changed`
  }
  const added = Object.keys(now).find((file) => !Object.hasOwn(before, file))
  return added && `${added} is new`
}

/** A stamp; undefined when there is none, or half of one. */
function readStamp(root, name) {
  try {
    return JSON.parse(readFileSync(stampOf(root, name), 'utf8'))
  } catch {
    return undefined
  }
}

/** What a step is made from, now: digests by path. The version of Node is among it, which runs its tools. */
export function inputsOf(root, { inputs }) {
  return { ...digestsOf(root, inputs), 'the version of Node': process.version }
}

/** What has changed since `inputs` was read, as the end of a sentence; undefined when nothing has. */
export function changedSince(root, step, inputs) {
  return difference(inputs, inputsOf(root, step))
}

/** Why a step has to run, as the end of a sentence; undefined when it is up to date. */
export function reasonToRun(root, name, step) {
  const stamp = readStamp(root, name)
  if (stamp === undefined) return 'no build of it was finished here'
  // A folder among the outputs may hold more than the step made: what matters is there and unchanged.
  const made = Object.keys(stamp.outputs)
  return changedSince(root, step, stamp.inputs) ?? difference(stamp.outputs, digestsOf(root, made))
}

/** Before a step runs: whatever happens to it, it is not up to date. */
export function removeStamp(root, name) {
  rmSync(stampOf(root, name), { force: true })
}

/**
 * After a step ran: it is up to date as long as its inputs are these, and its outputs what they are now.
 *
 * @throws {Error} when an output is missing
 */
export function writeStamp(root, name, { outputs }, inputs) {
  const missing = outputs.find((path) => filesIn(root, path).length === 0)
  if (missing !== undefined) throw new Error(`${name} was built, and ${missing} is missing.`)
  const stamp = stampOf(root, name)
  mkdirSync(dirname(stamp), { recursive: true })
  // Written whole or not at all: others may be reading.
  const draft = `${stamp}.${process.pid}`
  writeFileSync(draft, JSON.stringify({ inputs, outputs: digestsOf(root, outputs) }))
  renameSync(draft, stamp)
}
