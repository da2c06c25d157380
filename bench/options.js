// Owns what the command understands. It must never start anything: a wrong option ends before the first process.
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { cases } from './cases/index.js'
import { LIBRARIES } from './plan.js'
import { SUMMARY } from './report/summary.js'

const RESULTS = fileURLToPath(new URL('results', import.meta.url))

const HELP = `Times strata-ecs beside hand-written typed arrays and other libraries.

  node bench/run.js [options] [RESULTS.json]

  --case NAME          only this case (may be repeated): ${cases.map(({ name }) => name).join(', ')}
  --size N             only this number of entities (may be repeated)
  --library NAME       only this library (may be repeated): ${LIBRARIES.join(', ')}
  --summary            only the rows behind the tables in README.md and docs/benchmarks.md, or with --library some of them
  --repeats N          processes for each row, interleaved between the rivals; default 5
  --milliseconds N     measuring time in each process; default 150
  --resume             go on with the run that was stopped: with what it was to measure, and with what it measured
  --out FOLDER         where results and the journal of the run are written; default bench/results
  --quick              check the results only, at the smallest size of each case; no times
  --compare OLD.json   show what got slower or faster since; the exit code is 1 when strata-ecs got slower
  --report             write bench/results/report.html; after --summary, or a run of all cases, the tables in README.md and
                       docs/benchmarks.md; after a run of all cases, bench/results/benchmarks.md
  --engine FILE.json   results of the same rows in another engine (may be repeated): with --report and RESULTS.json, writes the
                       table of engines in docs/performance.md
  --help               this text

Each figure is written to FOLDER/running.jsonl when it comes; FOLDER/latest.json has all of them at the end.
With RESULTS.json nothing is timed: the table, --compare and --report take their figures from that file.

\`npm run bench\` builds the package and compiles the kernels of bench/kernels first; \`npm run bench:kernels\` does the latter.
`

const SPEC = {
  case: { type: 'string', multiple: true },
  size: { type: 'string', multiple: true },
  library: { type: 'string', multiple: true },
  summary: { type: 'boolean', default: false },
  repeats: { type: 'string' },
  milliseconds: { type: 'string' },
  resume: { type: 'boolean', default: false },
  out: { type: 'string', default: RESULTS },
  quick: { type: 'boolean', default: false },
  compare: { type: 'string' },
  report: { type: 'boolean', default: false },
  engine: { type: 'string', multiple: true, default: [] },
  help: { type: 'boolean', default: false },
}

/** The options of the command line; ends the process when they are wrong or ask for help. */
export function readOptions() {
  const { values, positionals } = parse()
  if (values.help) {
    process.stdout.write(HELP)
    process.exit(0)
  }
  refuseUnknown('case', values.case, cases.map(({ name }) => name)) // prettier-ignore
  refuseUnknown('library', values.library, LIBRARIES)
  const some = ['case', 'size', 'library'].filter((name) => values[name])
  const whole = some.length === 0 && !values.summary
  if (values.summary && (values.case || values.size))
    fail('--summary chooses cases and sizes: leave out --case and --size.')
  if (positionals.length > 1)
    fail('Only one file of results can be shown; the older one goes behind --compare.')
  if (positionals.length === 1 && (values.quick || !whole)) {
    fail('A file of results is shown whole: leave out --quick, --summary, --case, --size and --library.')
  }
  if (values.resume) {
    const own = ['case', 'size', 'library', 'summary', 'repeats', 'milliseconds', 'quick'].filter(
      (name) => values[name],
    )
    if (own.length > 0 || positionals.length > 0) {
      fail('--resume measures what the stopped run was to measure: leave out what chooses something else.')
    }
  }
  if (values.quick && (values.compare || values.report))
    fail('--quick times nothing that could be compared or reported.')
  if (values.engine.length > 0 && !(values.report && positionals.length === 1))
    fail(
      '--engine adds to the report of a file: node bench/run.js --report RESULTS.json --engine OTHER.json.',
    )
  const names = values.summary ? Object.keys(SUMMARY.sizes) : values.case
  const libraries = values.library ?? (values.summary ? SUMMARY.libraries : undefined)
  return {
    ...chosen({
      cases: cases.map(({ name }) => name).filter((name) => !names || names.includes(name)),
      sizes: values.summary ? SUMMARY.sizes : values.size?.map((text) => wholeNumber('--size', text)),
      libraries: LIBRARIES.filter((name) => !libraries || libraries.includes(name)),
      whole,
      summary: values.summary && !values.library,
      repeats: values.quick ? 1 : wholeNumber('--repeats', values.repeats ?? '5'),
      milliseconds: values.quick ? 0 : wholeNumber('--milliseconds', values.milliseconds ?? '150'),
    }),
    quick: values.quick,
    resume: values.resume,
    out: values.out,
    compare: values.compare,
    report: values.report,
    engines: values.engine,
    results: positionals[0],
  }
}

/**
 * The options that say what is measured, from their plain form, which is kept in `choice` for the journal.
 *
 * @param choice the names of the `cases`, `sizes`, `libraries`, `whole`, `summary`, `repeats` and `milliseconds`
 */
export const chosen = (choice) => ({
  ...choice,
  cases: cases.filter(({ name }) => choice.cases.includes(name)),
  choice,
})

function parse() {
  try {
    return parseArgs({ options: SPEC, allowPositionals: true })
  } catch (error) {
    return fail(error.message)
  }
}

function refuseUnknown(what, chosen, known) {
  const unknown = chosen?.find((name) => !known.includes(name))
  if (unknown) fail(`There is no ${what} '${unknown}'; there are: ${known.join(', ')}.`)
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
