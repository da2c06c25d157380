#!/usr/bin/env node
// Owns the start of the command `strata-kernels`, and the message for users without AssemblyScript.

import process from 'node:process'
import { types } from 'node:util'

try {
  const { runCommand } = await import('./commandLine')
  process.exitCode = await runCommand(process.argv.slice(2), {
    out: (text) => process.stdout.write(text),
    error: (text) => process.stderr.write(text),
  })
} catch (error) {
  if (!isMissing(error)) throw error
  process.stderr.write('strata-kernels needs AssemblyScript. Run: npm install --save-dev assemblyscript\n')
  process.exitCode = 2
}

function isMissing(error: unknown): boolean {
  return (
    types.isNativeError(error) &&
    (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND' &&
    error.message.includes("'assemblyscript'")
  )
}
