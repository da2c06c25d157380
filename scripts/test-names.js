// Owns what a test file needs, by the words in its name and by the folder it is in: `tests/state/fastProperties.alone.node.test.ts`
// needs a process of its own, in Node. vitest.config.js goes by it, and never has to read a test.

/** What a test file can need, by the word that stands in its name. Several stand in the order of the alphabet. */
export const NEEDS = {
  alone: 'It is about what a process keeps or has not done yet, so it has a process of its own.',
  browser: 'It starts a browser. Without one it is left out as a whole.',
  checked:
    'It pushes storage or memory to a limit, or asks how memory is used: `npm test` runs it over the checked core, too.',
  engines: 'Its results must be the same bytes in every engine: it also runs in Firefox and WebKit.',
  long: 'It takes too long for `npm test`, or is not about the core: CI runs it.',
  measured:
    'It asks V8 how many bytes are in use or how often code ran, in a process of its own that compiles and collects in one thread.',
  node: 'It runs in Node and not in a page, over every core: it compiles kernels, reads files, or asks V8.',
  once: 'It runs once, in Node: it looks at files, processes or JavaScript rather than at a core, or runs over several by itself.',
  proof:
    'It asks support/proofs.ts how long random proofs are, or support/rowCounts.ts for row counts: `npm test` makes a part, CI more.',
  small: 'It fills tables: it also runs over the small core, whose tables grow after a few entries.',
  unshared:
    'It counts calls or modules, which worlds with workers have more of: it never runs over shared memory.',
}

/** Folders whose every test file has these needs. */
export const FOLDERS = {
  packages: ['long'],
  'packages/compile/tests/ahead': ['once'],
  'packages/compile/tests/functions': ['once'],
  'packages/compile/tests/loopCompiler': ['once'],
  'packages/ensemble': ['once'],
  'packages/inspector/tests/element': ['once'],
  'packages/kernels': ['once'],
  'packages/mutants': ['once'],
  'packages/react': ['once'],
  'packages/site': ['once'],
  'packages/three': ['once'],
  'packages/workers': ['once'],
  'tests/bench': ['long', 'once'],
  'tests/examples': ['long', 'once'],
  'tests/kernels': ['node'],
  'tests/memory': ['checked'],
  'tests/relations': ['small'],
  'tests/repository': ['once'],
  'tests/tools': ['once'],
}

/** A glob of all test files. */
export const ALL = '{tests,packages/*/tests}/**/*.test.{ts,js}'

const foldersWith = (need) => Object.keys(FOLDERS).filter((folder) => FOLDERS[folder].includes(need))

/** Globs of the test files that have this need, and in their name this other one, which follows it in the alphabet. */
export function needing(need, other) {
  const rest = other === undefined ? '' : `*${other}.`
  return [
    `{tests,packages/*/tests}/**/*.${need}.${rest}*test.{ts,js}`,
    ...foldersWith(need).map((folder) =>
      other === undefined ? `${folder}/**/*.test.{ts,js}` : `${folder}/**/*.${other}.*test.{ts,js}`,
    ),
  ]
}

/** A glob of the test files that do not have this word in their name. */
export const withoutWord = (need) => `{tests,packages/*/tests}/**/!(*.${need}*).test.{ts,js}`

/** The needs in the name of a test file. */
export const wordsOf = (file) => file.split(/[\\/]/).at(-1).split('.').slice(1, -2)

/** The needs of the folders that a test file is in. */
export const folderNeedsOf = (file) =>
  Object.keys(FOLDERS)
    .filter((folder) => file.startsWith(`${folder}/`))
    .flatMap((folder) => FOLDERS[folder])

/** All needs of a test file, by its path from the root. */
export const needsOf = (file) => [...new Set([...wordsOf(file), ...folderNeedsOf(file)])]

/** The path of a test file without the words: `tests/texts/texts` for `tests/texts/texts.proof.test.ts`. */
export const stemOf = (file) => file.replace(/(\/[^/.]*)\.[^/]*$/, '$1')
