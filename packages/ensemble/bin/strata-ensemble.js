#!/usr/bin/env node
// Owns the command strata-ensemble: it hands the words of the command line over.

import { main } from '../dist/commands.js'

await main(process.argv.slice(2))
