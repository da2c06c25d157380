// Owns what the commands that serve pages are told: their options, and a sentence for what makes no sense. It must never serve
// anything.

import { parseArgs } from 'node:util'

const MOST_PORT = 65_535
const COMMAND_WRONG = 2
const CANNOT_SERVE = 1

/**
 * Reads the command line of a server. Prints the help, or what is wrong, and then returns undefined; the exit code is 2 for a wrong
 * command.
 *
 * @param {import('node:util').ParseArgsConfig['options']} options besides --port, --host and --help
 * @param {number} usualPort where it serves unless another port is named
 * @param {string} help the text of --help
 * @returns {{ port: number, host: boolean } | undefined} with the other options by their names
 */
export function serverCommand(options, usualPort, help) {
  try {
    const { values } = parseArgs({
      options: {
        ...options,
        port: { type: 'string', default: String(usualPort) },
        host: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    if (!values.help) return { ...values, port: portOf(values.port) }
    process.stdout.write(help)
  } catch (error) {
    refuse(error.message, COMMAND_WRONG)
  }
  return undefined
}

function portOf(text) {
  const port = Number(text)
  if (/^\d+$/.test(text) && port >= 1 && port <= MOST_PORT) return port
  throw new Error(`--port is a whole number from 1 to ${MOST_PORT}, not '${text}'.`)
}

/** Says why nothing is served, as one sentence, and has the command end with an exit code. */
export function refuse(sentence, code = CANNOT_SERVE) {
  console.error(code === COMMAND_WRONG ? `${sentence}\nSee --help.` : sentence)
  process.exitCode = code
}

/** Why a server cannot listen. */
export function reasonNotToListen({ code, message }, port) {
  // Vite has a sentence of its own, and no code.
  if (code === 'EADDRINUSE' || message.startsWith('No available ports'))
    return `No port from ${port} to ${MOST_PORT} is free: choose another one with --port.`
  if (code === 'EACCES')
    return `Port ${port} needs rights that you do not have: choose one above 1023 with --port.`
  return `The server cannot listen on port ${port}: ${message}.`
}
