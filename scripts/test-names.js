// Owns what the name of a test file, and the room it is in, say that it needs: `tests/rows/fastProperties.alone.node.test.ts` needs
// a process of its own, in Node. vitest.config.js runs tests by it, and never has to read one.

/** What a test file can need, by the word that stands in its name. Several stand in the order of the alphabet. */
export const NEEDS = {
  alone: 'It is about what a process keeps or has not done yet, so it has a process of its own.',
  browser: 'It starts a browser. Without one it is left out as a whole.',
  measured:
    'It asks V8 how many bytes are in use or how often code ran, in a process of its own that compiles and collects in one thread.',
  node: 'It runs in Node and not in a page, over every core: it compiles kernels, reads files, or asks V8.',
  once: 'It runs once, in Node: it looks at files, processes or JavaScript rather than at a core, or runs over several by itself.',
  proof:
    'It asks support/proofs.ts how long random proofs are, or support/rowCounts.ts for row counts: `quick` makes a part, `rest` all.',
}

/** Rooms whose every file runs once, in Node, as `once` says. */
export const ROOMS_ONCE = [
  'bench',
  'compiler',
  'ensemble',
  'examples',
  'inspector',
  'kernelLibrary',
  'loopCompiler',
  'react',
  'repository',
  'site',
  'three',
  'tools',
  'workers',
]

/** Rooms whose every file runs in Node, as `node` says: they compile kernels. */
export const ROOMS_IN_NODE = ['kernels']

/** Rooms whose every file has a process of its own, as `alone` says. */
export const ROOMS_ALONE = ['react']

/** A glob of the test files that have this need by their name. */
export const named = (need) => `tests/**/*.${need}.*test.{ts,js}`

/** A glob of the test files of a room. */
export const inRoom = (room) => `tests/${room}/**`

/** The needs in the name of a test file. */
export const needsOf = (file) => file.split(/[\\/]/).at(-1).split('.').slice(1, -2)

/** The name of a test file without its needs: `rows/texts` for `tests/rows/texts.proof.test.ts`. */
export const stemOf = (file) => file.replace(/^tests\//, '').replace(/(\/[^/.]*)\.[^/]*$/, '$1')
