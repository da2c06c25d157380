// Owns the running of one program, in a worker that ends with it: types are stripped, names of modules become addresses,
// what it prints is reported as Node prints it. It must never run a second one.

import { parse } from 'es-module-lexer/js'
import { format } from 'node-inspect-extracted'
import { consoleOver } from './console.js'

/** A program in an endless loop prints endlessly: the page shows this much of it. */
const MAX_LINES = 1000

let lines = 0

function print(text) {
  for (const line of text.split('\n')) {
    lines += 1
    if (lines > MAX_LINES) return
    postMessage({ line: lines < MAX_LINES ? line : `Only the first ${MAX_LINES - 1} lines are shown.` })
  }
}

// Programs print with whatever a console has.
Object.assign(console, consoleOver(print))

/** An edited program as JavaScript; every line stays where it is. */
async function withoutTypes(source) {
  const { transform } = await import('sucrase')
  return transform(source, { transforms: ['typescript'], disableESTransforms: true }).code
}

/** The program with the addresses of the modules that it imports, and these addresses. */
function linked(script, modules) {
  const [imports] = parse(script)
  const addresses = new Set()
  let text = ''
  let done = 0
  for (const { n: name, s: start, e: end, d: isDynamic } of imports) {
    if (name === undefined) continue
    const address = modules[name]
    if (address === undefined)
      throw new Error(`There is no '${name}' here. A program can import: ${Object.keys(modules).join(', ')}.`)
    addresses.add(address)
    text += script.slice(done, start) + (isDynamic >= 0 ? JSON.stringify(address) : address)
    done = end
  }
  return { text: text + script.slice(done), addresses: [...addresses] }
}

/** Which line of the program an error comes from; undefined when it comes from elsewhere. */
function lineOf(error) {
  const inStack = /blob:[^\s)]*?:(\d+):\d+/.exec(error?.stack ?? '')
  const found = inStack?.[1] ?? error?.loc?.line
  return found === undefined ? undefined : Number(found)
}

const describe = (error) => (error instanceof Error ? `${error.name}: ${error.message}` : format(error))

const fail = (error) => postMessage({ error: describe(error), line: lineOf(error) })

addEventListener('error', (event) => {
  event.preventDefault()
  fail(event.error ?? new Error(event.message))
})
addEventListener('unhandledrejection', (event) => {
  event.preventDefault()
  fail(event.reason)
})

addEventListener(
  'message',
  async ({ data: { script, isEdited, modules } }) => {
    try {
      const { text, addresses } = linked(isEdited ? await withoutTypes(script) : script, modules)
      // The time limit is the program's own: it does not have to wait for the library.
      await Promise.all(addresses.map((address) => import(/* @vite-ignore */ address)))
      postMessage({ begun: true })
      await import(/* @vite-ignore */ URL.createObjectURL(new Blob([text], { type: 'text/javascript' })))
      // A promise that was rejected and that nothing waits for is reported between two tasks.
      await new Promise((resolve) => setTimeout(resolve))
      postMessage({ ended: true })
    } catch (error) {
      fail(error)
    }
  },
  { once: true },
)
