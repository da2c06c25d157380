// Shows what becomes of a Markdown file on the site: its place in the navigation, where its links lead, and which of its programs
// are live.

import { describe, expect, it } from 'vitest'
import { FILES, GUIDES, placeOf, sections, sectionsOf, titleOf } from '../pages.js'
import { linkOnSite, sourcePage, sourcesOf } from '../prepare/links.js'
import { onSite } from '../prepare/demos.js'
import { liveProgram, withLivePrograms } from '../prepare/programs.js'
import { groupsOfMethods } from '../prepare/reference.js'
import { withSearchOptions } from '../prepare/searchBox.js'
import { searchOptions } from '../search.js'
import { blocksOf } from '../../../scripts/programs.js'

describe('the navigation', () => {
  const map = `# Documentation

[An introduction](second.md) is no part of the lists.

## Start

- [One](first.md): and [behind it](second.md#heading)
- [Elsewhere](../README.md)

## Reference

- [Three](third.md)
`

  it('has the guides in the order of the map, below its headings', () => {
    expect(sectionsOf(map, ['docs/third.md', 'docs/second.md', 'docs/first.md'])).toEqual([
      { text: 'Start', files: ['docs/first.md', 'docs/second.md'] },
      { text: 'Reference', files: ['docs/third.md'] },
    ])
  })

  it('has a guide that the map leaves out at its end', () => {
    const guides = ['docs/README.md', 'docs/first.md', 'docs/new.md', 'docs/second.md', 'docs/third.md']
    expect(sectionsOf(map, guides).at(-1)).toEqual({ text: 'More', files: ['docs/new.md'] })
  })

  it('has every guide once, by its own heading', () => {
    const named = sections().flatMap(({ files }) => files)
    expect(named.toSorted()).toEqual(GUIDES.filter((file) => file !== 'docs/README.md').toSorted())
    expect(titleOf('docs/in-a-loop.md')).toBe('What is allowed in a loop')
  })
})

describe('a link', () => {
  it.each([
    ['queries.md#terms', 'docs/changes.md', '/docs/queries.md#terms'],
    ['README.md', 'docs/changes.md', '/docs/index.md'],
    ['../README.md', 'docs/changes.md', '/'],
    ['../examples/swarm/README.md', 'docs/changes.md', '/examples/swarm/index.md'],
    ['../examples/swarm', 'docs/changes.md', '/examples/swarm/index.md'],
    ['docs/errors.md', 'README.md', '/docs/errors.md'],
    ['LICENSE', 'README.md', '/source/LICENSE.md'],
    ['../bindings/index.ts', 'docs/changes.md', '/source/bindings/index.ts.md'],
    ['#terms', 'docs/queries.md', '#terms'],
    ['https://example.org/', 'docs/queries.md', 'https://example.org/'],
  ])('%s of %s leads to %s', (target, from, address) => {
    expect(linkOnSite(target, from)).toBe(address)
  })

  it('to a missing page fails the build', () => {
    expect(() => linkOnSite('nowhere.md', 'docs/queries.md')).toThrow(
      'docs/queries.md links to nowhere.md, which is not there.',
    )
  })

  it('to a file that is not a page has a page that shows its text, a folder one that lists it', () => {
    const text =
      'See [it](../scripts/anchors.js), [them](../bindings), [that](queries.md) and ![no](images/swarm.jpg).'
    expect(sourcesOf(text, 'docs/changes.md')).toEqual(['scripts/anchors.js', 'bindings'])
    const [place, shown] = sourcePage('scripts/anchors.js')
    expect(place).toBe('source/scripts/anchors.js.md')
    expect(shown).toContain('export const anchorOf')
    expect(sourcePage('bindings')[1]).toContain('index.ts')
  })

  it('in a fenced block or in a program is not one', () => {
    const text = '```js run\nconst [a](nowhere.md) = 1\n```\n\nalso `[b](nowhere.md)`\n'
    expect(sourcesOf(text, 'docs/changes.md')).toEqual([])
  })
})

describe('a file of the repository', () => {
  it('has the same place on the site; a README is the index of its folder', () => {
    expect(FILES).toContain('packages/ensemble/README.md')
    expect(placeOf('docs/queries.md')).toBe('docs/queries.md')
    expect(placeOf('examples/orrery/README.md')).toBe('examples/orrery/index.md')
    expect(placeOf('README.md')).toBe('index.md')
  })
})

describe('a demo', () => {
  it('leads back to the site, by its own link or by an added one', () => {
    expect(onSite('<body><a href="./README.md">strata-ecs</a></body>')).toBe(
      '<body><a href="../../index.html">strata-ecs</a></body>',
    )
    expect(onSite('<body></body>')).toMatch(
      /^<body><a href="..\/..\/index.html"[^>]*>← strata-ecs<\/a><\/body>$/,
    )
  })
})

describe('the reference', () => {
  it('has the methods of World in the groups of the cheat sheet, each where it is first named', () => {
    const sheet =
      '# Sheet\n\n## Declare\n\n`get(…)`\n\n## Read\n\n`world.get(a)`, `has`\n\n## Find\n\n`const q = world.query(A)`, `world.get`'
    expect([...groupsOfMethods(sheet, ['get', 'has', 'query', 'save'])]).toEqual([
      ['get', 'Read'],
      ['has', 'Read'],
      ['query', 'Find'],
    ])
  })
})

describe('the search', () => {
  it('looks for whole words, and ignores small ones', () => {
    expect('Delete an entity'.split(' ').map(searchOptions.processTerm)).toEqual(['delete', null, 'entity'])
  })

  it('prefers guides to the reference, and the reference to pages for contributors', () => {
    const weights = [
      '/docs/entities.html#ids',
      '/api/strata-ecs/classes/World.html#add',
      '/CONTRIBUTING.html',
    ].map((id) => searchOptions.boostDocument(`/base${id}`))
    expect(weights).toEqual(weights.toSorted((a, b) => b - a))
    expect(new Set(weights).size).toBe(3)
  })

  it('fails to build with a box that does not take its options', () => {
    expect(() => withSearchOptions('<script setup>const box = 1</script>')).toThrow(
      'packages/site/prepare/searchBox.js',
    )
  })
})

describe('a program', () => {
  const page = `\`\`\`ts run
import { f32 } from 'strata-ecs'
const n: number = 1
console.log(n) // 1
\`\`\`

Then:

\`\`\`ts continued
console.log(n + 1, "<&>") // 2 <&>
\`\`\`

\`\`\`ts fragment
n.nothing
\`\`\`
`
  const [first, second] = blocksOf(page)

  it('is passed to the page without types, with what it prints', () => {
    const program = liveProgram(first, 'docs/some.md', ['strata-ecs'])
    expect(program).toMatchObject({ name: 'docs/some.md:1', expected: ['1'], skipped: 0, absent: [] })
    expect(program.script).toContain('const n = 1')
  })

  it('that continues another runs after it, and shows its own lines', () => {
    const program = liveProgram(second, 'docs/some.md', ['strata-ecs'])
    expect(program).toMatchObject({ expected: ['2 <&>'], skipped: 1 })
    expect(program.before).toContain('const n: number = 1')
    expect(program.script).toContain('n + 1')
  })

  it('names its imports that the site does not serve', () => {
    const [block] = blocksOf("```js run\nimport assert from 'node:assert'\nawait import('left-pad')\n```\n")
    expect(liveProgram(block, 'docs/some.md', ['strata-ecs']).absent).toEqual(['node:assert', 'left-pad'])
  })

  it('is wrapped with what it needs in an attribute that HTML can read; a fragment is not', () => {
    const { text, programs } = withLivePrograms(page, 'docs/some.md', ['strata-ecs'])
    expect(programs).toHaveLength(2)
    expect(text.match(/<LiveProgram :program="[^"<]*">\n\n```ts\n/g)).toHaveLength(2)
    expect(text).toContain('\n```ts\nn.nothing\n```\n')
    const attribute = /:program="([^"]*)"/g
    const read = [...text.matchAll(attribute)].map(([, value]) =>
      JSON.parse(value.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&')),
    )
    expect(read[1]).toEqual(JSON.parse(JSON.stringify(programs[1])))
  })
})
