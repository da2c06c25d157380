// Owns the command line: the commands, their options, and what each does. How it ends is in ending.js.

import { resolve } from 'node:path'
import { Command } from 'commander'
import { isStandardOutput, writeOut, writeTo } from './destination.js'
import { EXIT, endOf } from './ending.js'
import { type Differing, type EnsembleOutcome, runSource } from './ensemble.js'
import { EnsembleError } from './errors.js'
import { FORMATS } from './export.js'
import { pathsIn } from './folder.js'
import { LONGEST_WAIT_SECONDS, listed, once, percent, seconds, titles, wholeNumber } from './options.js'
import { createProgressLine } from './progressLine.js'
import { openResults } from './results.js'
import { openSource, versions } from './source.js'
import { summarise } from './summary.js'
import type * as Tables from './tables.js'
import { readChoice, readGrid, readSeeds } from './words.js'

const DEFAULT_SEEDS = '0..99'
const DEFAULT_REDIS_PATIENCE = 30
const MOST_THREADS = 1024
const MOST_RETRIES = 1000

/** @param words of the command line, after the name of the program */
export async function main(words: string[]): Promise<void> {
  // Who reads no further is not told the rest; the program does its work all the same.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  // What a module left to happen later, while no run of it is under way.
  process.on('uncaughtException', (error) => process.exit(endOf(error)))
  try {
    await createProgram(words).parseAsync(words, { from: 'user' })
  } catch (error) {
    process.exitCode = endOf(error)
  }
}

const THREADS = 'how many threads; by default one a processor core'
const PATIENCE = 'how long a lost Redis is waited for'

function createProgram(words: readonly string[]): Command {
  const program = new Command('strata-ensemble')
    .description('Thousands of runs of a simulation, over seeds and parameters, on one machine or many.')
    .version(versions()[0])
    .showHelpAfterError('(--help shows all options)')
    .exitOverride()

  program
    .command('run <module>')
    .description('do what is missing of an ensemble')
    .option(
      '--seeds <list>',
      `which seeds: 7, 0..999 or 3,5,10..12 (default: ${DEFAULT_SEEDS}); may be given several times`,
      listed,
      [],
    )
    .option(
      '--set <name=values>',
      'values of a parameter: r0=1.5,2,3, or place="Paris, France",Rio; may be given several times',
      listed,
      [],
    )
    .option('--out <folder>', 'where the results are', once(), 'runs')
    .option('--threads <count>', THREADS, wholeNumber(1, MOST_THREADS))
    .option('--retries <count>', 'how often a failed run is tried again', wholeNumber(0, MOST_RETRIES), 1)
    .option('--limit <seconds>', 'after which a run is ended, and counts as failed', seconds(), 3600)
    .option('--strict', 'make Math.random, crypto and clocks errors')
    .option('--verify <percent>', 'of a hundred runs, how many are done twice and compared', percent(), 1)
    .option('--queue <url>', 'hand the runs to workers by the Redis there, redis://host:6379', once())
    .option('--patience <seconds>', PATIENCE, seconds(LONGEST_WAIT_SECONDS), DEFAULT_REDIS_PATIENCE)
    .action((module: string, options: RunWords) => run(module, options, words))

  program
    .command('work <module>')
    .description('do runs that others hand to a queue; on any number of machines')
    .requiredOption('--queue <url>', 'where the Redis of the queue is, redis://host:6379', once())
    .option('--threads <count>', THREADS, wholeNumber(1, MOST_THREADS))
    .option('--out <folder>', 'a folder that all machines share: rows go there and not through Redis', once())
    .option('--patience <seconds>', PATIENCE, seconds(LONGEST_WAIT_SECONDS), DEFAULT_REDIS_PATIENCE)
    .option(
      '--lock <seconds>',
      'after which a run of a worker that died is given to another',
      seconds(LONGEST_WAIT_SECONDS),
      30,
    )
    .option('--until-empty', 'end when the queue is empty instead of waiting for more')
    .action(work)

  program
    .command('show <folder>')
    .description('quantiles by parameter, fan charts, the slowest and the failed runs')
    .option('--html <file>', 'where the page goes; by default report.html in the folder', once())
    .option('--no-html', 'write no page')
    .option('--svg <file>', 'also a picture of charts', once())
    .option('--charts <titles>', 'which ones, such as: infected by day, peak over r0; with --svg', titles)
    .option(
      '--groups <which>',
      'what charts show: at most so many groups, 8, or those with values of a parameter, r0=2,3; may be given several times',
      listed,
      [],
    )
    .action(show)

  program
    .command('export <folder>')
    .description('write all rows to one file, sorted by parameters, then by seeds; - is standard output')
    .option('--parquet <file>', 'for most programs of statistics', once())
    .option('--arrow <file>', 'an Arrow stream', once())
    .option('--csv <file>', 'a line of names, then one a row', once())
    .action(exportResults)

  return program
}

/** The options of each command, as commander hands them over. */
interface RunWords {
  seeds: string[]
  set: string[]
  out: string
  threads?: number
  retries: number
  limit: number
  strict?: boolean
  verify: number
  queue?: string
  patience: number
}

interface WorkWords {
  queue: string
  threads?: number
  out?: string
  patience: number
  lock: number
  untilEmpty?: boolean
}

interface ShowWords {
  html?: string | boolean
  svg?: string
  charts?: string[]
  groups: string[]
}

async function run(module: string, options: RunWords, words: readonly string[]): Promise<void> {
  const finish = new AbortController()
  const stop = new AbortController()
  const line = createProgressLine()
  const onInterrupt = () => {
    if (finish.signal.aborted) return stop.abort()
    finish.abort()
    console.error('\nNo further run begins. Those under way are finished; Ctrl-C again ends them, too.')
  }
  process.on('SIGINT', onInterrupt)
  process.on('SIGTERM', onInterrupt)
  try {
    const source = await openSource(module, { signal: finish.signal })
    const outcome = await runSource(source, {
      seeds: readSeeds(options.seeds.length > 0 ? options.seeds : [DEFAULT_SEEDS]),
      grid: readGrid(options.set, source.definition.parameters),
      out: options.out,
      threads: options.threads,
      retries: options.retries,
      limitSeconds: options.limit,
      strict: options.strict,
      verify: options.verify,
      queue: options.queue && { url: options.queue, patienceSeconds: options.patience },
      finish: finish.signal,
      stop: stop.signal,
      onProgress: (progress) => line.update(progress),
      onNotice: (sentence) => console.error(`\n${sentence}`),
    })
    line.stop()
    await report(outcome, options.out, words)
  } finally {
    line.stop()
    process.off('SIGINT', onInterrupt)
    process.off('SIGTERM', onInterrupt)
  }
}

async function report(outcome: EnsembleOutcome, out: string, words: readonly string[]): Promise<void> {
  const { counted, runName, writeFailures } = await import('./tables.js')
  const { total, done, alreadyDone, missing, failed, failedCount, elsewhere, differing, remarks } = outcome
  for (const remark of remarks) console.error(`\n${remark}`)
  if (failedCount > 0) console.error(`\n${writeFailures(failed, failedCount)}`)
  if (differing) console.error(`\n${differingSentence(differing, { counted, runName })}`)
  const before = alreadyDone > 0 ? `, ${alreadyDone} of them before` : ''
  say(
    `${done} of ${total} ${total === 1 ? 'run is' : 'runs are'} done${before}${failedCount > 0 ? `, ${failedCount} failed` : ''}.`,
  )
  if (elsewhere > 0) {
    say(
      `The rows of ${counted(elsewhere, 'run')} are not in ${out}: their workers have another --out. ` +
        `Copy what is in its parts/ to ${out}/parts, or start workers with --out ${out}.`,
    )
  }
  if (missing > elsewhere) {
    say(`Stopped with ${missing - elsewhere} to go. Go on with: ${commandOf(words)}`)
  }
  if (missing > 0) {
    process.exitCode = EXIT.stopped
    return
  }
  say(`Look at them with: strata-ensemble show ${quoted(out)}`)
  if (failedCount > 0 || differing) process.exitCode = EXIT.failed
}

const differingSentence = (
  { count, first, how }: Differing,
  { counted, runName }: Pick<typeof Tables, 'counted' | 'runName'>,
) =>
  `${counted(count, 'run')} gave other results when done a second time, the first of them ${runName(first)}: ${how}. ` +
  'So the model is not deterministic, and no result of it can be had again. --strict finds clocks and random numbers.'

/** The command as it can be pasted into a shell, but for passwords, which nobody else should read. */
export function commandOf(words: readonly string[]): string {
  return ['strata-ensemble', ...words.map((word) => quoted(withoutPassword(word)))].join(' ')
}

const withoutPassword = (word: string) =>
  word.replace(/^((?:--queue=)?[a-z][a-z0-9+.-]*:\/\/[^/?#:]*:)[^/?#]*@/i, '$1PASSWORD@')

const quoted = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

async function work(module: string, options: WorkWords): Promise<void> {
  const { workOnQueue } = await import('./work.js')
  const finish = new AbortController()
  const stop = new AbortController()
  const onInterrupt = () => (finish.signal.aborted ? stop.abort() : finish.abort())
  process.on('SIGINT', onInterrupt)
  process.on('SIGTERM', onInterrupt)
  try {
    const { done, failed } = await workOnQueue(module, {
      url: options.queue,
      threads: options.threads,
      out: options.out,
      patienceSeconds: options.patience,
      lockSeconds: options.lock,
      untilEmpty: options.untilEmpty ?? false,
      finish: finish.signal,
      stop: stop.signal,
      say: (sentence) => console.error(sentence),
    })
    say(`This worker did ${done} runs; ${failed} failed.`)
  } finally {
    process.off('SIGINT', onInterrupt)
    process.off('SIGTERM', onInterrupt)
  }
}

async function show(folder: string, options: ShowWords): Promise<void> {
  const { html, svg, charts, groups } = options
  if (charts !== undefined && svg === undefined) {
    throw new EnsembleError(
      'BAD_OPTION',
      '--charts says which charts are in the picture of --svg: name its file, too.',
    )
  }
  // Without either option it is true.
  const page = html === false ? undefined : typeof html === 'string' ? html : pathsIn(folder).report
  const files = [page, svg].filter((path) => path !== undefined)
  checkDifferent(files)
  // Libraries for charts take memory that a run needs itself.
  const { drawPicture } = await import('./charts.js')
  const { writeReport } = await import('./report.js')
  const { writeSummary } = await import('./tables.js')
  const results = openResults(folder)
  const summary = summarise(results)
  const choice = readChoice(groups, summary.description.parameters)
  // Before anything is said or written: a mistake in the options leaves nothing half done.
  const texts = new Map<string, string>()
  if (page !== undefined) texts.set(page, await writeReport(summary, choice))
  if (svg !== undefined) texts.set(svg, await drawPicture(summary, charts, choice))
  const tell = sayBeside(files)
  for (const remark of results.remarks) console.error(`${remark}\n`)
  tell(writeSummary(summary))
  if (summary.failedCount > 0 || summary.nan > 0) process.exitCode = EXIT.failed
  if (files.length > 0) tell('')
  for (const [path, text] of texts) {
    writeTo(path, [text])
    tell(`Written ${path}`)
  }
}

async function exportResults(folder: string, options: Record<string, string | undefined>): Promise<void> {
  const wanted = Object.entries(FORMATS).flatMap(([format, write]) => {
    const file = options[format]
    return file === undefined ? [] : [{ write, file }]
  })
  if (wanted.length === 0) {
    throw new EnsembleError('BAD_OPTION', 'Name a file with --parquet, --arrow or --csv.')
  }
  const files = wanted.map(({ file }) => file)
  checkDifferent(files)
  const tell = sayBeside(files)
  const { counted } = await import('./tables.js')
  const results = openResults(folder)
  for (const remark of results.remarks) console.error(`${remark}\n`)
  for (const { write, file } of wanted) {
    await write(results, file)
    tell(`Written ${file}: ${counted(results.runs.length, 'run')}, ${counted(results.rowCount, 'row')}`)
  }
}

/** Refuses to write two things to one file. */
function checkDifferent(files: readonly string[]): void {
  const places = files.map((path) => (isStandardOutput(path) ? '-' : resolve(path)))
  const twice = files.find((_, i) => places.indexOf(places[i]!) !== i)
  if (twice === undefined) return
  throw new EnsembleError(
    'BAD_OPTION',
    `Only one thing can be written to ${twice}: name another file for the other.`,
  )
}

const say = (sentence: string) => writeOut([`${sentence}\n`])

/** Says a sentence on standard output, or, where a file goes there, as an error would be said. */
const sayBeside = (files: readonly string[]) =>
  files.some(isStandardOutput) ? (sentence: string) => console.error(sentence) : say
