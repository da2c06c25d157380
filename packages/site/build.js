// Owns the command that builds the site: pages, library, demos, reference, then VitePress over all of it. It must never
// build the library: npm run build does.
//
//   node packages/site/build.js

import { rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'vitepress'
import { FILES, read } from './pages.js'
import { MODULES, PAGES, PROGRAMS } from './places.js'
import { writeDemos } from './prepare/demos.js'
import { writeLibrary } from './prepare/library.js'
import { packagesIn } from './prepare/programs.js'
import { writePages } from './prepare/pages.js'
import { writeReference } from './prepare/reference.js'

// Whoever calls: libraries of demos, such as React, are those for users.
process.env.NODE_ENV = 'production'

rmSync(PAGES, { recursive: true, force: true })
const modules = await writeLibrary(packagesIn(['README.md', ...FILES].map(read)))
await writeDemos()
await writeReference()
const programs = writePages(Object.keys(modules))
writeFileSync(MODULES, JSON.stringify(modules))
writeFileSync(PROGRAMS, JSON.stringify(programs))
await build(fileURLToPath(new URL('.', import.meta.url)))
// What bundlers have started may go on waiting for more work: the command would never end.
process.exit()
