// Owns the page of an ensemble: one HTML file that needs nothing else, for light and for dark.

import { type Choice, drawCharts, nameOf } from './charts.js'
import type { FailedEntry } from './journal.js'
import type { Summary } from './summary.js'
import {
  NO_NUMBERS,
  counted,
  moreFailures,
  nanSentence,
  quantileRows,
  runName,
  seconds,
  type TextTable,
} from './tables.js'

const STYLE = `
:root { color-scheme: light dark; --back: #fff; --text: #1c2430; --quiet: #5b6675; --line: #d9dee5; --raised: #f5f7fa; --bad: #b3261e }
@media (prefers-color-scheme: dark) {
  :root { --back: #0f141b; --text: #e8ecf5; --quiet: #9aa6b8; --line: #303a49; --raised: #171e28; --bad: #ff8a80 }
}
* { box-sizing: border-box }
body { margin: 0 auto; padding: 2.5rem 1.5rem 5rem; max-width: 66rem; background: var(--back); color: var(--text);
  font: 16px/1.5 system-ui, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .75rem }
p { margin: .4rem 0; color: var(--quiet) }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(28rem, 100%), 1fr)); gap: 1rem }
figure { margin: 0; padding: .75rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--raised) }
figcaption { font-weight: 600; padding: .25rem .75rem }
figure svg { width: 100%; height: auto; display: block }
.scroll { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .92rem }
th, td { padding: .35rem .75rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap }
th { color: var(--quiet); font-weight: 500 }
th:nth-child(-n+2), td:nth-child(-n+2) { text-align: left }
td:first-child { white-space: normal; overflow-wrap: anywhere; min-width: 14rem }
details { border: 1px solid var(--line); border-radius: .5rem; padding: .5rem .9rem; margin: .5rem 0 }
summary { cursor: pointer }
.bad { color: var(--bad) }
pre { overflow-x: auto; background: var(--raised); padding: .75rem; border-radius: .4rem; font-size: .85rem }
`

/** So many failed runs are on the page. */
const MOST_FAILURES = 200

const escape = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/**
 * The page of an ensemble.
 *
 * @param choice which groups the charts show
 * @returns an HTML document
 */
export async function writeReport(summary: Summary, choice?: Choice): Promise<string> {
  const { description, runs, rows, nan, failed, failedCount, groups } = summary
  const charts = await drawCharts(summary, choice)
  const name = escape(description.module)
  const settings = escape(nameOf(summary.fixed))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}: ${counted(runs, 'run')}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${name}</h1>
<p>${counted(runs, 'run')} in ${counted(groups.length, 'group')} of equal parameters, ${counted(rows, 'row')}, <span${failedCount > 0 ? ' class="bad"' : ''}>${failedCount} failed</span>${settings === '' ? '' : `; ${settings}`}</p>
${nan === 0 ? '' : `<p class="bad">${escape(nanSentence(summary))}</p>\n`}${spread(charts)}<h2>Quantiles${summary.axis === undefined ? '' : ' of the last row'}</h2>
${summary.columns.length > 0 ? table(quantileRows(summary)) : `<p>${NO_NUMBERS}</p>`}
<h2>Slowest runs</h2>
${table(slowestRows(summary))}
<h2>Failed runs</h2>
${failedCount === 0 ? '<p>None.</p>' : failed.slice(0, MOST_FAILURES).map(writeFailure).join('\n')}${failedCount > MOST_FAILURES ? `\n<p>${escape(moreFailures(failedCount - MOST_FAILURES))}</p>` : ''}
</body>
</html>
`
}

/** Of runs with one row and equal parameters there are no charts. */
function spread(charts: readonly { title: string; svg: string }[]): string {
  if (charts.length === 0) return ''
  return `<h2>Spread</h2>
<p>The line is the median; half of all runs are in the inner band, nine of ten in the outer one.</p>
<div class="charts">
${charts.map(({ title, svg }) => `<figure><figcaption>${escape(title)}</figcaption>${svg}</figure>`).join('\n')}
</div>
`
}

function slowestRows({ slowest }: Summary): TextTable {
  return {
    head: ['run', 'key', 'time', 'attempts'],
    rows: slowest.map((run) => [runName(run), run.key, seconds(run.ms), String(run.attempts)]),
  }
}

function table({ head, rows }: TextTable): string {
  const line = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${escape(cell)}</${tag}>`).join('')}</tr>`
  return `<div class="scroll"><table><thead>${line(head, 'th')}</thead><tbody>
${rows.map((cells) => line(cells, 'td')).join('\n')}
</tbody></table></div>`
}

function writeFailure({ failed, attempts, ...run }: FailedEntry): string {
  const log = failed.log === '' ? '' : `<p>Log</p><pre>${escape(failed.log)}</pre>`
  return `<details><summary>${escape(runName(run))}: <span class="bad">${escape(failed.message)}</span></summary>
<p>key ${run.key}, run ${counted(attempts, 'time')}, the last for ${seconds(run.ms)}</p>
<pre>${escape(failed.stack || failed.message)}</pre>${log}</details>`
}
