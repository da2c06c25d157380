// Owns how the sources of a bundle become JavaScript: each file by itself, and once for all bundles of a process. It must never
// look at types: `npm run types` checks them.

import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import ts from 'typescript'

const compilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  // Fields that are assigned are made faster than those that are defined, above all in SpiderMonkey, and are half as long.
  useDefineForClassFields: false,
  sourceMap: true,
}

/** The file that an import without an extension means. */
function fileOf(source, importer) {
  const path = resolve(dirname(importer), source)
  return [`${path}.ts`, `${path}/index.ts`].find((file) => existsSync(file))
}

/** A plugin for Rollup, for one bundle or many; `after` are transformers for TypeScript, of what it emits. */
export function transpile(after = []) {
  const done = new Map()
  return {
    name: 'transpile',
    resolveId: (source, importer) => (importer && source.startsWith('.') ? fileOf(source, importer) : null),
    transform(code, id) {
      if (!id.endsWith('.ts')) return null
      const made = done.get(id)
      if (made?.source === code) return made.output
      const { outputText, sourceMapText, diagnostics } = ts.transpileModule(code, {
        fileName: id,
        reportDiagnostics: true,
        compilerOptions,
        transformers: { after },
      })
      if (diagnostics.length > 0) {
        const [{ messageText, start }] = diagnostics
        this.error(ts.flattenDiagnosticMessageText(messageText, '\n'), start)
      }
      const output = {
        code: outputText.replace(/^\/\/# sourceMappingURL=.*\s*$/m, ''),
        map: JSON.parse(sourceMapText),
      }
      done.set(id, { source: code, output })
      return output
    },
  }
}
