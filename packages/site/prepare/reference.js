// Owns the pages of the API reference: TypeDoc reads the declarations that are published and writes Markdown. It must never
// pass over a warning: a reference with gaps is not built.

import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { Application, CommentTag, Comment, Converter, ReflectionKind } from 'typedoc'
import { PAGES, ROOT, SIDEBAR } from '../places.js'

const FOLDER = join(PAGES, 'api')

/** The entries in the order of the navigation, each with what it is for. */
const ENTRIES = {
  'strata-ecs':
    'The library: components, worlds, queries, relations, systems, saves, time travel. Start with World and Query.',
  'strata-ecs/kernel':
    'The functions of kernels in JavaScript, bit-identical: random numbers, noise, exact sines.',
  'strata-ecs/compile': 'Loops that compile themselves.',
  'strata-ecs/react': 'Hooks that show a world with React.',
  'strata-ecs/three': 'Draws a query with three.js: instances, points, and what a ray hits.',
  'strata-ecs/arrow': 'A query as an Apache Arrow table.',
  'strata-ecs/inspect':
    'Looks into a world without a page: entities by a filter, archetypes, memory, what loops cost.',
  'strata-ecs/inspector': 'An element of a page that shows a running world.',
  'strata-ecs/checked': 'The core with its asserts, to find mistakes.',
  'strata-ecs/workers': 'Runs kernels and compiled loops on several threads.',
  'strata-ecs/kernel-compiler': 'Compiles kernels in Node, for tools and other bundlers.',
  'strata-ecs/vite': 'Compiles kernels and loops in Vite.',
  'strata-ecs/rollup': 'The same plugin as strata-ecs/vite, for Rollup.',
}

/** The class whose methods are in groups, those of the cheat sheet. */
const GROUPED = 'World'
/** For methods that the cheat sheet does not name. */
const UNGROUPED = 'Other'

/** The module of types that signatures use and that are no names of the package. */
const UNNAMED = 'Types in signatures'

/** The declarations of every entry of the package, by the names that programs import. */
function declarations() {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  return new Map(
    Object.entries(exports)
      // The names of strata-ecs once more.
      .filter(([name, target]) => target.types !== undefined && name !== './slim')
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

/**
 * The heading of the cheat sheet below which each method is named first.
 *
 * @param text that of docs/cheat-sheet.md
 * @param methods the names of all of them
 * @returns a Map from method to heading
 */
export function groupsOfMethods(text, methods) {
  const groups = new Map()
  for (const section of text.split(/^## /m).slice(1)) {
    const heading = section.split('\n')[0]
    const code = [...section.matchAll(/`([^`]+)`/g)].map((match) => match[1])
    // A call of the world, or, after the first of several, its name alone.
    const named = code.flatMap((one) => [...one.matchAll(/\bworld\.(\w+)|^(\w+)$/g)].map((m) => m[1] ?? m[2]))
    for (const name of named) if (methods.includes(name) && !groups.has(name)) groups.set(name, heading)
  }
  return groups
}

/** Puts the methods of World below the headings of the cheat sheet. */
function groupMethods(app) {
  const sheet = readFileSync(join(ROOT, 'docs/cheat-sheet.md'), 'utf8')
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    // Names that are declared only to say where a call is.
    for (const { children } of project.getReflectionsByKind(ReflectionKind.Class))
      for (const member of [...(children ?? [])])
        if (member.comment?.hasModifier?.('@deprecated') || member.comment?.getTag('@deprecated'))
          project.removeReflection(member)
    const [world] = project.getReflectionsByKind(ReflectionKind.Class).filter(({ name }) => name === GROUPED)
    const members = world.children.filter(({ kind }) => kind !== ReflectionKind.Constructor)
    const groups = groupsOfMethods(
      sheet,
      members.map(({ name }) => name),
    )
    for (const member of members) {
      const group = [{ kind: 'text', text: groups.get(member.name) ?? UNGROUPED }]
      for (const described of member.signatures ?? [member]) {
        described.comment ??= new Comment()
        described.comment.blockTags.push(new CommentTag('@category', group))
      }
    }
  })
  const headings = [...sheet.matchAll(/^## (.*)$/gm)].map((match) => match[1])
  app.options.setValue('categoryOrder', [...headings, UNGROUPED])
}

/** The first page of the reference: what each entry is for. */
function firstPage(links) {
  const unlisted = links.filter(({ text }) => !Object.hasOwn(ENTRIES, text)).map(({ text }) => text)
  if (unlisted.length > 0)
    throw new Error(`packages/site/prepare/reference.js has no line for ${unlisted.join(', ')}.`)
  const lines = inOrder(links).map(({ text, link }) => `- [${text}](${link}): ${ENTRIES[text]}`)
  return `# API reference\n\nEvery name that the package exports, by the entry from which a program imports it. To find a call by what it does, see the [cheat sheet](/docs/cheat-sheet.md).\n\n${lines.join('\n')}\n`
}

const inOrder = (links) => {
  const order = Object.keys(ENTRIES)
  return links.toSorted((a, b) => order.indexOf(a.text) - order.indexOf(b.text))
}

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

/** Writes the first page. Returns the navigation of the reference: the entries, and what people call. */
function writeNavigation() {
  const [{ items: entries }] = groupsOf('index.md')
  writeFileSync(join(FOLDER, 'index.md'), firstPage(entries))
  return inOrder(entries).map(({ text, link }, place) => ({
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
  groupMethods(app)
  const project = await app.convert()
  if (project === undefined) throw new Error('TypeDoc could not read the declarations: see above.')
  for (const module of project.children) module.name = names.get(join(ROOT, 'dist', `${module.name}.d.ts`))
  project.name = 'API reference'
  app.validate(project)
  await app.generateOutputs(project)
  if (app.logger.hasErrors() || app.logger.hasWarnings())
    throw new Error('TypeDoc warns of what is above: the reference would have gaps.')
  leaveOutOfSearch()
  writeFileSync(SIDEBAR, JSON.stringify(writeNavigation()))
}
