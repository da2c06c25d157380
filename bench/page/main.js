// Owns the page: what happens at which button. It must never measure in the page's own thread, nor load a library there.
import '../report/page.css'
import './layout.css'
import { offers, packages } from 'virtual:offers'
import { cases } from '../cases/index.js'
import { measureAll } from '../measuring.js'
import { plan } from '../plan.js'
import { describeMachine } from '../report/figures.js'
import { groupsOf, resultsOf } from '../results.js'
import { Choice } from './choice.js'
import { element } from './element.js'
import { thisMachine } from './machine.js'
import { PageProgress, durationOf } from './progress.js'
import { sectionOf, usesOf, waitingSectionOf } from './tables.js'
import { measureInWorker, resolutionInWorker } from './workers.js'

/** What a row costs beside its measuring: a worker, modules, the reference; then entities to make and compare. */
const SECONDS_A_WORKER = 0.15
const SECONDS_AN_ENTITY = 2e-6

const [start, stop, save, said, main, leftOutPlace] = [
  'start',
  'stop',
  'save',
  'said',
  'tables',
  'left-out',
].map((id) => document.querySelector(`#${id}`))
let stopper
let results

const resolution = await resolutionInWorker()
const machine = thisMachine(resolution)
document.querySelector('#machine').textContent =
  `This machine: ${describeMachine({ machine })}` +
  `${machine.isolated ? '' : '; they would be finer had this page been served with the headers that isolate it'}.`
document.querySelector('#agent').textContent = machine.userAgent
document.querySelector('#uses').append(usesOf(offers))

const choice = new Choice(cases.filter(runsInPage), offers, estimate)
start.addEventListener('click', measure)
stop.addEventListener('click', () => stopper.abort())
save.addEventListener('click', saveResults)
estimate()

/** What is run once is about its process: its memory, or its start. So is what frames leave behind. */
function runsInPage({ once, frames }) {
  return !once && !frames
}

function planned() {
  const { cases, offers, ...options } = choice.read()
  return { ...plan(offers, { cases }), options: { ...options, whole: false } }
}

/** Says what is about to be measured and how long that may take. */
function estimate() {
  const { jobs, leftOut, options } = planned()
  const seconds = jobs.reduce(
    (sum, { size }) =>
      sum + SECONDS_A_WORKER + size * SECONDS_AN_ENTITY + (options.milliseconds * 1.5) / 1000,
    0,
  )
  const rows = `${jobs.length.toLocaleString('en')} ${jobs.length === 1 ? 'row' : 'rows'}`
  said.textContent =
    jobs.length > 0
      ? `${rows}, about ${durationOf(Math.ceil(seconds * options.repeats))}.`
      : 'Nothing is left to measure: choose other cases, sizes or libraries.'
  start.disabled = jobs.length === 0
  leftOutPlace.textContent = leftOutText(leftOut)
}

function leftOutText(leftOut) {
  const names = [...new Set(leftOut.map(({ work, size, label }) => `${label} (${work.name}, ${size.toLocaleString('en')})`))] // prettier-ignore
  const processes = cases.filter((work) => !runsInPage(work)).map(({ name }) => name)
  return [
    processes.length > 0 ? `Cases that are about a process: ${processes.join(', ')}.` : '',
    names.length > 0 ? `Chosen, but too slow at this size, as the adapter says: ${names.join(', ')}.` : '',
  ].join(' ')
}

async function measure() {
  const plan = planned()
  stopper = new AbortController()
  const { signal } = stopper
  setRunning(true)
  said.textContent = ''
  main.replaceChildren(...waitingSections(plan.jobs))
  await measureAll(plan.jobs, plan.options, {
    isolate: (job, timing) => measureInWorker(job, timing, { resolution, signal }),
    progress: new PageProgress(plan.jobs.length * plan.options.repeats, (job) => draw(plan, job)),
    signal,
  })
  // Now that all checksums are known, some rows may have been refused.
  for (const job of plan.jobs) draw(plan, job)
  results = resultsOf(plan, plan.options, { packages, machine })
  setRunning(false)
  const { rows, refused } = results
  said.textContent =
    `${signal.aborted ? 'Stopped' : 'Done'}: ${rows.length} ${rows.length === 1 ? 'row has' : 'rows have'} right results` +
    `${refused.length > 0 ? `, ${refused.length} have none` : ''}.`
}

function setRunning(running) {
  choice.locked = running
  start.disabled = running
  stop.disabled = !running
  save.disabled = running || !results
  document.body.toggleAttribute('data-running', running)
  ;(running ? stop : start).focus({ preventScroll: true })
}

const sectionKey = ({ work, size }) => `[data-case="${work.name}"][data-size="${size}"]`

function waitingSections(jobs) {
  const groups = Map.groupBy(jobs, sectionKey)
  return [...groups.values()].map((rivals) => waitingSectionOf(rivals[0].work, rivals[0].size, rivals.length))
}

/** The section of a job anew, from what is known so far. */
function draw({ jobs, offers, options }, job) {
  const rivals = jobs.filter(({ work, size }) => work === job.work && size === job.size)
  const [group] = groupsOf(resultsOf({ jobs: rivals, offers }, options, { packages, machine }))
  if (group) main.querySelector(sectionKey(job)).replaceWith(sectionOf(group))
}

function saveResults() {
  const text = `${JSON.stringify(results, undefined, 2)}\n`
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const name = `strata-ecs-bench-${results.date.slice(0, 16).replaceAll(':', '')}.json`
  element('a', { href: address, download: name }).click()
  URL.revokeObjectURL(address)
}
