// Shows that people find a guide by their own word for what it is about, in the search of the site.

import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { FILES, GUIDES, read } from '../pages.js'
import { searchOptions } from '../search.js'

// VitePress brings it, and its search box uses it.
const MiniSearch = createRequire(
  createRequire(new URL('../package.json', import.meta.url)).resolve('vitepress/package.json'),
)('minisearch')

/** A page in sections, as the search of VitePress keeps them: each with its heading, and the headings above it. */
function sectionsOf(file) {
  const above = []
  return read(file)
    .split(/^(?=#{1,6} )/m)
    .filter((part) => part.startsWith('#'))
    .map((part, place) => {
      const [, marks, title] = /^(#+) (.*)/.exec(part)
      above.length = marks.length - 1
      const titles = above.filter(Boolean)
      above[marks.length - 1] = title
      return {
        id: `/${file.replace(/\.md$/, '.html')}#${place}`,
        title,
        titles,
        text: part.replace(/^.*\n/, ''),
      }
    })
}

const index = new MiniSearch({
  fields: ['title', 'titles', 'text'],
  storeFields: ['title', 'titles'],
  searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 }, ...searchOptions },
})
index.addAll(FILES.filter((file) => file !== 'docs/README.md').flatMap(sectionsOf))

/** The first pages that a search shows. */
const found = (words) => [
  ...new Set(index.search(words).map(({ id }) => id.replace(/^\/(?:docs\/)?(.*)\.html#.*/, '$1'))),
]

describe('every guide', () => {
  it.each(GUIDES.filter((file) => file !== 'docs/README.md'))(
    'has one line of synonyms, above its first section: %s',
    (file) => {
      const lines = read(file).match(/^_Other words: .+\._$/gm) ?? []
      expect(lines.length).toBe(1)
      expect(sectionsOf(file)[0].text).toContain(lines[0])
    },
  )
})

describe('the search', () => {
  it.each([
    ['blueprint', 'queries'],
    ['collision', 'recipes'],
    ['delete an entity', 'entities'],
    ['delta time', 'systems'],
    ['devtools', 'inspector'],
    ['game loop', 'systems'],
    ['global state', 'resources'],
    ['GPU', 'three'],
    ['hierarchy', 'relations'],
    ['hot reload', 'recipes'],
    ['jest', 'testing'],
    ['multiplayer', 'rollback'],
    ['netcode', 'rollback'],
    ['network', 'rollback'],
    ['observer', 'events'],
    ['pause', 'systems'],
    ['prefab', 'queries'],
    ['save game', 'saving'],
    ['serialize', 'saving'],
    ['singleton', 'resources'],
    ['spatial hash', 'recipes'],
    ['states', 'recipes'],
    ['string', 'storages'],
    ['thread', 'testing'],
    ['tick', 'systems'],
    ['undo', 'time-travel'],
    ['SIMD', 'kernels'],
    ['template', 'entities'],
    ['trait', 'coming-from'],
    ['z-index', 'order'],
  ])('leads from %s to the page of %s, among the first three', (words, page) => {
    expect(found(words).slice(0, 3)).toContain(page)
  })
})
