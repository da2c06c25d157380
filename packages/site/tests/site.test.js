// Shows that the documentation's site works in a real browser: every program prints what the tests expect, can be edited and
// cannot freeze the page, nothing is asked of another host, and no link is dead.

import { readFileSync, readdirSync, existsSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withoutBrowser } from '../../../scripts/browser-tests.js'
import { promisedOutput } from '../../../scripts/programs.js'
import { sections } from '../pages.js'
import { SITE } from '../places.js'
import { TIME_LIMIT } from '../live/run.js'
import { runnable } from '../../../tests/support/documentation.js'
import { buildSite, liveProgram, visitSite } from './support/site.js'
import { isDriversRemark } from '../../../tests/support/swarmPage.js'

const FIRST_LOAD_BYTES = 150_000

/** For tests that open a page. The others look at files, and need none. */
const inBrowser = it.skipIf(withoutBrowser)

let site

beforeAll(async () => {
  await buildSite()
  if (!withoutBrowser) site = await visitSite()
})
afterAll(() => site?.close())

const addressOf = (file) => file.replace(/(^|\/)README\.md$/, '$1index.html').replace(/\.md$/, '.html')

/** The programs by the files that they are in, each with the name that it has on the page. */
const programsByFile = [...new Set(runnable.map(({ page }) => page))].map((file) => [
  file,
  runnable
    .filter(({ page }) => page === file)
    .map((program) => ({ ...program, name: `${file}:${program.line}` })),
])

const expectedOf = ({ before, code }) => promisedOutput(code).slice(promisedOutput(before).length)

const needsNode = ({ code }) => /from 'node:/.test(code)

/** The limit of runs never comes by itself: a slow machine may take its time. `expire()` in the page makes it come. */
const withoutClock = (page) =>
  page.addInitScript((limit) => {
    const { setTimeout } = globalThis
    let atLimit
    globalThis.setTimeout = (action, delay, ...rest) => {
      if (delay !== limit) return setTimeout(action, delay, ...rest)
      atLimit = action
      return 0
    }
    globalThis.expire = () => atLimit()
  }, TIME_LIMIT)

describe('the live programs', () => {
  inBrowser.each(programsByFile)(
    'of %s print what the tests expect, as they stand and edited',
    async (file, programs) => {
      const { page, complaints, close } = await site.open(addressOf(file), {}, withoutClock)
      for (const program of programs) {
        const live = liveProgram(page, program.name)
        if (needsNode(program)) {
          expect(await live.block.getByText('Does not run on this page').isVisible()).toBe(true)
          expect(await live.block.getByRole('button', { name: 'Run' }).count()).toBe(0)
          continue
        }
        const wanted = expectedOf(program)
        const asItStands = await live.run()
        expect(asItStands).toEqual({
          output: wanted,
          expected: wanted,
          said: 'Prints what the tests expect.',
        })
        await live.edit('\n')
        expect(await live.run()).toEqual(asItStands)
        // One editor is enough for a page.
        await live.block.getByRole('button', { name: 'Reset' }).click()
      }
      expect(complaints).toEqual([])
      await close()
    },
  )

  it('are all on the site', () => {
    expect(runnable.length).toBeGreaterThan(90)
    expect(runnable.filter(needsNode).length).toBeLessThan(5)
  })
})

describe('the first program', () => {
  const [first] = runnable
  const name = `${first.page}:${first.line}`
  const openFirst = async () => {
    const opened = await site.open('', {}, withoutClock)
    return { ...opened, live: liveProgram(opened.page, name) }
  }

  inBrowser('can be edited, by keyboard alone, and prints what the editor says', async () => {
    const { page, live, complaints, requests, close } = await openFirst()
    await live.block.getByRole('button', { name: 'Edit' }).focus()
    expect(requests.filter((address) => /editor|worker/.test(address))).toEqual([])
    await page.keyboard.press('Enter')
    await live.block.getByRole('textbox').waitFor()
    await page.keyboard.press('Control+Home')
    await page.keyboard.insertText("const greeting: string = 'hello'\nconsole.log(greeting)\n")
    await page.keyboard.press('Control+Enter')
    const edited = await live.shown()
    expect(edited.output).toEqual(['hello', ...expectedOf(first)])
    expect(edited.said).toBe('Prints something other than the original.')
    await page.keyboard.press('Escape')
    expect(await page.evaluate(() => document.activeElement.textContent.trim())).toBe('Run')
    await page.keyboard.press('Enter')
    expect((await live.shown()).output).toEqual(edited.output)
    await live.block.getByRole('button', { name: 'Reset' }).click()
    expect((await live.run()).output).toEqual(expectedOf(first))
    expect(complaints).toEqual([])
    await close()
  })

  inBrowser('says which line an error comes from, and what can be imported', async () => {
    const { live, complaints, close } = await openFirst()
    await live.edit("throw new TypeError('too hot')\n")
    expect(await live.run()).toMatchObject({
      output: ['TypeError: too hot (line 1)'],
      said: 'An error ended it.',
    })
    await live.block.getByRole('button', { name: 'Reset' }).click()
    await live.edit("import 'left-pad'\n")
    expect((await live.run()).output[0]).toMatch(
      /^Error: There is no 'left-pad' here\. A program can import: strata-ecs, /,
    )
    await live.block.getByRole('button', { name: 'Reset' }).click()
    await live.edit('const = 5\n')
    expect((await live.run()).output[0]).toMatch(/^SyntaxError: .*\(line 1\)$/)
    expect(complaints).toEqual([])
    await close()
  })

  inBrowser('shows tables, groups and promises that are rejected, also after its end', async () => {
    const { live, complaints, close } = await openFirst()
    await live.edit(
      "console.table([{ x: 1, y: 'a' }, { x: 2 }])\nconsole.group('in')\nconsole.dir({ z: 3 })\nconsole.groupEnd()\n",
    )
    expect((await live.run()).output.slice(0, 8)).toEqual([
      '┌─────────┬───┬─────┐',
      '│ (index) │ x │  y  │',
      '├─────────┼───┼─────┤',
      "│    0    │ 1 │ 'a' │",
      '│    1    │ 2 │     │',
      '└─────────┴───┴─────┘',
      'in',
      '  { z: 3 }',
    ])
    await live.block.getByRole('button', { name: 'Reset' }).click()
    await live.edit("void Promise.reject(new RangeError('left alone'))\n")
    const { output, said } = await live.run()
    expect(output.at(-1)).toBe('RangeError: left alone (line 1)')
    expect(said).toBe('An error ended it.')
    await live.block.getByRole('button', { name: 'Reset' }).click()
    await live.edit("setTimeout(() => void Promise.reject(new RangeError('late')), 200)\n")
    await live.run()
    await live.block.getByText('RangeError: late').waitFor()
    expect(await live.block.getByRole('status').textContent()).toBe('An error ended it.')
    expect(complaints).toEqual([])
    await close()
  })

  inBrowser('is stopped when it never ends: the page stays awake and says why', async () => {
    const { page, live, complaints, close } = await openFirst()
    await live.edit("for (let i = 0; ; i++) if (i < 3000) console.log('again')\n")
    await live.block.getByRole('button', { name: 'Run' }).click()
    await page.waitForFunction(() => document.querySelectorAll('.live-output span').length === 1000)
    expect(await live.block.getByRole('button', { name: 'Stop' }).isVisible()).toBe(true)
    await page.evaluate(() => globalThis.expire())
    const { output, said } = await live.shown()
    expect(said).toBe('Stopped after 5 seconds: is there a loop that never ends?')
    expect(output.at(-1)).toBe('Only the first 999 lines are shown.')
    expect(await live.block.getByRole('button', { name: 'Run' }).isVisible()).toBe(true)
    expect(complaints).toEqual([])
    await close()
  })
})

/** Searches for words; returns the results. */
async function search(page, words) {
  await page.keyboard.press('/')
  await page.locator('#localsearch-input').fill(words)
  const found = page.locator('.VPLocalSearchBox .result')
  await found.first().waitFor()
  return found
}

/** All files of the built site. */
const filesOfSite = () =>
  readdirSync(SITE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.normalize(join(entry.parentPath ?? entry.path, entry.name).replaceAll('\\', '/')))

describe('the pages', () => {
  it('have no dead link, to a page or to a heading', () => {
    const pages = new Map(
      filesOfSite()
        .filter((file) => file.endsWith('.html'))
        .map((file) => [file, readFileSync(file, 'utf8')]),
    )
    const dead = []
    let seen = 0
    const hasHeading = (file, anchor) => pages.get(file)?.includes(`id="${anchor}"`)
    for (const [file, text] of pages)
      for (const [, , target] of text.matchAll(
        /<(?:a|link|script|img|iframe)\b[^>]*? (href|src)="([^"]+)"/g,
      )) {
        if (/^[a-z]+:/.test(target)) continue
        seen += 1
        const [path, anchor] = decodeURI(target.replaceAll('&amp;', '&')).split('#')
        const plain = path.split('?')[0]
        let goal = plain === '' ? file : posix.join(plain.startsWith('/') ? SITE : dirname(file), plain)
        if (goal.endsWith('/')) goal += 'index.html'
        if (
          !existsSync(goal) ||
          (anchor && pages.has(goal) && !goal.includes('/demos/') && !hasHeading(goal, anchor))
        )
          dead.push(`${file.slice(SITE.length)}: ${target}`)
      }
    expect(pages.size).toBeGreaterThan(60)
    expect(seen).toBeGreaterThan(5000)
    expect(dead).toEqual([])
  })

  inBrowser('are in the navigation in the order of the map of the documentation', async () => {
    const { page, complaints, close } = await site.open('docs/first-world.html')
    const shown = await page.$$eval('.VPSidebar a', (links) => links.map((link) => link.pathname))
    const guides = sections().flatMap(({ files }) => files.map((file) => `/${addressOf(file)}`))
    expect(shown.slice(0, guides.length)).toEqual(guides)
    await page.locator('.VPSidebar').getByRole('link', { name: 'Thinking in archetypes' }).click()
    await page.waitForURL('**/docs/archetypes.html')
    await page.getByRole('heading', { level: 1, name: 'Thinking in archetypes' }).waitFor()
    expect(complaints).toEqual([])
    await close()
  })

  inBrowser('cost little when the site is opened first', async () => {
    const { page, requests, close } = await site.open('')
    await page.waitForLoadState('networkidle')
    const bytes = requests.map((address) => {
      const path = new URL(address).pathname
      const file = join(SITE, path.endsWith('/') ? `${path}index.html` : path)
      return gzipSync(readFileSync(file), { level: 9 }).length
    })
    expect(requests.length).toBeGreaterThan(5)
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(FIRST_LOAD_BYTES)
    await close()
  })

  inBrowser('are found by the words in them', async () => {
    const { page, complaints, close } = await site.open('docs/installing.html')
    const found = await search(page, 'DUPLICATE_NAME')
    expect((await found.allTextContents()).join()).toContain('DUPLICATE_NAME')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/*.html#*')
    expect(complaints).toEqual([])
    await close()
  })

  inBrowser.each([
    ['delete an entity', /^\/docs\/(?:entities|changes|relations|cheat-sheet)\.html/],
    ['undo', /^\/docs\/time-travel\.html#undo/],
    ['network', /^\/docs\/rollback\.html/],
    ['spawn', /^\/docs\//],
  ])('are found by what people call things elsewhere, guides first: %s', async (words, first) => {
    const { page, complaints, close } = await site.open('docs/installing.html')
    const found = await search(page, words)
    const addresses = await found.evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expect(addresses[0]).toMatch(first)
    expect(addresses.slice(0, 3).filter((address) => /^\/(?:api|CONTRIBUTING)/.test(address))).toEqual([])
    expect(complaints).toEqual([])
    await close()
  })

  inBrowser(
    'of the reference begin with a line for each entry, the library first, and World has groups',
    async () => {
      const { page, complaints, close } = await site.open('api/index.html')
      const lines = await page.locator('.vp-doc li').allTextContents()
      expect(lines[0]).toMatch(/^strata-ecs: The library/)
      for (const line of lines) expect(line).toMatch(/^strata-ecs[\w/-]*: .{20,}\.$/)
      await page.goto(`${site.address}api/strata-ecs/classes/World.html`)
      const headings = await page.locator('.vp-doc h2').evaluateAll((all) => all.map((one) => one.id))
      expect(headings).toContain('make-and-change-entities')
      expect(headings).not.toContain('other')
      const group = await page.locator('.vp-doc h2, .vp-doc h3').evaluateAll((all) => {
        const at = all.findIndex(({ id }) => id === 'resource')
        return all.slice(0, at).findLast(({ tagName }) => tagName === 'H2').id
      })
      expect(group).toBe('resources-and-texts')
      expect(complaints).toEqual([])
      await close()
    },
  )

  inBrowser.each([
    '',
    'docs/first-world.html',
    'docs/benchmarks.html',
    'docs/errors.html',
    'api/strata-ecs/classes/World.html',
  ])('fit a telephone: /%s', async (path) => {
    const { page, complaints, close } = await site.open(path, { viewport: { width: 390, height: 844 } })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    expect(complaints).toEqual([])
    await close()
  })

  it('describe every name that the library exports', async () => {
    const folders = ['functions', 'classes', 'variables'].map((name) => join(SITE, 'api/strata-ecs', name))
    const described = folders
      .flatMap((folder) => readdirSync(folder))
      .map((file) => file.replace('.html', ''))
    const exported = Object.keys(await import('../../../dist/index.js'))
    expect(exported.length).toBeGreaterThan(50)
    expect(exported.filter((name) => !described.includes(name))).toEqual([])
  })
})

describe('the demos', () => {
  /** What tells that a demo runs. */
  const begun = {
    'The swarm': () => globalThis.demo?.swarm.world.stats().entities > 1000,
    'The orrery': () => globalThis.demo?.frames > 1,
    Rollback: () => globalThis.demo !== undefined,
    'A panel of React': () => document.querySelectorAll('main li').length > 0,
    '40,000 bodies with three.js': () =>
      Number(document.querySelector('#count')?.textContent.replace(',', '')) > 1000,
    'Benchmark in your browser': () => document.querySelector('#start:enabled') !== null,
  }

  inBrowser.each(Object.keys(begun))(
    'run inside of the site, reached from its navigation: %s',
    async (name) => {
      const { page, complaints, close } = await site.open('docs/first-world.html')
      await page.locator('.VPNav').getByRole('button', { name: 'Demos' }).hover()
      await page.locator('.VPNav').getByRole('link', { name }).click()
      await page.waitForURL('**/demos/**')
      await page.waitForFunction(begun[name])
      expect(complaints).toEqual([])
      const [back] = await page.$$eval('a[href*="../../"]', (links) => links.map((link) => link.pathname))
      expect(back).toMatch(/^\/(?:docs\/rollback|index)\.html$/)
      await close()
    },
  )
})

describe('a stranger', () => {
  inBrowser(
    'edits the first program, opens the swarm, finds its hottest agent, goes ten seconds back with it, and on from there',
    async () => {
      const { page, complaints, close } = await site.open('', {}, withoutClock)
      const [first] = runnable
      const live = liveProgram(page, `${first.page}:${first.line}`)
      await live.run()
      await live.edit("console.log('mine')\n")
      expect((await live.run()).output).toEqual(['mine', ...expectedOf(first)])

      await page.locator('.VPNav').getByRole('button', { name: 'Demos' }).hover()
      await page.locator('.VPNav').getByRole('link', { name: 'The swarm' }).click()
      await page.waitForURL('**/demos/swarm/**')
      // A small one, for a machine without a graphics card; its frames come as fast as they are made.
      await page.goto(`${page.url()}?prey=1500&seed=3&paused`)
      await page.waitForFunction(() => globalThis.demo?.frames.count > 0)
      const present = await page.evaluate(() => {
        demo.frames.stop()
        for (let i = 0; i < 700; i++) demo.past.step()
        return demo.swarm.tick
      })

      await page.focus('#view')
      await page.keyboard.press('i')
      const filter = page.getByLabel('Filter', { exact: true })
      await filter.fill('Prey & !Burning order by Prey.heat desc')
      await filter.press('Enter')
      const row = page.locator('strata-inspector .row').first()
      await row.filter({ hasText: 'Prey.heat' }).click()
      await page.getByRole('button', { name: 'Follow' }).click()
      await page.getByText(`Following ${await row.locator('.handle').textContent()}`).waitFor()

      await page.getByRole('slider', { name: 'Moment' }).press('Home')
      const then = await page.evaluate(() => {
        while (demo.past.isUnderway) demo.frames.advance((demo.latest = performance.now()))
        return demo.swarm.tick
      })
      expect(then).toBe(present - 640)
      const time = page.getByRole('region', { name: 'Time' })
      await time.getByText('10.0 s ago').waitFor()
      await time.getByRole('button', { name: 'Go on from here' }).click()
      const after = await page.evaluate(() => {
        demo.past.step()
        return [demo.swarm.tick, demo.frames.paused, demo.past.isBehind]
      })
      expect(after).toEqual([then + 1, false, false])
      expect(complaints.filter((said) => !isDriversRemark(said))).toEqual([])
      await close()
    },
  )
})
