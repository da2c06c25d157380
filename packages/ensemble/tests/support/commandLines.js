// Gives many command lines to strata-ensemble, one after the other in one process, and writes down what it said and would have
// ended with: node commandLines.js LINES.json ANSWERS.json. A process for each would take a second of it.

import { readFileSync, writeFileSync } from 'node:fs'
import { main } from '../../dist/commands.js'

const [lines, answers] = process.argv.slice(2)
const write = process.stderr.write.bind(process.stderr)
process.setMaxListeners(0)

const given = []
for (const words of JSON.parse(readFileSync(lines, 'utf8'))) {
  let errors = ''
  process.exitCode = undefined
  process.stderr.setMaxListeners(0)
  process.stdout.setMaxListeners(0)
  process.stderr.write = (text) => {
    errors += text
    return true
  }
  try {
    await main(words)
  } catch (error) {
    errors += `\n    at main: ${error?.stack ?? error}`
  }
  process.stderr.write = write
  given.push({ words, code: process.exitCode ?? 0, errors })
}
writeFileSync(answers, JSON.stringify(given))
process.exit(0)
