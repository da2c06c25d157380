// Owns the thread in which the AssemblyScript compiler runs: it hands it the files of one kernel, and answers with what it
// wrote and said. It must never be imported: the compiler ends the process that it crashes in, which here is this thread.
//
// It is JavaScript, so that Node starts it from this folder in tests as from dist/.

import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { Compiler } from 'assemblyscript'
import { libraryFiles, main, createMemoryStream } from 'assemblyscript/asc'

const PACKAGE = /(?:^|[\\/])node_modules[\\/]strata-ecs[\\/](.+)$/
/** No statement is being compiled: this one is not read yet, or its module is being optimised. */
const NOWHERE = -1

/**
 * Where the compiler is: the number of a file, and the offsets of the statement. Whoever started this thread reads it when the
 * thread has ended.
 */
const at = new Int32Array(workerData.place)

/** The files of the present run by their numbers, and the folder that their names are relative to. */
let numbers = new Map()
let folder = ''

const { compileStatement, compile } = Compiler.prototype
Compiler.prototype.compileStatement = function (statement, ...others) {
  const { source, start, end } = statement.range
  const number = numbers.get(resolve(folder, source.normalizedPath))
  // In a library the place is still that of the call.
  if (number !== undefined) at.set([number, start, end])
  return compileStatement.call(this, statement, ...others)
}
Compiler.prototype.compile = function () {
  const module = compile.call(this)
  at[0] = NOWHERE
  return module
}

// What a kernel writes into a table of its file is neither in the world nor in its snapshots.
libraryFiles.staticarray = libraryFiles.staticarray
  .replaceAll(/@operator\("(?:\[\]|\{\})="\) /g, '')
  .replaceAll(/^ {2}(?=(?:fill|copyWithin|sort|reverse)\()/gm, '  __')

/** A range as it can be sent: the compiler's own leads to its whole program. */
const sent = (range) =>
  range?.source ? { start: range.start, end: range.end, path: range.source.normalizedPath } : undefined

/**
 * @param job `files` are pairs of an absolute path and a text, the first that of the entry; `library` is the folder of
 *   strata-ecs/kernel
 */
async function run({ options, entry, files, library, ...job }) {
  folder = job.folder
  const texts = new Map(files)
  numbers = new Map(files.map(([path], number) => [path, number]))
  at[0] = NOWHERE
  const diagnostics = []
  let bytes
  let text = ''
  const { error } = await main([entry, ...options], {
    readFile(name) {
      const inside = PACKAGE.exec(name)?.[1]
      if (inside !== undefined) return readFile(resolve(library, inside), 'utf8').catch(() => null)
      return texts.get(resolve(folder, name)) ?? null
    },
    writeFile(_name, contents) {
      if (typeof contents === 'string') text = contents
      else bytes = contents
    },
    listFiles: () => [],
    reportDiagnostic({ message, code, category, range, relatedRange }) {
      diagnostics.push({ message, code, category, ranges: [sent(range), sent(relatedRange)] })
    },
    stdout: createMemoryStream(),
    stderr: createMemoryStream(),
  })
  return { bytes, text, diagnostics, error: error?.message }
}

at[0] = NOWHERE
parentPort.on('message', async (job) => parentPort.postMessage(await run(job)))
