// Owns what a program on a page of the documentation is: where its blocks are, what they print, and what of them runs. The
// tests run the programs in Node by it, the site in a browser. It must never run one itself.

import ts from 'typescript'

/**
 * The fenced blocks of a page, in order.
 *
 * `mark` is what follows the language on the fence: `run` marks a whole program, `continued` the rest of the program before
 * it, `page` a whole program that needs a browser's page, `fragment` what neither runs nor compiles alone, and `file <path>` a
 * file of a project.
 *
 * @param {string} content the text of a page
 * @returns for each block its `language`, `mark` and `line`; `own`, the text between its fences; `before`, the program that
 *   it continues, or an empty text; `code`, both together; and `start` and `end` in the page, fences included
 */
export function blocksOf(content) {
  let program = ''
  return [...content.matchAll(/^```(\w*) *(.*)\n([\s\S]*?)^```$/gm)].map((match) => {
    const [whole, language, mark, own] = match
    const before = mark === 'continued' ? program : ''
    const code = before + own
    if (isRunnable({ mark })) program = code
    const line = content.slice(0, match.index).split('\n').length
    return { language, mark, line, own, before, code, start: match.index, end: match.index + whole.length }
  })
}

/** Whether a block runs: by itself, or after the one that it continues. */
export const isRunnable = ({ mark }) => mark === 'run' || mark === 'continued'

/** The lines that a program says it prints: after each console.log, or in comments of their own. */
export function promisedOutput(code) {
  return [...code.matchAll(/^(?:.*console\.log\(.*\) \/\/ |\/\/ output: )(.*)$/gm)].map((match) => match[1])
}

/** A program as JavaScript. */
export function scriptOf({ code, language }) {
  if (language !== 'ts') return code
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 }
  return ts.transpileModule(code, { compilerOptions }).outputText
}
