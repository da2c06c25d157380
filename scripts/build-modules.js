// Owns the build of the shipped modules: the parts of rollup.config.js side by side, each in a process of its own.
// It must never go on when one of them failed.

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROLLUP = fileURLToPath(new URL('../node_modules/rollup/dist/bin/rollup', import.meta.url))
const PARTS = ['library', 'others']

const built = PARTS.map(
  (part) =>
    new Promise((resolve) => {
      const env = { ...process.env, STRATA_BUILD: part }
      spawn(process.execPath, [ROLLUP, '-c'], { stdio: 'inherit', env }).on('exit', resolve)
    }),
)
const codes = await Promise.all(built)
process.exitCode = codes.every((code) => code === 0) ? 0 : 1
