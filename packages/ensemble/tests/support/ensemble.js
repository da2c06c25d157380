// What tests of ensembles share: folders that go away, the command, and Redis servers of their own.

import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { createServer, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { readBatches } from '../../src/part.ts'
import { presentRedis } from '../../../../scripts/redis.js'

export const COMMAND = fileURLToPath(new URL('../../bin/strata-ensemble.js', import.meta.url))
export const moduleOf = (name) => fileURLToPath(new URL(`../runs/${name}.run.js`, import.meta.url))

/** A folder that is gone when the test ends. */
export function scratch() {
  const folder = mkdtempSync(join(tmpdir(), 'ensemble-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/**
 * Starts the command. `ended` is `{ code, signal, output, errors }`; `says` waits for words among the errors. What is left
 * when the test ends is killed.
 */
export function start(words, { command = [process.execPath, COMMAND], ...options } = {}) {
  const [program, ...before] = command
  const child = spawn(program, [...before, ...words.map(String)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  })
  const exited = new Promise((resolve) => child.on('exit', (code, signal) => resolve({ code, signal })))
  let said = ''
  child.stderr.on('data', (data) => (said += data))
  const ended = Promise.all([exited, text(child.stdout), text(child.stderr)]).then(
    ([exit, output, errors]) => ({
      ...exit,
      output,
      errors,
    }),
  )
  const says = (words) => until(() => said.includes(words))
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, ended, says }
}

export const run = (words, options) => start(words, options).ended

/** Waits until `isSo` holds. */
export async function until(isSo) {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 10))
}

/** The record batches of a part that was written to its end. */
export const batchesIn = (path) => readBatches(readFileSync(path))

export const partsIn = (folder) => (existsSync(folder) ? readdirSync(folder) : [])

/** Why tests of queues are left out here; undefined where they are not. */
export const withoutRedis = presentRedis()
  ? undefined
  : 'there is no redis-server here: scripts/redis.js says more'
if (withoutRedis) console.log(`Tests of queues are left out: ${withoutRedis}`)

/** A Redis server of the test's own, which writes down what it is told, and can be killed and started again. */
export async function startRedis(...settings) {
  const folder = scratch()
  const port = await freePort()
  let child
  const server = {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      const words = ['--port', port, '--dir', folder, '--save', '', '--appendonly', 'yes', ...settings].map(
        String,
      )
      child = spawn(presentRedis(), words, { stdio: 'ignore' })
      await until(() => answers(port))
    },
    async kill() {
      const exited = new Promise((resolve) => child.on('exit', resolve))
      child.kill('SIGKILL')
      await exited
    },
  }
  onTestFinished(() => void child.kill('SIGKILL'))
  await server.start()
  return server
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
      server.close(() => resolve(port))
    })
  })
}

/** Whether a server has read its file and takes commands. */
function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'))
    socket.on('data', (data) => {
      // One that wants a password says so first.
      resolve(/^(\+PONG|-NOAUTH)/.test(data.toString()))
      socket.destroy()
    })
    socket.on('error', () => resolve(false))
  })
}

/** A worker on a queue, which counts another one as lost after two seconds. */
export const work = (redis, name, ...rest) =>
  start(['work', moduleOf(name), '--queue', redis.url, '--threads', 1, '--lock', 2, ...rest])

/** The words that hand runs to a queue. */
export const hand = (redis, name, out, ...rest) => [
  'run',
  moduleOf(name),
  '--queue',
  redis.url,
  '--out',
  out,
  ...rest,
]
