// Shows that each file of examples/basics prints what the comments in it say, and that its README lists it.

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { promisedOutput } from '../../scripts/programs.js'

const folder = fileURLToPath(new URL('../../examples/basics/', import.meta.url))
const files = readdirSync(folder).filter((name) => name.endsWith('.js'))

it.each(files)('%s prints what it says', async (file) => {
  const worker = new Worker(join(folder, file), { stdout: true })
  const ended = new Promise((resolve, reject) => worker.on('error', reject).on('exit', resolve))
  const [output] = await Promise.all([text(worker.stdout), ended])
  const promised = promisedOutput(readFileSync(join(folder, file), 'utf8'))
  expect(promised.length).toBeGreaterThan(1)
  expect(output.trimEnd().split('\n')).toEqual(promised)
})

it('The README lists each file, and nothing else', () => {
  const listed = [...readFileSync(join(folder, 'README.md'), 'utf8').matchAll(/^\| \[(\S+)\]/gm)]
  expect(listed.map(([, name]) => name).sort()).toEqual(files.sort())
})
