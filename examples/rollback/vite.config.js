import { readFileSync } from 'node:fs'
import { pageConfig } from '../pageConfig.js'

/** Puts the page of the guide beside the page, which links to it. */
const guide = {
  name: 'guide',
  generateBundle() {
    const source = readFileSync(new URL('../../docs/rollback.md', import.meta.url))
    this.emitFile({ type: 'asset', fileName: 'rollback.md', source })
  },
}

const about = 'Two players over a bad network, each with its own world, rolled back and played again'
export default pageConfig('rollback', { about, plugins: [guide] })
