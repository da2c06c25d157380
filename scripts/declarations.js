// Owns the declarations that the types of the package are put together from: one for each source, made by one program of TypeScript
// for all entries, which otherwise would read and infer the same sources once each. It must never check types: `npm run types` does.

import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'

/** How TypeScript writes what is wrong. */
const HOST = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => process.cwd(),
  getNewLine: () => '\n',
}

/** Where the declaration of `bindings/index.ts` lies as `bindings/index.d.ts`. */
const FOLDER = 'build/declarations'

const EMITTED = { declaration: true, emitDeclarationOnly: true, noEmit: false, outDir: FOLDER }

/** The declaration of a source. */
export const declarationOf = (source) => join(FOLDER, source.replace(/\.ts$/, '.d.ts'))

/** Makes the declarations of these sources, and of what they import. */
function emit(sources) {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile)
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, resolve('.'), EMITTED)
  const ambient = fileNames.filter((file) => file.endsWith('.d.ts'))
  rmSync(FOLDER, { recursive: true, force: true })
  // The last word writes them even where a type is wrong.
  const program = ts.createProgram([...sources, ...ambient], options)
  const { diagnostics } = program.emit(undefined, undefined, undefined, true, undefined, true)
  if (diagnostics.length > 0) throw new Error(ts.formatDiagnostics(diagnostics, HOST))
}

/** A plugin for Rollup, for all bundles whose input is the declaration of one of these sources. */
export function declarations(sources) {
  let isMade = false
  return {
    name: 'declarations',
    options() {
      if (!isMade) emit(sources)
      isMade = true
    },
  }
}
