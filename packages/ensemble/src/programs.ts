// Owns where the programs lie that are started by themselves, in threads and processes: in the folder of what is built, also when
// tests load the sources, which Node may not load.

import { fileURLToPath } from 'node:url'

const BUILT = new URL('../dist/', import.meta.url)

/** What is built of this package: its own text is known by its version. */
export const OWN_FOLDER: string = fileURLToPath(BUILT)

/** The program of a module that is no part of another one. */
export const programOf = (name: 'definitionProcess' | 'hostProcess' | 'thread'): URL =>
  new URL(`${name}.js`, BUILT)
