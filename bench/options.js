// What the command understands. A wrong option ends it before the first process.
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { cases } from './cases/index.js'
import { LIBRARIES } from './plan.js'
import { SUMMARY } from './tables.js'

const NAMES = { case: cases.map(({ name }) => name), library: Object.keys(LIBRARIES) }

const HELP = `Times strata-ecs beside hand-written typed arrays and other libraries.

  node bench/run.js [options] [RESULTS.json]
  node bench/run.js growth [THING …]     what calls cost beside none to 1,000 things that do not concern them
  node bench/run.js native [--entt DIR] [--flecs DIR] [--rounds N]     the same works beside EnTT and flecs, from their sources

  --case NAME          only this case, or those of this name and more, such as compiled (may be repeated): ${NAMES.case.join(', ')}
  --size N             only this number of entities (may be repeated)
  --library NAME       only this library (may be repeated): ${NAMES.library.join(', ')}
  --summary            only the rows behind the tables in README.md and docs/benchmarks.md, or with --library some of them
  --repeats N          processes for each row, interleaved between the rivals; default 5
  --milliseconds N     measuring time in each process; default 150
  --out FOLDER         where latest.json is written; default bench/results
  --quick              check the results only, at the smallest size of each case; no times
  --compare OLD.json   show what got slower or faster since; the exit code is 1 when strata-ecs got slower
  --report             write the tables in README.md and docs/benchmarks.md, after --summary or a run of all cases; and
                       bench/results/study.md, after the case parts
  --engine FILE.json   results of another engine (may be repeated): with --report and RESULTS.json, writes the table of
                       engines in docs/performance.md
  --help               this text

With RESULTS.json nothing is timed: the table, --compare and --report take their figures from that file.
`

const several = { type: 'string', multiple: true }
const flag = { type: 'boolean', default: false }
const SPEC = {
  ...{ case: several, size: several, library: several, engine: { ...several, default: [] } },
  ...{ summary: flag, quick: flag, report: flag, help: flag, compare: { type: 'string' } },
  repeats: { type: 'string', default: '5' },
  milliseconds: { type: 'string', default: '150' },
  out: { type: 'string', default: fileURLToPath(new URL('results', import.meta.url)) },
}

/** The options of the command line; ends the process when they are wrong or ask for help. */
export function readOptions() {
  const { values, positionals } = orFail(() => parseArgs({ options: SPEC, allowPositionals: true }))
  if (values.help) {
    process.stdout.write(HELP)
    process.exit(0)
  }
  const { summary, quick, report, engine: engines, compare, out } = values
  values.case = values.case?.flatMap((name) => {
    const longer = NAMES.case.filter((one) => one.startsWith(`${name}-`))
    return NAMES.case.includes(name) || longer.length === 0 ? name : longer
  })
  for (const what of ['case', 'library']) {
    const unknown = values[what]?.find((name) => !NAMES[what].includes(name))
    if (unknown) fail(`There is no ${what} '${unknown}'; there are: ${NAMES[what].join(', ')}.`)
  }
  const [results, ...more] = positionals
  const some = summary || values.case || values.size || values.library
  const refusals = {
    '--summary chooses cases and sizes: leave out --case and --size.':
      summary && (values.case || values.size),
    'Only one file of results can be shown; the older one goes behind --compare.': more.length > 0,
    'A file of results is shown whole: leave out what chooses rows, and --quick.': results && (quick || some),
    '--quick times nothing that could be compared or reported.': quick && (compare || report),
    '--engine adds to --report and a file of results.': engines.length > 0 && !(report && results),
  }
  for (const [sentence, isTrue] of Object.entries(refusals)) if (isTrue) fail(sentence)
  const names = summary ? Object.keys(SUMMARY.sizes) : (values.case ?? NAMES.case)
  const libraries = values.library ?? (summary ? SUMMARY.libraries : NAMES.library)
  return {
    ...{ quick, compare, report, engines, out, results },
    cases: cases.filter(({ name }) => names.includes(name)),
    libraries: NAMES.library.filter((name) => libraries.includes(name)),
    sizes: summary ? SUMMARY.sizes : values.size?.map((text) => wholeNumber('--size', text)),
    // Whether the rows behind the tables of the documentation are all there.
    summary: !values.case && !values.size && !values.library,
    repeats: quick ? 1 : wholeNumber('--repeats', values.repeats),
    milliseconds: quick ? 0 : wholeNumber('--milliseconds', values.milliseconds),
  }
}

/** What a function gives; ends the process with what it throws. */
export function orFail(give, what = '') {
  try {
    return give()
  } catch (error) {
    return fail(what + error.message)
  }
}

function wholeNumber(option, text) {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1) fail(`${option} takes a whole number from 1, not '${text}'.`)
  return number
}

/** Ends the process with a sentence that says what to do. */
export function fail(message) {
  process.stderr.write(`${message}\nnode bench/run.js --help shows the options.\n`)
  process.exit(1)
}
