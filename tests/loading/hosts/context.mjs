// Runs the program in a context of node:vm, which has what the language has and nothing else; values come from outside of it.
// Started with --experimental-vm-modules.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import vm from 'node:vm'

const context = vm.createContext({})
const modules = new Map()

/** A module of the context, and all that it imports. */
function moduleAt(url) {
  if (!modules.has(url)) {
    const module = new vm.SourceTextModule(readFileSync(fileURLToPath(url), 'utf8'), {
      context,
      identifier: url,
    })
    modules.set(url, module)
  }
  return modules.get(url)
}

async function load(url) {
  const module = moduleAt(url)
  await module.link((specifier, { identifier }) => moduleAt(new URL(specifier, identifier).href))
  await module.evaluate()
  return module.namespace
}

const library = await load(import.meta.resolve('strata-ecs'))
const loops = await load(import.meta.resolve('strata-ecs/compile'))
const { everywhere } = await load(new URL('../everywhere.js', import.meta.url).href)
process.stdout.write(everywhere(library, loops, { other: globalThis }))
