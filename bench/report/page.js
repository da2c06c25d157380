// Owns the page of the report: one file of HTML that needs nothing else. Its tables are there without a script; the
// charts (charts.js, in the browser) are drawn from the same figures. It must never load anything from elsewhere.
import { measuredAims, verdictOf } from '../aims.js'
import { scaleOf } from '../quantities.js'
import { groupsOf } from '../results.js'
import { colourOf } from './colours.js'
import {
  RATIO_FOR_LOGARITHM,
  columnsOf,
  describeLoad,
  describeMachine,
  describePackages,
  describeRun,
  figuresOf,
  isolatesOf,
} from './figures.js'

/** The page as text. `parts`: `style`, `script` and `charts`, the chart library, as texts. */
export function pageOf(results, parts) {
  const groups = groupsOf(results).map((group) => ({ ...group, figures: figuresOf(group) }))
  const libraries = librariesOf(results)
  const title = 'strata-ecs beside other libraries'
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${parts.style}</style>
</head>
<body>
<header>
<h1>${title}</h1>
<p>${escape(describeMachine(results))}; ${escape(describeRun(results))}. ${escape(describeLoad(results))} One run on one machine: compare the rows with each other, not with figures from elsewhere.</p>
${methodOf(results)}
${usesOf(libraries)}
</header>
${filtersOf(groups, libraries)}
<main>
${overviewOf(groups)}
${aimsOf(results)}
${groups.map(sectionOf).join('\n')}
<p id="nothing" hidden>Nothing is left: choose another case, size or library.</p>
</main>
<script type="application/json" id="data">${asData(chartDataOf(results, libraries, groups))}</script>
<script>${asScript(parts.charts)}</script>
<script>${asScript(parts.script)}</script>
</body>
</html>
`
}

/** The libraries that have rows; a file from before they were listed has the labels in its rows. */
function librariesOf({ libraries, rows }) {
  const names = [...new Set(rows.map(({ library }) => library))]
  return names.map((name) => {
    const { label, version } = rows.find(({ library }) => library === name)
    const colour = colourOf(name)
    return { library: name, label, version, colour, ...libraries.find(({ library }) => library === name) }
  })
}

const CLOCK =
  'Times were taken after a warm-up. Fixed work of some 50 µs before and after every sample says how fast the machine runs at the moment: samples taken at full speed count, scaled to its fastest. Where most of a row’s processes never ran at full speed, its figure has a question mark and nothing is concluded from it.'

const methodOf = (results) => `<details>
<summary>How it was measured</summary>
<ul>
<li>Each row (library, way, case, size) ran in ${isolatesOf(results)} of its own, ${results.options.repeats} of them, in turns with its rivals, so that what the machine does at the time hits all alike.</li>
<li>${CLOCK}</li>
<li>The result of every row was compared with a plain reference, value by value, before and after the times were taken. What was wrong has no row.</li>
<li>The time is the median over the ${isolatesOf(results)}, the spread is the least and the most of them. "x raw" is the ratio to hand-written loops over typed arrays, taken repeat by repeat, then the median.</li>
<li>GC is the number of garbage collections in 1,000 runs of the case, those between timed runs left out. Heap and external are the megabytes held after a collection more than before the entities were made; external holds wasm memory and the contents of typed arrays, untouched reserves included. Where a case is about memory, the two together are its figure; beside them stand what the library says of itself, and what the whole process had more of in memory.</li>
<li>Bars start at 0. Where the slowest takes more than ${RATIO_FOR_LOGARITHM} times as long as the fastest, the scale is logarithmic, and points stand in place of bars. Thin lines show the spread.</li>
<li>Packages: ${escape(describePackages(results))}.</li>
</ul>
</details>`

function usesOf(libraries) {
  const rows = libraries
    .map(({ label, version, uses }) => row([escape(label), escape(version ?? ''), escape(uses ?? '')]))
    .join('')
  return `<details>
<summary>What was used of each library</summary>
<div class="table"><table><thead><tr><th>library</th><th>version</th><th>used</th></tr></thead><tbody>${rows}</tbody></table></div>
</details>`
}

function filtersOf(groups, libraries) {
  const names = [...new Map(groups.map(({ work }) => [work.name, work.title]))]
  const sizes = [...new Set(groups.map(({ size }) => size))].toSorted((a, b) => a - b)
  const cases = names.map(([name, title]) => `<option value="${escape(name)}">${escape(title)}</option>`)
  const box = (kind, value, label) =>
    `<label class="box" data-${kind}="${escape(value)}"><input type="checkbox" name="${kind}" value="${escape(value)}" checked>${escape(label)}</label>`
  return `<form id="filters">
<label>Case <select name="case"><option value="">all ${names.length}</option>${cases.join('')}</select></label>
<fieldset><legend>Libraries</legend>${libraries.map(({ library, label }) => box('library', library, label)).join('')}</fieldset>
<fieldset><legend>Sizes</legend>${sizes.map((size) => box('size', String(size), size.toLocaleString('en'))).join('')}</fieldset>
</form>`
}

const overviewOf = (groups) => `<section id="overview">
<h2>All cases</h2>
<p>How many times as long as the fastest of the chosen libraries, or as much memory: the fastest way of each library, and the slowest of strata-ecs, hollow. 1 is the fastest; the scale is logarithmic.</p>
<div class="chart" role="img" aria-label="All cases in one chart; the figures are in the tables of ${groups.length} sections below"></div>
</section>`

function aimsOf(results) {
  const rows = measuredAims(results).flatMap(({ work, reach, missed, figures }) => {
    const lines = figures.map((figure, k) =>
      row([k === 0 ? work : '', k === 0 ? reach : '', figure.of, figure.text, verdictOf(figure)].map(escape)),
    )
    const isMissed = figures.some(({ reached }) => reached === false)
    return isMissed && missed
      ? [...lines, `<tr><td colspan="5" class="missed">${escape(missed)}</td></tr>`]
      : lines
  })
  return rows.length === 0
    ? ''
    : `<section id="aims">
<h2>What the project set itself to reach</h2>
<p>Read off this run. Where a figure is missed, the line below it says what stands in the way.</p>
<div class="table"><table><thead><tr><th>work</th><th>to reach</th><th>of</th><th>measured</th><th></th></tr></thead><tbody>${rows.join('')}</tbody></table></div>
</section>`
}

function sectionOf({ work, size, figures, refused }, index) {
  const columns = columnsOf({ work })
  const header = ['library', 'way', ...columns.map(([text]) => text)]
  const head = header.map((text, k) => `<th${k > 1 ? ' class="number"' : ''}>${escape(text)}</th>`).join('')
  const body = figures.map((one) =>
    row(
      [one.name, one.way, ...columns.map(([, figure]) => one[figure])].map(escape),
      ` data-library="${escape(one.library)}"`,
    ),
  )
  const lost = refused.map(
    ({ label, way, error }) => `<p>No row for ${escape(label)}, ${escape(way)}: ${escape(error)}</p>`,
  )
  return `<section class="group" data-index="${index}" data-case="${escape(work.name)}" data-size="${size}">
<h2>${escape(work.title)}</h2>
<p>${size.toLocaleString('en')} ${escape(work.units)}, ${escape(scaleOf(work))}</p>
<div class="pair">
<div class="chart" role="img" aria-label="${escape(work.title)}; the same figures stand in the table beside"></div>
<div class="table"><table><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table></div>
</div>
${lost.join('\n')}
</section>`
}

const row = (cells, attributes = '') =>
  `<tr${attributes}>${cells.map((cell, k) => `<td${k > 1 ? ' class="number"' : ''}>${cell}</td>`).join('')}</tr>`

const chartDataOf = (results, libraries, groups) => ({
  libraries,
  groups: groups.map(chartOf),
  isolates: isolatesOf(results),
  ratioForLogarithm: RATIO_FOR_LOGARITHM,
})

function chartOf({ work, size, figures }) {
  const rows = figures.map(({ library, label, way, median, least, most, repeats, main }) => {
    return { library, label, way, median, least, most, repeats, text: main }
  })
  return { name: work.name, title: work.title, scale: scaleOf(work), size, rows }
}

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escape = (text) => String(text).replace(/[&<>"]/g, (character) => ENTITIES[character])

/** Data and scripts end at `</script`, wherever it stands. */
const asData = (data) => JSON.stringify(data).replaceAll('<', '\\u003c')
const asScript = (source) => source.replaceAll('</script', '<\\/script')
