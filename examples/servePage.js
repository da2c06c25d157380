// The pages of examples as files, and the command that builds one and serves it until it is interrupted: the examples' serve.js
// call it.

import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, preview } from 'vite'
import { reasonNotToListen, refuse, serverCommand } from '../scripts/server-command.js'

/** With these a page is isolated from others, and its clock has finer steps: fractions of a millisecond are told apart. */
export const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
}

/**
 * Builds the page of an example. Needs the built library.
 *
 * @param {string} name its folder in examples/
 * @param {string} into where the files go
 * @param {import('vite').Plugin[]} plugins are added to those of the example
 */
export function buildPage(name, into, plugins = []) {
  const configFile = fileURLToPath(new URL(`${name}/vite.config.js`, import.meta.url))
  return build({ configFile, plugins, build: { outDir: into }, logLevel: 'warn' })
}

/**
 * Does what the command line says.
 *
 * @param {string} caller import.meta.url of the example's serve.js
 * @param {string} folder the example's folder, which is the name of its build, too
 * @param {string} what for sentences: 'the swarm'
 * @param {number} usualPort where it is served unless another one is named
 */
export async function servePage(caller, folder, what, usualPort) {
  const options = { 'no-build': { type: 'boolean', default: false }, folder: { type: 'string' } }
  const values = serverCommand(options, usualPort, help(folder, what, usualPort))
  if (values === undefined) return
  const { port, host } = values
  const into = values.folder
    ? resolve(values.folder)
    : fileURLToPath(new URL(`../../build/${folder}`, caller))
  // A page alone: what is not there is 404, and not the page.
  const configFile = fileURLToPath(new URL('vite.config.js', caller))
  const page = { configFile, appType: 'mpa', build: { outDir: into } }
  if (values['no-build']) {
    if (!existsSync(join(into, 'index.html')))
      return refuse(`There is no page in ${into}: leave --no-build out, or name its folder with --folder.`)
  } else {
    if (existsSync(into) && !statSync(into).isDirectory())
      return refuse(`${into} is no folder: name another one with --folder.`)
    const reason = await build({ ...page, logLevel: 'warn' }).then(
      () => undefined,
      ({ message }) => message,
    )
    if (reason !== undefined) return refuse(`The page cannot be built: ${reason}`)
  }
  const server = await preview({ ...page, preview: { port, host, headers: ISOLATION } }).catch((error) =>
    refuse(reasonNotToListen(error, port)),
  )
  const { local, network } = server?.resolvedUrls ?? { local: [], network: [] }
  for (const address of [...local, ...network])
    console.log(`${what[0].toUpperCase()}${what.slice(1)} is at ${address}`)
}

const help = (
  folder,
  what,
  port,
) => `Builds the page of ${what} and serves it. Needs the built library: npm run build.

  node examples/${folder}/serve.js [options]

  --port N      serve there, or on the next free one; default ${port}
  --host        serve to the whole network, for a phone
  --no-build    serve what is there
  --folder F    build it in this folder; default build/${folder}
  --help        this text

The folder can be put on any static server.
`
