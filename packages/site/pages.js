// Owns which Markdown files of the repository are pages of the site, and in which order they are read. It must never list
// the guides: docs/README.md does, in the order in which one learns.

import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { ROOT } from './places.js'

export const read = (file) => readFileSync(join(ROOT, file), 'utf8')

/** What the front page is made from. */
export const FRONT = 'packages/site/front.md'

/** The map of the documentation. */
const MAP = 'docs/README.md'

/** Every example that has a README. */
export const EXAMPLES = readdirSync(join(ROOT, 'examples'))
  .map((name) => `examples/${name}/README.md`)
  .filter((file) => existsSync(join(ROOT, file)))

const pagesIn = (folder) =>
  readdirSync(join(ROOT, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${file}`)

export const GUIDES = pagesIn('docs')

/** Ensembles first: theirs are guides for users, those of the other packages are for people who change them. */
const PACKAGES = ['ensemble', ...readdirSync(join(ROOT, 'packages')).filter((name) => name !== 'ensemble')]

/** What is about the project rather than about its use: CONTRIBUTING.md and docs/internals/ are for people who change it. */
export const PROJECT = [
  ...PACKAGES.flatMap((name) => pagesIn(`packages/${name}`)).filter((file) => file !== FRONT),
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...pagesIn('docs/internals'),
]

/** The files that are pages, by their paths in the repository. */
export const FILES = [...GUIDES, ...EXAMPLES, ...PROJECT]

/** Where a file is on the site: a README is the index of its folder. The README of the repository is the front page. */
export const placeOf = (file) => file.replace(/(^|\/)README\.md$/, '$1index.md')

/** Its first heading. */
export function titleOf(file) {
  const title = /^# (.*)$/m.exec(read(file))?.[1]
  if (title === undefined) throw new Error(`${file} must have a heading of the first level: # Its name`)
  return title.replaceAll('`', '')
}

/**
 * The guides as the map has them.
 *
 * @param map its text: headings of the second level, and below each a list of links
 * @param guides all that there are; those that the map leaves out come last, as "More"
 * @returns a list of `{ text, files }`
 */
export function sectionsOf(map, guides) {
  const sections = map.split(/^## /m).slice(1)
  const named = sections.map((section) => ({
    text: section.split('\n')[0],
    files: linksOf(section).filter((file) => guides.includes(file)),
  }))
  const placed = new Set([MAP, ...named.flatMap(({ files }) => files)])
  const more = guides.filter((file) => !placed.has(file))
  return more.length === 0 ? named : [...named, { text: 'More', files: more }]
}

const linksOf = (text) =>
  [...text.matchAll(/\]\(([^)\s#]+\.md)/g)].map((match) => posix.join(posix.dirname(MAP), match[1]))

/** The guides as docs/README.md has them. */
export const sections = () => sectionsOf(read(MAP), GUIDES)

/** The demos by their folders, in the order of the navigation. */
export const DEMOS = {
  swarm: 'The swarm',
  orrery: 'The orrery',
  rollback: 'Rollback',
  panel: 'A panel of React',
  instances: '40,000 bodies with three.js',
  benchmark: 'Benchmark in your browser',
}

/** Their address on the site. */
export const addressOfDemo = (name) => `/demos/${name}/index.html`
