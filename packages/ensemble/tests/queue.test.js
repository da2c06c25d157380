// Shows that workers of a queue give the results of one machine, whichever of them is lost on the way.

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { range, readResults, runEnsemble } from '../src/index.ts'
import { connectRedis, keysOf } from '../src/redis.ts'
import { openSource } from '../src/source.ts'
import { hand, moduleOf, run, scratch, startRedis, until, withoutRedis, work } from './support/ensemble.js'

const rowsOf = (out) =>
  readResults(out)
    .table.toArray()
    .map((row) => row.toJSON())

describe.skipIf(withoutRedis)('a queue', () => {
  it('gives the results of one machine, from two workers, and is empty afterwards', async () => {
    const redis = await startRedis()
    const [alone, out] = [scratch(), scratch()]
    const grid = { step: [1, 2] }
    await runEnsemble(moduleOf('walk'), { seeds: range(50), grid, out: alone })
    work(redis, 'walk')
    work(redis, 'walk')
    const outcome = await runEnsemble(moduleOf('walk'), { seeds: range(50), grid, out, queue: redis.url })
    expect(outcome).toMatchObject({ total: 100, done: 100, missing: 0, failed: [] })
    expect(rowsOf(out)).toEqual(rowsOf(alone))
    const connection = await connectRedis(redis.url, 10)
    const names = await connection.connect().keys('*:run-*')
    connection.close()
    expect(names).toEqual([])
  })

  it('accepts rows through a shared folder', async () => {
    const redis = await startRedis()
    const out = scratch()
    const ended = run(hand(redis, 'days', out, '--seeds', '0..3'))
    await until(() => existsSync(join(out, 'ensemble.json')))
    work(redis, 'days', '--out', out)
    expect((await ended).output).toContain('4 of 4 runs are done.')
    expect(rowsOf(out)).toHaveLength(40)
    expect(readResults(out).runs.every(({ part }) => !part.endsWith('-queue.arrow'))).toBe(true)
  })

  it('reports what a failed run threw and logged, after it was retried', async () => {
    const redis = await startRedis()
    work(redis, 'trouble')
    const options = {
      seeds: [3],
      grid: { trouble: ['throw', 'none'] },
      out: scratch(),
      queue: redis.url,
      retries: 2,
    }
    const { done, failed } = await runEnsemble(moduleOf('trouble'), options)
    expect(done).toBe(1)
    expect(failed).toMatchObject([
      { attempts: 3, failed: { message: 'the walker left the map', log: 'about to throw, number 3\n' } },
    ])
    expect(failed[0].failed.stack).toMatch(/trouble\.run\.js/)
    expect(await runEnsemble(moduleOf('trouble'), options)).toMatchObject({
      alreadyDone: 1,
      failed: [{ attempts: 3 }],
    })
  })

  it('ends a run that hangs, and continues', async () => {
    const redis = await startRedis()
    work(redis, 'trouble')
    const options = { seeds: [0], grid: { trouble: ['hang', 'none'] }, limitSeconds: 1, retries: 0 }
    const outcome = await runEnsemble(moduleOf('trouble'), { ...options, out: scratch(), queue: redis.url })
    expect(outcome).toMatchObject({ done: 1, failed: [{ failed: { code: 'TIME_LIMIT' } }] })
  })

  it('continues a long run on another machine, from its checkpoint, when the first one is lost', async () => {
    const redis = await startRedis()
    const [alone, out] = [scratch(), scratch()]
    const gate = join(scratch(), 'gate')
    const first = work(redis, 'days')
    const ended = run(
      hand(redis, 'days', out, '--seeds', '0', '--set', 'waitOnDay=5', '--set', `gate=${gate}`),
    )
    await until(() => existsSync(`${gate}.waiting`))
    // What the run kept reaches Redis by way of two processes, and dies with them before that.
    const connection = await connectRedis(redis.url, 10)
    const client = connection.connect()
    await until(async () => (await client.keys('*:checkpoint:*')).length > 0)
    connection.close()
    first.child.kill('SIGKILL')
    await first.ended
    writeFileSync(gate, '')
    work(redis, 'days')
    expect((await ended).output).toContain('1 of 1 run is done.')
    expect(existsSync(`${gate}.resumed`)).toBe(true)
    await runEnsemble(moduleOf('days'), { seeds: [0], out: alone })
    const figures = (folder) => rowsOf(folder).map(({ day, distance }) => [day, distance])
    expect(figures(out)).toEqual(figures(alone))
  })

  it('lets a worker that is to finish stop at a checkpoint, and another continue', async () => {
    const redis = await startRedis()
    const out = scratch()
    const gate = join(scratch(), 'gate')
    const first = work(redis, 'days')
    const ended = run(
      hand(redis, 'days', out, '--seeds', '0', '--set', 'waitOnDay=5', '--set', `gate=${gate}`),
    )
    await until(() => existsSync(`${gate}.waiting`))
    first.child.kill('SIGINT')
    await first.says('Finishing')
    writeFileSync(gate, '')
    expect((await first.ended).output).toBe('This worker did 0 runs; 0 failed.\n')
    work(redis, 'days')
    expect((await ended).output).toContain('1 of 1 run is done.')
    expect(existsSync(`${gate}.resumed`)).toBe(true)
    expect(rowsOf(out).map(({ day }) => day)).toEqual(range(10, 1))
  })

  it('that is lost stops everything with a sentence, and is resumed later', async () => {
    const redis = await startRedis()
    const out = scratch()
    const words = hand(redis, 'walk', out, '--seeds', '0..9', '--patience', 1)
    const lost = run(words)
    await until(() => existsSync(join(out, 'ensemble.json')))
    const worker = work(redis, 'trouble', '--patience', 1)
    await worker.says('Working on')
    await redis.kill()
    for (const ended of [lost, worker.ended]) {
      const { code, errors } = await ended
      expect(errors).toMatch(
        /Redis at 127\.0\.0\.1:\d+ has not answered for 1 s\..*give the same command again\.\n$/s,
      )
      expect(code).toBe(2)
    }
    await redis.start()
    work(redis, 'walk')
    expect((await run(words)).output).toContain('10 of 10 runs are done.')
  })

  it('refuses a worker with another text, and says so', async () => {
    const redis = await startRedis()
    const source = await openSource(moduleOf('walk'))
    const connection = await connectRedis(redis.url, 10)
    const client = connection.connect()
    const [now] = await client.time()
    await client.zadd(keysOf(source).texts, now, 'another')
    connection.close()
    const { code, errors } = await work(redis, 'walk').ended
    expect(errors).toMatch(/runs of another text of walk\.run.*bring this machine the same files/s)
    expect(code).toBe(2)
  })

  it('has one collector at a time', async () => {
    const redis = await startRedis()
    const connection = await connectRedis(redis.url, 10)
    await connection.connect().set(keysOf(await openSource(moduleOf('walk'))).collector, 'another')
    connection.close()
    const refused = runEnsemble(moduleOf('walk'), { seeds: [0], out: scratch(), queue: redis.url })
    await expect(refused).rejects.toThrow(expect.objectContaining({ code: 'OTHER_COLLECTOR' }))
  })

  it('ends workers that were asked to end when nothing is left', async () => {
    const redis = await startRedis()
    expect((await work(redis, 'walk', '--until-empty').ended).output).toBe(
      'This worker did 0 runs; 0 failed.\n',
    )
  })
})
