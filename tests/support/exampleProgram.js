// An example as a program: what it said, and what it ended with.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/**
 * @param name the folder in examples/, whose main.js is run at the root of the repository
 * @param line its options, with a space between two
 */
export const runExample = (name, line) =>
  new Promise((resolve) => {
    const words = [`examples/${name}/main.js`, ...line.split(' ')]
    execFile(process.execPath, words, { cwd: ROOT }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    )
  })
