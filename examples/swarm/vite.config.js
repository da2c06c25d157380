// How the page is built: with kernels, and with addresses that are relative, for it may be put anywhere. Its link leads to the
// package's page or, while it has none, to its README, which then lies beside the page.

import { readFileSync } from 'node:fs'
import strataKernels from 'strata-ecs/vite'
import { pageConfig } from '../pageConfig.js'

const root = new URL('../../', import.meta.url)
const { homepage } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))

const readme = {
  name: 'readme',
  transformIndexHtml: (html) => html.replace('%README%', homepage ?? './README.md'),
  generateBundle() {
    if (homepage) return
    this.emitFile({ type: 'asset', fileName: 'README.md', source: readFileSync(new URL('README.md', root)) })
  },
}

const about = 'Up to a million agents flock, burn and are hunted in one WebAssembly memory'
export default pageConfig('swarm', { about, plugins: [strataKernels(), readme] })
