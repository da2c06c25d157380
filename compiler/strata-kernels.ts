#!/usr/bin/env node
// Owns the start of the command `strata-kernels`. It must never do more than hand over to it.

import { runCommand } from './commandLine'

process.exitCode = await runCommand(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
})
