// Shows that the programs in the documentation are correct TypeScript, also under strict flags.

import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { root, runnable } from '../support/documentation.js'

describe('the programs in the documentation', () => {
  it('are correct for the type checker, also where it counts what an index gives as perhaps undefined', () => {
    const texts = new Map(runnable.map(({ code }, i) => [join(root, `documentation-${i}.ts`), code]))
    const options = {
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      target: ts.ScriptTarget.ES2022,
      lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
      types: ['node'],
      strict: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      skipLibCheck: true,
    }
    const host = ts.createCompilerHost(options)
    const { fileExists, readFile, getSourceFile } = host
    host.fileExists = (name) => texts.has(name) || fileExists(name)
    host.readFile = (name) => texts.get(name) ?? readFile(name)
    host.getSourceFile = (name, target, ...rest) =>
      texts.has(name)
        ? ts.createSourceFile(name, texts.get(name), target)
        : getSourceFile.call(host, name, target, ...rest)
    const files = [...texts.keys()]
    const program = ts.createProgram(files, options, host)
    const problems = ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
      const block = file ? runnable[files.indexOf(file.fileName)] : undefined
      const row = block ? file.getLineAndCharacterOfPosition(start).line : 0
      const line = block ? block.line + 1 + row - block.linesBefore : 0
      return `${block?.page ?? file?.fileName}:${line} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
    })
    expect(problems).toEqual([])
  })
})
