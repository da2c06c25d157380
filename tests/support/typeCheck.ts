// What the TypeScript compiler says of a project, without starting it each time: it reads its own library once for all projects
// of a test file.

import { dirname } from 'node:path'
import ts from 'typescript'

const LIBRARY = dirname(ts.getDefaultLibFilePath({}))
const libraryFiles = new Map<string, ts.SourceFile | undefined>()

/** What `tsc -p` prints of the project of a tsconfig.json, with paths from its folder: nothing when it is content. */
export function typeCheck(configFile: string): string {
  const problems: ts.Diagnostic[] = []
  const project = ts.getParsedCommandLineOfConfigFile(configFile, {}, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (problem) => problems.push(problem),
  } as ts.ParseConfigFileHost)
  if (project !== undefined) {
    const { options, fileNames: rootNames, errors } = project
    const program = ts.createProgram({ rootNames, options, host: hostFor(options) })
    problems.push(...errors, ...ts.getPreEmitDiagnostics(program))
  }
  return ts.formatDiagnostics(ts.sortAndDeduplicateDiagnostics(problems), {
    getCurrentDirectory: () => dirname(configFile),
    getCanonicalFileName: (name) => name,
    getNewLine: () => '\n',
  })
}

function hostFor(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options)
  const read = host.getSourceFile.bind(host)
  host.getSourceFile = (name, how, ...rest) => {
    if (!name.startsWith(LIBRARY)) return read(name, how, ...rest)
    // What a file is parsed into depends on these.
    const { target, module, moduleDetection } = options
    const key = [name, target, module, moduleDetection, JSON.stringify(how)].join()
    if (!libraryFiles.has(key)) libraryFiles.set(key, read(name, how, ...rest))
    return libraryFiles.get(key)
  }
  return host
}
