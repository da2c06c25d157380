// Shows that an ensemble killed at random moments, with and without a queue, ends with the same bytes as one that nothing
// disturbed. STRATA_ATTACKS makes the attack longer.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cases, generator } from './support/attacks.js'
import { moduleOf, partsIn, run, scratch, start, startRedis, withoutRedis } from './support/ensemble.js'

const KILLS = cases(8)
const ENSEMBLE = [moduleOf('days'), '--seeds', '0..29', '--set', 'days=30,31']

const delay = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

async function exported(out) {
  const path = join(scratch(), 'all.csv')
  await run(['export', out, '--csv', path])
  return readFileSync(path)
}

async function undisturbed() {
  const out = scratch()
  await run(['run', ...ENSEMBLE, '--out', out, '--threads', 2])
  return exported(out)
}

describe('an ensemble', () => {
  it('that is killed at any moment, again and again, has the same bytes in the end', async () => {
    const expected = await undisturbed()
    const { below } = generator(46)
    let kills = 0
    let ensembles = 0
    while (kills < KILLS) {
      const out = join(scratch(), 'runs')
      // On a busy machine a program has done nothing yet after two seconds: each has longer than the one before.
      let patience = 1500
      for (let isDone = false; !isDone; patience += 300) {
        const { child, ended } = start(['run', ...ENSEMBLE, '--out', out, '--threads', 2])
        const timer = setTimeout(() => child.kill('SIGKILL'), 100 + below(patience))
        const { code, signal, errors } = await ended
        clearTimeout(timer)
        expect(errors).not.toMatch(/^ +at /m)
        if (signal) kills++
        else expect(code).toBe(0)
        isDone = code === 0
      }
      expect((await exported(out)).equals(expected)).toBe(true)
      expect(partsIn(join(out, 'checkpoints')).filter((name) => !name.endsWith('.unfinished'))).toEqual([])
      ensembles++
    }
    console.log(`${kills} kills in ${ensembles} ensembles`)
  })

  it.skipIf(withoutRedis)(
    'that uses a queue has them too, whether the collector, a worker or Redis is killed',
    async () => {
      const expected = await undisturbed()
      const { below } = generator(47)
      const redis = await startRedis()
      const counts = { collector: 0, worker: 0, redis: 0 }
      const sum = () => counts.collector + counts.worker + counts.redis
      const collector = (out) =>
        start(['run', ...ENSEMBLE, '--out', out, '--queue', redis.url, '--patience', 60])
      const worker = () =>
        start(['work', moduleOf('days'), '--queue', redis.url, '--threads', 1, '--lock', 2, '--patience', 60])
      let ensembles = 0
      while (sum() < KILLS) {
        const out = join(scratch(), 'runs')
        let collecting = collector(out)
        const workers = [worker(), worker()]
        for (let round = 0; ; round++) {
          const quiet = round < 6 ? 300 + below(2500) : 600_000
          const result = await Promise.race([collecting.ended, delay(quiet)])
          if (result) {
            expect(result.errors).not.toMatch(/^ +at /m)
            expect(result.code).toBe(0)
            break
          }
          const which = below(3)
          if (which === 0) {
            collecting.child.kill('SIGKILL')
            await collecting.ended
            collecting = collector(out)
            counts.collector++
          } else if (which === 1) {
            const place = below(workers.length)
            workers[place].child.kill('SIGKILL')
            workers[place] = worker()
            counts.worker++
          } else {
            await redis.kill()
            await redis.start()
            counts.redis++
          }
        }
        for (const { child } of workers) child.kill('SIGKILL')
        expect((await exported(out)).equals(expected)).toBe(true)
        expect(existsSync(out)).toBe(true)
        ensembles++
      }
      console.log(`${sum()} kills in ${ensembles} ensembles: ${JSON.stringify(counts)}`)
      expect(sum()).toBeGreaterThanOrEqual(KILLS)
    },
  )
})
