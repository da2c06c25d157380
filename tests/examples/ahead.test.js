// Shows that each example and each program of the guide that compiles loops prints the same whether the build compiles them or the
// program does, and after a build for older browsers.

import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { build } from 'vite'
import { describe, expect, it } from 'vitest'
import kernels from '../../packages/kernels/src/rollup.ts'
import { runnable } from '../support/documentation.js'
import { kernelFolder } from '../support/kernelFiles.ts'

const COMPILES = /from 'strata-ecs\/compile'/
/** What a page shows of a refusal, a build refuses. */
const REFUSED = /is not known here/
const examples = new URL('../../examples/', import.meta.url)
const basics = readdirSync(new URL('basics/', examples)).filter((name) => name.endsWith('.js'))
const SWARM = `import { createSwarm } from '${fileURLToPath(new URL('swarm/src/simulation/swarm.ts', examples))}'
const swarm = createSwarm({ prey: 2000 })
for (let step = 0; step < 20; step++) swarm.step()
console.log(swarm.digest(), swarm.population)
`

/** By name: a program's file, and its text. */
const PROGRAMS = [
  ...basics.map((name) => [name, name, readFileSync(new URL(`basics/${name}`, examples), 'utf8')]),
  ...runnable.map(({ page, line, language, code }) => [`${page}:${line}`, `main.${language}`, code]),
  ['the swarm', 'main.ts', SWARM],
].filter(([name, , source]) => name === 'the swarm' || (COMPILES.test(source) && !REFUSED.test(source)))

/** What a program prints once it is built. */
async function printedBy(file, source, ahead, target) {
  const folder = kernelFolder({ [file]: source })
  const { output } = await build({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    plugins: [kernels({ ahead })],
    build: {
      write: false,
      target,
      minify: true,
      rollupOptions: { input: `${folder}/${file}` },
    },
  })
  writeFileSync(`${folder}/package.json`, '{ "type": "module" }')
  mkdirSync(`${folder}/out/assets`, { recursive: true })
  for (const { fileName, code, source: asset } of output)
    writeFileSync(`${folder}/out/${fileName}`, code ?? asset)
  const { fileName } = output.find(({ isEntry }) => isEntry)
  const worker = new Worker(`${folder}/out/${fileName}`, { stdout: true })
  const ended = new Promise((resolve, reject) => worker.on('error', reject).on('exit', resolve))
  const [printed] = await Promise.all([text(worker.stdout), ended])
  return printed
}

describe('a program with compiled loops', () => {
  it.each(PROGRAMS)('%s prints the same, ahead or not', async (_, file, source) => {
    const right = await printedBy(file, source, false, 'es2022')
    expect(right).not.toBe('')
    expect(await printedBy(file, source, true, 'es2022')).toBe(right)
    expect(await printedBy(file, source, true, 'es2020')).toBe(right)
    expect(await printedBy(file, source, true, 'es2019')).toBe(right)
    expect(await printedBy(file, source, false, 'es2020')).toBe(right)
  })

  it('is in the examples and in the guide', () => {
    expect(PROGRAMS.length).toBeGreaterThan(5)
  })
})
