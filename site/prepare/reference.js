// Owns the pages of the API reference: TypeDoc reads the declarations that are published and writes Markdown. It must never
// pass over a warning: a reference with gaps is not built.

import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { Application } from 'typedoc'
import { PAGES, ROOT, SIDEBAR } from '../places.js'

const FOLDER = join(PAGES, 'api')

/** The module of types that signatures use and that are no names of the package. */
const UNNAMED = 'Types in signatures'

/** The declarations of every entry of the package, by the names that programs import. */
function declarations() {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  return new Map(
    Object.entries(exports)
      .filter(([, target]) => target.types !== undefined)
      .map(([name, { types }]) => [join(ROOT, types), name.replace('.', 'strata-ecs')]),
  )
}

const OPTIONS = {
  plugin: ['typedoc-plugin-markdown', 'typedoc-plugin-missing-exports'],
  compilerOptions: {
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2022', 'dom'],
    strict: true,
    types: [],
  },
  // Declarations are checked where they are made.
  skipErrorChecking: true,
  excludeExternals: true,
  out: FOLDER,
  readme: 'none',
  internalModule: UNNAMED,
  logLevel: 'Warn',
  disableSources: true,
  hidePageHeader: true,
  hideBreadcrumbs: true,
  entryFileName: 'index',
  useCodeBlocks: true,
  expandObjects: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  sanitizeComments: true,
}

const LINK = /^- \[(.*)\]\((.*)\)$/gm

/** The links of a page of TypeDoc's, below their headings: `{ text, items }`. */
function groupsOf(page) {
  const groups = readFileSync(join(FOLDER, page), 'utf8').split(/^## /m).slice(1)
  return groups.map((group) => ({
    text: group.split('\n')[0],
    items: [...group.matchAll(LINK)].map(([, text, target]) => ({
      text: text.replaceAll('\\', ''),
      link: `/api/${posix.join(posix.dirname(page), target)}`,
    })),
  }))
}

/** What of an entry is in the navigation, which every page has. The page of the entry lists all. */
const LISTED = ['Classes', 'Functions']

/** The navigation of the reference: the entries, and what people call. */
function sidebar() {
  const [{ items: entries }] = groupsOf('index.md')
  const byName = entries.toSorted((a, b) => a.text.localeCompare(b.text))
  return byName.map(({ text, link }, place) => ({
    text,
    link,
    collapsed: place > 0,
    items: groupsOf(link.slice('/api/'.length))
      .filter((group) => LISTED.includes(group.text))
      .map((group) => ({ ...group, collapsed: true })),
  }))
}

/** Pages of types without a name to import are found by links, not by a search. */
function leaveOutOfSearch() {
  const folder = UNNAMED.replaceAll(' ', '-')
  const pages = readdirSync(FOLDER, { recursive: true }).map((path) => path.replaceAll('\\', '/'))
  for (const page of pages.filter((path) => path.includes(`/${folder}/`) && path.endsWith('.md'))) {
    const text = readFileSync(join(FOLDER, page), 'utf8')
    writeFileSync(join(FOLDER, page), `---\nsearch: false\n---\n\n${text}`)
  }
}

/**
 * Writes the pages, and their navigation.
 *
 * @throws {Error} when TypeDoc warns of something
 */
export async function writeReference() {
  const names = declarations()
  const app = await Application.bootstrapWithPlugins({ ...OPTIONS, entryPoints: [...names.keys()] }, [])
  const project = await app.convert()
  if (project === undefined) throw new Error('TypeDoc could not read the declarations: see above.')
  for (const module of project.children) module.name = names.get(join(ROOT, 'dist', `${module.name}.d.ts`))
  project.name = 'API reference'
  app.validate(project)
  await app.generateOutputs(project)
  if (app.logger.hasErrors() || app.logger.hasWarnings())
    throw new Error('TypeDoc warns of what is above: the reference would have gaps.')
  leaveOutOfSearch()
  writeFileSync(SIDEBAR, JSON.stringify(sidebar()))
}
