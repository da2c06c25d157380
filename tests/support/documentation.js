// Owns what tests know of the documentation: its pages, and the programs on them. It must never judge them.

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))
export const read = (file) => readFileSync(join(root, file), 'utf8')

export const GUIDES = readdirSync(join(root, 'docs'))
  .filter((file) => file.endsWith('.md'))
  .map((file) => `docs/${file}`)
export const PAGES = [
  'README.md',
  ...GUIDES,
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'ensemble/README.md',
  'examples/epidemic/README.md',
  'examples/colony/README.md',
  'examples/instances/README.md',
  'examples/oneModule/README.md',
  'examples/panel/README.md',
  'examples/particles/README.md',
  'examples/rollback/README.md',
  'examples/swarm/README.md',
]
const PAGES_WITH_PROGRAMS = ['README.md', ...GUIDES]

/**
 * The fenced blocks of a page: language, what follows it on the fence, text, line. `run` marks a whole program,
 * `continued` the rest of the program before it, `fragment` what neither runs nor compiles alone, and `file <path>` a
 * file of a project.
 */
function blocksOf(page) {
  const blocks = []
  const content = read(page)
  let before = ''
  for (const match of content.matchAll(/^```(\w*) *(.*)\n([\s\S]*?)^```$/gm)) {
    const [, language, mark, code] = match
    const line = content.slice(0, match.index).split('\n').length
    const block = { page, line, language, mark, code, linesBefore: 0 }
    if (mark === 'continued') {
      block.code = before + code
      block.linesBefore = before.split('\n').length - 1
    }
    if (/^(run|continued)$/.test(mark)) before = block.code
    blocks.push(block)
  }
  return blocks
}

export const programs = PAGES_WITH_PROGRAMS.flatMap(blocksOf).filter(({ language }) =>
  /^[jt]s$/.test(language),
)
export const runnable = programs.filter(({ mark }) => /^(run|continued)$/.test(mark))
