// The pages of the documentation, and the programs on them.

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { blocksOf, isRunnable } from '../../scripts/programs.js'

export const root = fileURLToPath(new URL('../..', import.meta.url))
export const read = (file) => readFileSync(join(root, file), 'utf8')

const pagesIn = (folder) =>
  readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${file}`)

export const GUIDES = pagesIn('docs')
/** Pages for people who change the code. */
export const INTERNALS = pagesIn('docs/internals')
export const PAGES = [
  'README.md',
  ...GUIDES,
  ...INTERNALS,
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(join(root, 'packages')).flatMap((name) => pagesIn(`packages/${name}`)),
  'examples/epidemic/README.md',
  'examples/colony/README.md',
  'examples/instances/README.md',
  'examples/panel/README.md',
  'examples/orrery/README.md',
  'examples/rollback/README.md',
  'examples/swarm/README.md',
]
const PAGES_WITH_PROGRAMS = ['README.md', ...GUIDES, ...INTERNALS]

/** The blocks of a page, each with the page and the number of lines of what it continues. */
const programsOf = (page) =>
  blocksOf(read(page)).map((block) => ({
    ...block,
    page,
    linesBefore: block.before === '' ? 0 : block.before.split('\n').length - 1,
  }))

export const programs = PAGES_WITH_PROGRAMS.flatMap(programsOf).filter(({ language }) =>
  /^[jt]s$/.test(language),
)
export const runnable = programs.filter(isRunnable)
/** Programs that need a page: tests/repository/gameLoop.long.test.js runs them. */
export const inPages = programs.filter(({ mark }) => mark === 'page')
