// The command: builds the page and serves it until it is interrupted. It opens no browser: the address is enough.
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { missing } from '../libraries.js'
import { fail } from '../options.js'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4173' },
    folder: { type: 'string', default: fileURLToPath(new URL('../../build/bench-page', import.meta.url)) },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  console.log(
    'node bench/page/run.js [--port N] [--folder PATH]: builds the page into the folder, and serves it.',
  )
} else {
  const reason = missing()
  if (reason) fail(reason)
  const { buildPage, servePage } = await import('./build.js')
  await buildPage(values.folder)
  console.log(`The page is at ${await servePage(values.folder, Number(values.port))}`)
}
