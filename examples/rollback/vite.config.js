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

export default pageConfig('rollback', [guide])
