// Draws the forms of a loop as docs/images/loops.svg, from a file of results of the cases `compiled-…`:
//
//   node bench/run.js --case compiled && node bench/picture.js
import { readFileSync, writeFileSync } from 'node:fs'
import { parse, View } from 'vega'
import { compile } from 'vega-lite'

const at = (path) => new URL(path, import.meta.url)
const file = process.argv[2] ?? at('results/latest.json')
const { rows, cases } = JSON.parse(readFileSync(file, 'utf8'))

const FORMS = { each: 'each', 'chunk views': 'chunks', compiled: 'compiled' }
const COLOURS = ['#e07a1f', '#8a63d2', '#1f9e77']
/** Readable on white and on black. */
const GREY = '#848d97'

const titleOf = (name) => cases.find((one) => one.name === name).title.replace(/^.*?: /, '')
const values = rows
  .filter(({ case: name, way }) => name.startsWith('compiled-') && way in FORMS)
  .map((row) => ({
    form: FORMS[row.way],
    rows: row.size,
    work: titleOf(row.case),
    ns: Math.min(...row.nanoseconds) / row.size,
  }))
if (values.length === 0)
  throw new Error(`${file} has no results of the cases compiled-…: measure them first.`)

const quantitative = { type: 'quantitative', scale: { type: 'log' } }
const { spec } = compile({
  data: { values },
  facet: { field: 'work', type: 'nominal', title: null, sort: null },
  columns: 3,
  spec: {
    width: 190,
    height: 150,
    mark: { type: 'line', point: true },
    encoding: {
      x: {
        field: 'rows',
        title: 'rows',
        axis: { values: [1e3, 1e4, 1e5, 1e6], format: '~s' },
        ...quantitative,
      },
      y: { field: 'ns', title: 'ns a row', ...quantitative },
      color: { field: 'form', title: null, scale: { domain: Object.values(FORMS), range: COLOURS } },
    },
  },
  config: {
    background: null,
    font: 'system-ui, "DejaVu Sans", sans-serif',
    axis: { labelColor: GREY, titleColor: GREY, gridColor: `${GREY}44`, domainColor: GREY, tickColor: GREY },
    header: { labelColor: GREY, labelFontSize: 12 },
    legend: { labelColor: GREY, orient: 'bottom', labelFontSize: 12 },
    view: { stroke: null },
  },
})
writeFileSync(at('../docs/images/loops.svg'), await new View(parse(spec)).toSVG())
