// Owns the command that runs an example: builds what it needs, then starts its program with the options that follow its name.
// It must never know what an example does.
//
//   npm run example                        which there are
//   npm run example -- swarm --port 8080
//   npm run example -- basics/hello

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { STEPS, build } from './build.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FOLDER = join(ROOT, 'examples')

/** The program of an example: a model prints, a page is served, and each file of the basics is a program. */
function programOf(name) {
  return [`${name}/main.js`, `${name}/serve.js`, `${name}.js`].find((file) => existsSync(join(FOLDER, file)))
}

/** The names that the command takes. */
export function exampleNames() {
  return readdirSync(FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) =>
      programOf(name) !== undefined
        ? [name]
        : readdirSync(join(FOLDER, name))
            .filter((file) => file.endsWith('.js'))
            .map((file) => `${name}/${file.slice(0, -'.js'.length)}`),
    )
}

async function runExample([name, ...options]) {
  const names = exampleNames()
  if (!names.includes(name)) {
    console.error(
      `${name === undefined ? 'Name an example' : `There is no example '${name}'`}: ${names.join(', ')}.`,
    )
    return 1
  }
  await build({ names: [Object.hasOwn(STEPS, name) ? name : 'modules'] })
  const { status } = spawnSync(process.execPath, [join(FOLDER, programOf(name)), ...options], {
    stdio: 'inherit',
  })
  return status ?? 1
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.exitCode = await runExample(process.argv.slice(2))
