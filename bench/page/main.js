// The page: the same cases in this browser, a module worker for each measurement. Nothing is measured in the page's own thread,
// and nothing is drawn while a row is measured.
/* global FormData, PACKAGES */
import { cases } from '../cases/index.js'
import { measureAll } from '../measuring.js'
import { LIBRARIES, plan } from '../plan.js'
import { groupsOf, resultsOf } from '../results.js'
import { linesOf, titleOf } from '../table.js'
import { SUMMARY, describeMachine } from '../tables.js'

const [form, start, stop, save, said, tables] = ['choice', 'start', 'stop', 'save', 'said', 'tables'].map(
  (id) => document.getElementById(id),
)
/** What is run once, and what frames leave behind, is about a process. */
const inPage = cases.filter(({ once, frames }) => !once && !frames)
const given = new URLSearchParams(location.search)

/** A worker could not be started: its files could not be loaded, or it ran out of memory. */
class NotStarted extends Error {}

/** WebKit fails to load every second worker that follows one which was ended. */
const MOST_STARTS = 3

const isSummary = given.has('summary')
let stopper
let results

const { resolution } = await askWorker(undefined)
const machine = thisMachine()
document.getElementById('machine').textContent = `This machine: ${describeMachine({ machine })}`
const libraries = Object.keys(LIBRARIES).filter((name) => name !== 'c')
offer('library', libraries, isSummary ? SUMMARY.libraries : libraries)
offer('case', inPage.map(({ name }) => name), isSummary ? Object.keys(SUMMARY.sizes) : ['loop']) // prettier-ignore
offer('size', [...new Set(inPage.flatMap(({ sizes }) => sizes))].sort((a, b) => a - b), [1_000]) // prettier-ignore
for (const name of ['repeats', 'milliseconds'])
  form.elements[name].value = given.get(name) ?? form.elements[name].value
document.getElementById('size').disabled = isSummary
start.addEventListener('click', measure)
stop.addEventListener('click', () => stopper.abort())
save.addEventListener('click', saveResults)
start.disabled = false

/** A box for each value; those are checked that the page's address names, else `usual` ones. */
function offer(name, values, usual) {
  const chosen = given.has(name) ? given.getAll(name) : usual.map(String)
  for (const value of values) {
    const label = document.createElement('label')
    const box = Object.assign(document.createElement('input'), { type: 'checkbox', name, value })
    box.checked = chosen.includes(String(value))
    label.append(box, LIBRARIES[value]?.label ?? value.toLocaleString('en'))
    document.getElementById(name).append(label)
  }
}

function choice() {
  const data = new FormData(form)
  const sizes = data.getAll('size').map(Number)
  return {
    cases: inPage.filter(({ name }) => data.getAll('case').includes(name)),
    libraries: data.getAll('library'),
    // Of those that a case has.
    sizes: isSummary ? SUMMARY.sizes : Object.fromEntries(inPage.map((work) => [work.name, work.sizes.filter((size) => sizes.includes(size))])), // prettier-ignore
    repeats: Number(data.get('repeats')),
    milliseconds: Number(data.get('milliseconds')),
    summary: false,
  }
}

async function measure() {
  const options = choice()
  const { jobs } = plan(options, PACKAGES)
  stopper = new AbortController()
  const { signal } = stopper
  setRunning(true)
  tables.replaceChildren()
  await measureAll(jobs, options, {
    isolate: ({ library, way, work, size }, timing) =>
      askWorker({ library, way, caseName: work.name, size, ...timing, resolution }, signal),
    progress: { line() {}, show: (text) => (said.textContent = text), done: () => draw(jobs, options) },
    signal,
  })
  draw(jobs, options)
  setRunning(false)
  const { rows, refused } = results
  // For who drives the page: see measure.js.
  if (!signal.aborted) globalThis.measured = results
  said.textContent = `${signal.aborted ? 'Stopped' : 'Done'}: right results: ${rows.length}, wrong ones: ${refused.length}.`
}

function setRunning(running) {
  form.inert = start.disabled = running
  stop.disabled = !running
  save.disabled = running || !results
  document.body.toggleAttribute('data-running', running)
}

/** All tables, from what is known so far. */
function draw(jobs, options) {
  results = resultsOf(jobs, options, { packages: PACKAGES, machine })
  tables.replaceChildren(...groupsOf(results).map(tableOf))
}

function tableOf(group) {
  const table = document.createElement('table')
  table.dataset.case = group.work.name
  table.createCaption().textContent = titleOf(group)
  const lines = group.rows.length > 0 ? linesOf(group) : []
  const refused = group.refused.map(({ label, way, error }) => [label, way, `No time. ${error}`])
  for (const line of [...lines, ...refused]) {
    const row = table.insertRow()
    row.className = refused.includes(line) ? 'refused' : ''
    for (const text of line) row.insertCell().textContent = text
  }
  return table
}

function saveResults() {
  const href = URL.createObjectURL(new Blob([JSON.stringify(results, undefined, 2)]))
  const download = `strata-ecs-bench-${results.date.slice(0, 16).replaceAll(':', '')}.json`
  Object.assign(document.createElement('a'), { href, download }).click()
  URL.revokeObjectURL(href)
}

/** Resolves to what the worker reported; rejects with what it threw, or with an AbortError when `signal` was aborted. */
async function askWorker(request, signal) {
  for (let starts = 1; ; starts++) {
    try {
      return await askOnce(request, signal)
    } catch (error) {
      if (!(error instanceof NotStarted) || starts === MOST_STARTS) throw error
    }
  }
}

function askOnce(request, signal) {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
  const ended = new AbortController()
  return new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { signal: ended.signal })
    worker.onmessage = ({ data: { report, error } }) => (report ? resolve(report) : reject(error))
    worker.onerror = ({ message }) =>
      reject(message ? new Error(message) : new NotStarted('the worker could not be started'))
    worker.postMessage(request)
  }).finally(() => {
    ended.abort()
    worker.terminate()
  })
}

/** Nothing of it is sent anywhere: it stands in the page and in the file that is saved. */
function thisMachine() {
  const { userAgent, hardwareConcurrency: cores } = navigator
  const found = /(Firefox|Chrome|Version)\/(\d+)/.exec(userAgent) ?? []
  const name = { Chrome: 'Chromium', Version: 'Safari' }[found[1]] ?? found[1]
  const platform = /Windows|Mac OS X|Android|Linux/.exec(userAgent)?.[0] ?? navigator.platform
  return { browser: `${name} ${found[2]}`, userAgent, platform, cores, resolution }
}
