// Owns the build of the package strata-ensemble: for each source in packages/ensemble/src, a module and its types in packages/ensemble/dist. Types
// are checked by `npm run types` alone, so the packages that it needs may be installed later. It must never leave there what was
// built from a source that is gone: it would be packed.

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const pathOf = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

const TSC = pathOf('node_modules/typescript/bin/tsc')
const words = [TSC, '-p', pathOf('packages/ensemble/tsconfig.build.json')]
const { status } = spawnSync(process.execPath, words, { stdio: 'inherit' })

for (const file of status === 0 ? readdirSync(pathOf('packages/ensemble/dist')) : []) {
  const source = file.replace(/(?:\.d\.ts|\.js)$/, '.ts')
  if (!existsSync(pathOf(`packages/ensemble/src/${source}`))) rmSync(pathOf(`packages/ensemble/dist/${file}`))
}
process.exitCode = status ?? 1
