// Owns how VitePress makes the site: navigation, search, Markdown, the head of every page. It must never name a guide: the
// navigation comes from docs/README.md.

import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { defineConfig } from 'vitepress'
import { anchorOf } from '../../../scripts/anchors.js'
import { DEMOS, EXAMPLES, FILES, PROJECT, addressOfDemo, placeOf, sections, titleOf } from '../pages.js'
import { BASE, CACHE, MODULES, PAGES, ROOT, SIDEBAR, SITE } from '../places.js'
import { withScriptsInFiles } from '../prepare/inlineScripts.js'
import { linkOnSite } from '../prepare/links.js'
import { searchBox } from '../prepare/searchBox.js'

const { description } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

const item = (file) => ({ text: titleOf(file), link: `/${placeOf(file)}` })

/** Pages that are no Markdown: VitePress must leave their links to the browser. */
const demos = Object.entries(DEMOS).map(([name, text]) => ({
  text,
  link: addressOfDemo(name),
  target: '_self',
}))

const guides = sections().map(({ text, files }, place) => ({
  text,
  collapsed: place > 1,
  items: files.map(item),
}))

const sidebar = [
  ...guides,
  { text: 'Examples', collapsed: true, items: EXAMPLES.map(item) },
  {
    text: 'Project',
    collapsed: true,
    items: PROJECT.map(item),
  },
]

/** The file of the repository that a page was made of. */
const fileAt = (page) => ['README.md', ...FILES].find((file) => placeOf(file) === page)

/** Links lead where they lead in the repository. */
function linksOnSite(markdown) {
  markdown.core.ruler.push('links_on_site', ({ tokens, env }) => {
    const file = fileAt(env.relativePath ?? relative(PAGES, env.path ?? ''))
    if (file === undefined) return
    for (const link of tokens.flatMap(({ children }) => children ?? []).filter(isLink)) {
      link.attrSet('href', linkOnSite(link.attrGet('href'), file))
    }
  })
}

const isLink = ({ type }) => type === 'link_open'

/** A picture below the first screen is loaded when it comes near. */
function lazyPictures(markdown) {
  const before = markdown.renderer.rules.image
  markdown.renderer.rules.image = (tokens, i, ...rest) => {
    tokens[i].attrSet('loading', 'lazy')
    return before(tokens, i, ...rest)
  }
}

export default defineConfig({
  title: 'strata-ecs',
  description,
  lang: 'en',
  base: BASE,
  srcDir: PAGES,
  srcExclude: ['public/**'],
  outDir: SITE,
  cacheDir: CACHE,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  metaChunk: true,
  transformHtml: withScriptsInFiles,
  // What is behind a link is loaded when it is followed: a first visit costs what it shows.
  router: { prefetchLinks: false },
  markdown: {
    anchor: { slugify: anchorOf },
    config(markdown) {
      linksOnSite(markdown)
      lazyPictures(markdown)
    },
  },
  vite: {
    define: { __MODULES__: readFileSync(MODULES, 'utf8') },
    worker: { format: 'es' },
    plugins: [searchBox],
    build: { chunkSizeWarningLimit: 2000 },
  },
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/docs/first-world.html', activeMatch: '^/docs/(?!cheat-sheet)' },
      { text: 'Cheat sheet', link: '/docs/cheat-sheet.html' },
      { text: 'API', link: '/api/index.html', activeMatch: '^/api/' },
      { text: 'Demos', items: demos },
    ],
    sidebar: { '/': sidebar, '/api/': JSON.parse(readFileSync(SIDEBAR, 'utf8')) },
    outline: [2, 3],
    search: { provider: 'local' },
    footer: { message: 'MIT licensed. Every program on these pages is run by the tests.' },
  },
})
