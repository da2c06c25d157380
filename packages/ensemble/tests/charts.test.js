// Shows which charts there are of an ensemble, what each is called, and which groups it draws.

import { describe, expect, it } from 'vitest'
import { chartsOf, drawCharts, drawPicture } from '../src/charts.ts'
import { summarise } from '../src/summary.ts'
import { at, resultsOf } from './support/results.js'

describe('the charts', () => {
  const summary = summarise(resultsOf([at(1, [1, 2]), at(2, [2, 900]), at(3, [3, 4000])], { axis: 'day' }))

  it('show each column along the axis and over a parameter', () => {
    expect(chartsOf(summary).map(({ title }) => title)).toEqual(['x by day', 'x over r0'])
  })

  describe('of many groups', () => {
    const many = summarise(
      resultsOf(
        Array.from({ length: 9 }, (_, r0) => at(r0, [1, 2])),
        { axis: 'day' },
      ),
    )
    const namesOf = (choice) => chartsOf(many, choice)[0].names

    it('show six of them, and say so', async () => {
      expect(namesOf()).toHaveLength(6)
      expect((await drawCharts(many))[0].title).toBe('x by day (6 of 9 groups)')
    })

    it('show as many as requested, each with a style of its own', async () => {
      const [{ title, svg }] = await drawCharts(many, { most: 24 })
      expect(title).toBe('x by day')
      const styles = svg.match(/<path d="[^"]*" stroke="[^"]*" stroke-width="4"[^>]*>/g)
      expect(styles).toHaveLength(9)
      expect(new Set(styles.map((style) => style.replace(/ d="[^"]*"/, ''))).size).toBe(9)
    })

    it('show the requested values', async () => {
      expect(namesOf({ values: { r0: [7, 8] } })).toEqual(['r0 7', 'r0 8'])
      expect((await drawCharts(many, { values: { r0: [7, 8] } }))[0].title).toBe('x by day (2 of 9 groups)')
    })

    it.each([
      [{ most: 25 }, 'at most 24 groups, not 25'],
      [{ values: { place: ['Lima'] } }, `do not differ in 'place': they differ in r0`],
      [{ values: { r0: [70] } }, 'No group has these values: r0 70.'],
      [{ values: { r0: [8, 70, -1] } }, 'No group has these values: r0 70, r0 -1.'],
    ])('refuse %j', (choice, sentence) => {
      expect(() => chartsOf(many, choice)).toThrow(
        expect.objectContaining({ code: 'BAD_OPTION', message: expect.stringContaining(sentence) }),
      )
    })

    it('can be named without the part in parentheses, and with it', async () => {
      for (const title of ['x by day', 'x by day (6 of 9 groups)']) {
        expect(await drawPicture(many, [title])).toContain('x by day (6 of 9 groups)')
      }
    })
  })

  describe('of three parameters that vary', () => {
    const parameters = { beta: 0.2, gamma: 0.1, place: 'Lima' }
    const places = [
      'Lima',
      `a place whose name is so long that no legend <can> hold it ${'on and '.repeat(9)}`,
    ]
    const runs = [0.2, 0.3].flatMap((beta) =>
      [0.1, 0.2].flatMap((gamma) =>
        places.map((place) => ({ parameters: { beta, gamma, place }, values: [1, 2] })),
      ),
    )
    const summaryOf = (list) => summarise(resultsOf(list, { axis: 'day', parameters }))
    const sizeOf = (svg) => /width="(\d+)" height="(\d+)"/.exec(svg).slice(1).map(Number)

    it('are as wide as with one', async () => {
      const [wide] = await drawCharts(summaryOf(runs))
      const [plain] = await drawCharts(summary)
      expect(sizeOf(wide.svg)[0]).toBe(sizeOf(plain.svg)[0])
    })

    it('have a legend in columns below, if names are short', async () => {
      const [{ svg }] = await drawCharts(
        summaryOf(runs.filter(({ parameters: { place } }) => place === 'Lima')),
      )
      const places = [...svg.matchAll(/<text x="([\d.]+)" y="(\d+)">beta/g)].map(([, x, y]) => [x, y])
      expect(new Set(places.map(([x]) => x)).size).toBeGreaterThan(1)
      for (const [, y] of places) expect(Number(y)).toBeGreaterThan(300)
    })

    it('have names of any length, cut quickly', async () => {
      const long = ['a', 'b'].map((first) => ({ parameters: { beta: 1, gamma: 1, place: first.repeat(200_000) }, values: [1, 2] })) // prettier-ignore
      const [{ svg }] = await drawCharts(summaryOf(long))
      expect(svg).toContain(`<title>place ${'b'.repeat(200_000)}</title>`)
      expect(svg).toMatch(/<text [^>]*>place b{30,70}…<\/text>/)
    })

    it('have different lines for groups whose texts could be confused', async () => {
      const two = [
        { beta: 1, gamma: 1, place: 'a, beta 2' },
        { beta: 1, gamma: 1, place: 'a' },
      ].map((of) => ({ parameters: of, values: [1, 2] }))
      const [{ names }] = chartsOf(summaryOf(two))
      expect(names).toEqual(['place a', 'place "a, beta 2"'])
    })

    it('have names that are cut in their legend, and complete in a title', async () => {
      const [{ svg }] = await drawCharts(summaryOf(runs))
      expect(svg).toMatch(
        /<title>beta 0\.2, gamma 0\.1, place &#34;a place [^<]*&#60;can&#62; hold it [^<]*on and &#34;<\/title>/,
      )
      expect(svg).toMatch(/<text [^>]*>beta 0\.2, gamma 0\.1, place &#34;a place [^<]{1,40}…<\/text>/)
    })
  })

  it('mark a logarithmic axis', async () => {
    const titles = (svg) => svg.match(/>x[^<]*<\/text>/g)
    expect(titles((await drawCharts(summary))[0].svg)).toEqual(['>x (logarithmic)</text>'])
    const narrow = summarise(resultsOf([at(1, [1, 2]), at(2, [2, 3])], { axis: 'day' }))
    expect(titles((await drawCharts(narrow))[0].svg)).toEqual(['>x</text>'])
  })

  it('write numbers at their axes as they are', async () => {
    const fine = summarise(resultsOf([at(0.2, [1]), at(0.4, [2])], { axis: 'day' }))
    expect((await drawCharts(fine))[0].svg).toContain('>0.25</text>')
  })

  it('say which of them cannot be drawn', async () => {
    const noteOf = (values) => chartsOf(summarise(resultsOf([at(1, values)], { axis: 'day' })))[0].note ?? ''
    expect(noteOf([1, 2])).toBe('')
    expect(noteOf([1, -Infinity])).toBe('without infinite values')
    expect(noteOf([1, 1.7e308, Infinity])).toBe('without infinite values, without values beyond 1e+300')
    expect(noteOf([NaN, NaN])).toBe('nothing to draw')
    const places = resultsOf([{ parameters: {}, values: [1, Infinity, NaN].map((t) => ({ t, x: t })) }], {
      parameters: {},
      columns: { t: 'f64', x: 'f64' },
      axis: 't',
    })
    const [{ note, title }] = chartsOf(summarise(places))
    expect([title, note]).toEqual(['x by t', 'without rows whose t is no finite number'])
  })

  it('are refused as a picture if there are none', async () => {
    const none = summarise(resultsOf([at(1, [1])]))
    await expect(drawPicture(none)).rejects.toThrow('There is no chart to draw')
  })

  it('are in rows of three in a picture, under headings that fit', async () => {
    const columns = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name.repeat(90), 'f64']))
    const row = Object.fromEntries(Object.keys(columns).map((name) => [name, 1]))
    const results = resultsOf([{ parameters: {}, values: [row, row] }], { parameters: {}, columns })
    const picture = await drawPicture(summarise(results))
    expect(picture).toMatch(/^<svg [^>]*width="1548" height="692"/)
    expect(picture).toContain(`<title>${'d'.repeat(90)} by row</title>${'d'.repeat(40)}`)
    expect(picture).toMatch(/<\/title>d+…<\/text>/)
  })

  it('leave out values that are infinite, and say so', async () => {
    const endless = summarise(resultsOf([at(1, [1, Infinity]), at(2, [NaN, 3])], { axis: 'day' }))
    const [{ title, svg }] = await drawCharts(endless)
    expect(title).toBe('x by day (without infinite values)')
    expect(svg).not.toMatch(/NaN|Infinity/)
  })

  it('are pictures that use the colours of the page', async () => {
    for (const { svg } of await drawCharts(summary)) {
      expect(svg).toMatch(/^<svg .*<\/svg>$/s)
      expect(svg).toContain('var(--quiet)')
      expect(svg).not.toMatch(/#0[123]0[123]0[123]|NaN|undefined/)
    }
  })

  it('can be chosen for a picture by their titles', async () => {
    const picture = await drawPicture(summary, ['x over r0'])
    expect(picture).toContain('prefers-color-scheme:dark')
    expect(picture).not.toContain('x by day')
    await expect(drawPicture(summary, ['x over r9'])).rejects.toThrow(`there are 'x by day', 'x over r0'`)
  })
})
