// npm run bench -- growth: what calls cost in worlds that have more and more of something that does not concern them. It prints a
// table for each thing; of a call that notices it, also how much longer it takes and how steeply that grows.
import { createRequire } from 'node:module'
import os from 'node:os'
import { performance } from 'node:perf_hooks'
import * as library from '../../dist/index.js'
import { fail } from '../options.js'
import { MOST, TIMES, beside } from './beside.js'

const SIZES = [0, 10, 100, MOST]
/** Goes of a call for one figure, which is that of the fastest. */
const GOES = 60
/** What is less than this, noise can be. */
const NOTICED = 1.2

const { calls, subject, things } = beside(library)

/** Nanoseconds of one call in a world that has so many of a thing: the least of many goes, each on entities of its own. */
function timeOf(fill, count, call) {
  const world = library.createWorld()
  const kept = fill(world, count)
  let least = Infinity
  for (let go = 0; go < GOES; go++) {
    const prepared = subject(world)
    const began = performance.now()
    call(prepared)
    least = Math.min(least, performance.now() - began)
    for (const entity of prepared.moving.entities()) world.destroy(entity)
  }
  world.dispose()
  return kept === null ? 0 : (least * 1e6) / TIMES
}

/** For each call its time at each of the sizes; turns are taken, so that what else the machine does hits all of them. */
function row(fill) {
  return Object.entries(calls).map(([name, call]) => {
    const least = SIZES.map(() => Infinity)
    for (let round = 0; round < 3; round++) {
      SIZES.forEach((size, i) => (least[i] = Math.min(least[i], timeOf(fill, size, call))))
    }
    return { name, times: least }
  })
}

/** The slope on a log-log scale over the last step: 0 where a call does not notice, 1 where it grows with the thing. */
const slopeOf = ([, , few, many]) => Math.log10(many / few)

/**
 * Prints a table for each thing.
 *
 * @param {string[]} only the things to measure; all of them when empty
 */
export function growth(only) {
  const unknown = only.find((name) => !(name in things))
  if (unknown !== undefined) fail(`There is no '${unknown}'; there are: ${Object.keys(things).join(', ')}.`)
  const { version } = createRequire(import.meta.url)('../../package.json')
  console.log(
    `strata-ecs ${version}, node ${process.version}, ${os.cpus()[0].model}: nanoseconds a call beside ${SIZES.join(', ')}`,
  )
  for (const [thing, fill] of Object.entries(things)) {
    if (only.length > 0 && !only.includes(thing)) continue
    const rows = row(fill)
    const worst = Math.max(...rows.map(({ times: [one, , , many] }) => many / one))
    console.log(`\n${thing}: ${worst < NOTICED ? 'no call notices them' : ''}`)
    for (const { name, times } of rows) {
      const ratio = times.at(-1) / times[0]
      const figures = times.map((time) => time.toFixed(time < 100 ? 1 : 0).padStart(9)).join('')
      const noticed = ratio >= NOTICED ? `  x ${ratio.toFixed(2)}, slope ${slopeOf(times).toFixed(2)}` : ''
      console.log(`  ${name.padEnd(20)}${figures}${noticed}`)
    }
  }
}
