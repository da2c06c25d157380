// Owns how a chart is drawn: its colours and dashes, its legend below it, and several charts as one picture. A chart is as
// wide as every other, whatever its groups are called and however many there are.

import * as vega from 'vega'
import { type TopLevelSpec, compile } from 'vega-lite'
import type { Panel } from './panel.js'

/** Colours of groups, to be told apart by people who see colours differently, on white and on black (after Okabe and Ito). */
const COLOURS: readonly string[] = ['#2f86d1', '#e07a1f', '#1f9e77', '#c2569b', '#8a63d2', '#a8912a']

/** The colours are gone through once with each of these: whole lines first. */
const DASHES: readonly number[][] = [[], [6, 3], [2, 3], [8, 3, 2, 3]]

/** How many groups can be told apart. */
export const STYLES: number = COLOURS.length * DASHES.length

/** How a group is drawn. */
interface Style {
  colour: string
  dash: number[]
}

/** The colour of a group by its place in the chart, and the lengths of its dashes and gaps. */
export const styleOf = (group: number): Style => ({
  colour: COLOURS[group % COLOURS.length]!,
  dash: DASHES[Math.floor(group / COLOURS.length) % DASHES.length]!,
})

/** Vega looks texts up as members of an object, where it finds one for `constructor`. It is taken out of the picture again. */
export const NO_MEMBER: string = '\u2060'

/** Stand-ins for the colours of text and of lines: the picture takes those of the page that it is in. */
const STAND_INS = { '#010101': 'var(--text)', '#020202': 'var(--quiet)', '#030303': 'var(--line)' }
const [, QUIET = '', LINE = ''] = Object.keys(STAND_INS)

const FONT = 'system-ui, "Segoe UI", "Helvetica Neue", Arial, "DejaVu Sans", sans-serif'
const WIDTH = 500
const HEIGHT = 300
const PADDING = 12

const SAMPLE = 22
const COLUMN_GAP = 16
const LEGEND_LINE = 20
const ELLIPSIS = 12

/** How many charts a picture has side by side. */
const CHARTS_ABREAST = 3
/** How much wider the letters of a heading are than those of the legend. */
const HEADING_WIDTH = 1.25

const LOOK = {
  font: FONT,
  background: null,
  view: { stroke: null },
  axis: {
    labelColor: QUIET,
    titleColor: QUIET,
    gridColor: LINE,
    domainColor: LINE,
    tickColor: LINE,
    labelFontSize: 12,
    // A number that is cut is another number.
    labelLimit: 0,
    titleFontSize: 12,
    titleFontWeight: 'normal',
    // As the picture is high, for letters that Vega takes for wider than they are.
    titleLimit: 330,
  },
}

/** A chart that is drawn. */
export interface Drawing {
  svg: string
  width: number
  height: number
}

/** A chart with its legend, if there are several groups. */
export async function drawChart({ names, panel }: { names: string[]; panel: Panel }): Promise<Drawing> {
  const plot = await drawPanel(panel)
  const legend = legendOf(names.length > 1 ? names : [])
  const height = HEIGHT + legend.height
  return { svg: svgOf(WIDTH, height, `${plot}${legend.svg}`), width: WIDTH, height }
}

/** Charts in rows, each below its heading, with colours of its own, for light and for dark. */
export function pictureOf(charts: readonly (Drawing & { heading: string })[]): string {
  const [gap, head] = [24, 34] as const
  const columns = Math.min(charts.length, CHARTS_ABREAST)
  const width = columns * (WIDTH + gap) - gap
  let top = 0
  const placed: string[] = []
  for (let first = 0; first < charts.length; first += columns) {
    const row = charts.slice(first, first + columns)
    row.forEach(({ heading, svg }, i) => {
      const x = i * (WIDTH + gap)
      const title = headingAt(heading, x + PADDING, top + 24)
      placed.push(`${title}${svg.replace('<svg ', `<svg x="${x}" y="${top + head}" `)}`)
    })
    top += head + Math.max(...row.map(({ height }) => height)) + gap
  }
  return svgOf(Math.max(0, width), Math.max(0, top - gap), `${PICTURE_COLOURS}${placed.join('')}`)
}

function headingAt(heading: string, x: number, y: number): string {
  const shown = cut(heading, (WIDTH - 2 * PADDING) / HEADING_WIDTH)
  return (
    `<text x="${x}" y="${y}" font-family='${FONT}' font-size="14" font-weight="600" fill="var(--text)">` +
    `<title>${escape(heading)}</title>${escape(shown)}</text>`
  )
}

const PICTURE_COLOURS =
  '<style>svg{--text:#1c2430;--quiet:#5b6675;--line:#d9dee5;--back:#fff}' +
  '@media (prefers-color-scheme:dark){svg{--text:#e8ecf5;--quiet:#9aa6b8;--line:#303a49;--back:#0d1117}}</style>' +
  '<rect width="100%" height="100%" fill="var(--back)"/>'

const escape = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const svgOf = (width: number, height: number, inner: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${inner}</svg>`

/** A line for each group, in as many columns as the longest name leaves room for; what is cut is whole in a title. */
function legendOf(names: readonly string[]): { svg: string; height: number } {
  const room = WIDTH - 2 * PADDING
  const longest = Math.max(0, ...names.map(widthOf))
  const columns = Math.max(1, Math.floor((room + COLUMN_GAP) / (longest + SAMPLE + COLUMN_GAP)))
  const lines = Math.ceil(names.length / columns)
  const step = (room + COLUMN_GAP) / Math.min(columns, names.length)
  const widest = step - SAMPLE - COLUMN_GAP
  const entries = names.map((name, i) => {
    const { colour, dash } = styleOf(i)
    const x = PADDING + Math.floor(i / lines) * step
    const y = HEIGHT + LEGEND_LINE * ((i % lines) + 0.5)
    const dashes = dash.length > 0 ? ` stroke-dasharray="${dash.join(' ')}"` : ''
    return (
      `<g><title>${escape(name)}</title>` +
      `<path d="M${rounded(x)} ${y}h${SAMPLE - 6}" stroke="${colour}" stroke-width="4"${dashes}/>` +
      `<text x="${rounded(x + SAMPLE)}" y="${y + 4}">${escape(cut(name, widest))}</text></g>`
    )
  })
  if (entries.length === 0) return { svg: '', height: 0 }
  const look = `font-family='${FONT}' font-size="12" fill="var(--text)"`
  return { svg: `<g ${look}>${entries.join('')}</g>`, height: lines * LEGEND_LINE + PADDING }
}

/** How wide a text of 12 px is, at most: no browser is there to measure it, so these are letters of the widest of the fonts. */
const widthOf = (text: string) => [...text].reduce((sum, letter) => sum + letterWidth(letter), 0)

function letterWidth(letter: string): number {
  if (/[fijlrtI .,:;'|-]/.test(letter)) return 4.8
  if (/[A-Zmw%@&]/.test(letter)) return 9
  return letter > '\u2e80' ? 12 : 7.6
}

/** A text as far as there is room for it, with an ellipsis for the rest. */
function cut(text: string, widest: number): string {
  let width = 0
  let end = 0
  let kept = 0
  for (const letter of text) {
    width += letterWidth(letter)
    if (width > widest) return `${text.slice(0, kept).trimEnd()}…`
    end += letter.length
    if (width + ELLIPSIS <= widest) kept = end
  }
  return text
}

const rounded = (number: number) => Math.round(number * 10) / 10

async function drawPanel(panel: Panel): Promise<string> {
  const size = {
    width: WIDTH,
    height: HEIGHT,
    autosize: { type: 'fit', contains: 'padding' },
    padding: PADDING,
  }
  // Its types know of no chart without a background.
  const chart = { background: null, ...size, ...panel, config: LOOK } as unknown as TopLevelSpec
  const { spec } = compile(chart)
  const view = new vega.View(vega.parse(spec), { renderer: 'none' })
  const svg = await view.toSVG()
  view.finalize()
  const inner = svg
    .replaceAll(NO_MEMBER, '')
    .replace(/^<svg[^>]*>/, '')
    .replace(/<\/svg>$/, '')
  return withColours(inner).replace(TAGS, (tag) => tag.replace(PLACES, shortened))
}

/** What is between two tags is a text, which people read. */
const TAGS = /<[^<>]*>/g

/** Attributes that say where something is. Numbers that people read, such as those of the axes, stay as they are. */
const PLACES = / (?:d|transform|x[12]?|y[12]?|width|height)="[^"]*"/g
const shortened = (place: string) =>
  place.replace(/\d+\.\d{2,}/g, (number) => String(rounded(Number(number))))

function withColours(svg: string): string {
  return Object.entries(STAND_INS).reduce((text, [standIn, colour]) => text.replaceAll(standIn, colour), svg)
}
