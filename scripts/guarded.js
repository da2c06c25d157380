// Owns programs that must end when the tests do: each has a process group and a shell that watches over it, so that none goes on
// after a test that failed, was interrupted or was killed.

import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Runs a program until its own input ends, which it does at the latest with the process that gave it. */
const GUARD = `"$@" </dev/null & child=$!
read -r _
kill "$child" 2>/dev/null
wait "$child"`

/** How long a program may take to end after it was asked to. */
const PATIENCE = 5_000

/**
 * Starts a program, which ends when `end` is called or this process is gone.
 *
 * @param {string[]} command the program and its parameters; inside of another if `around` is given
 * @param {{ environment?: Record<string, string | undefined>, around?: string[], output?: boolean }} options `around`: a command
 *   that starts the one that follows it, and ends after that; `output`: whether file 3 can be read, as `shell.stdio[3]`
 */
export function startGuarded(command, { environment = process.env, around = [], output = false } = {}) {
  const [program, ...parameters] = [...around, 'sh', '-c', GUARD, 'sh', ...command]
  const shell = spawn(program, parameters, {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore', output ? 'pipe' : 'ignore'],
    env: environment,
  })
  const ended = once(shell, 'exit')
  return {
    shell,
    async end() {
      shell.stdin.end()
      const timer = setTimeout(() => killGroup(shell.pid), PATIENCE)
      await ended
      clearTimeout(timer)
      // What the program started may have outlived it.
      killGroup(shell.pid)
    },
  }
}

/** Ends the group of a program that another library started, when this process is gone. Returns what calls that off. */
export function endWithThis(pid) {
  const shell = spawn('sh', ['-c', `read -r word; [ "$word" = off ] || kill -KILL -${pid}`], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  return async () => {
    shell.stdin.end('off\n')
    await once(shell, 'exit')
  }
}

function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}
