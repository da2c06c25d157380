// Shows the errors for trouble with a queue: no workers, workers with another source, forged jobs and results, passwords, and a
// Redis that is full or absent.

import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { range, readResults, runEnsemble } from '../src/index.ts'
import { digestOf } from '../src/disk.ts'
import { seedOf } from '../src/plan.ts'
import { PREFIX, connectRedis, keysOf, queueName } from '../src/redis.ts'
import { openSource } from '../src/source.ts'
import {
  hand,
  moduleOf,
  partsIn,
  run,
  scratch,
  start,
  startRedis,
  until,
  withoutRedis,
  work,
} from './support/ensemble.js'

describe.skipIf(withoutRedis)('a queue', () => {
  it('reports what is missing: a worker, or runs of its text', async () => {
    const redis = await startRedis()
    const { child, says } = start(hand(redis, 'walk', scratch(), '--seeds', '0'))
    await says('No worker of walk.run, text')
    const worker = work(redis, 'walk')
    await worker.says('Working on')
    await until(() => child.exitCode === 0)
    const connection = await connectRedis(redis.url, 10)
    const client = connection.connect()
    const [now] = await client.time()
    await client.zadd(keysOf(await openSource(moduleOf('walk'))).texts, Number(now) + 60, 'another')
    connection.close()
    await worker.says('The queue has runs of another text of walk.run')
  })

  it('completes all others if a run ends the process of its worker, and names that one', async () => {
    const redis = await startRedis()
    work(redis, 'trouble')
    const options = { seeds: [0, 1], grid: { trouble: ['kill', 'none'] }, retries: 0, out: scratch() }
    const { done, failed } = await runEnsemble(moduleOf('trouble'), { ...options, queue: redis.url })
    expect(done).toBe(2)
    expect(failed.map(({ index, failed: { code } }) => [index, code])).toEqual([
      [0, 'PROCESS_LOST'],
      [1, 'PROCESS_LOST'],
    ])
  })

  it('never reports runs as done whose rows are missing from the folder, and accepts them once they are copied there', async () => {
    const redis = await startRedis()
    const [out, other] = [scratch(), scratch()]
    work(redis, 'walk', '--out', other)
    const words = hand(redis, 'walk', out, '--seeds', '0..4')
    const { code, output } = await run(words)
    expect(output).toContain('0 of 5 runs are done.')
    expect(output).toContain(`The rows of 5 runs are not in ${out}`)
    expect(code).toBe(3)
    for (const name of partsIn(join(other, 'parts'))) {
      copyFileSync(join(other, 'parts', name), join(out, 'parts', name))
    }
    expect((await run(words)).output).toContain('5 of 5 runs are done, 5 of them before.')
  })

  it('accepts only messages of workers from others, and does nothing for them outside its folder', async () => {
    const redis = await startRedis()
    const source = await openSource(moduleOf('days'))
    const connection = await connectRedis(redis.url, 10)
    const { Queue, Worker } = connection.bullmq
    const common = { connection: connection.connect(), prefix: PREFIX }
    const root = scratch()
    const [out, outside] = [join(root, 'out'), join(root, 'outside')]
    mkdirSync(outside)
    const junk = [
      {
        run: { key: '../../outside/pwned', index: 0, seed: 1, parameters: source.definition.parameters },
        limitSeconds: 5,
      },
      { run: { key: 'f'.repeat(32), index: 0, seed: 1, parameters: source.definition.parameters } },
      { run: { index: -1 } },
      {},
    ]
    const queue = new Queue(queueName(source), common)
    await queue.addBulk(junk.map((data) => ({ name: 'run', data })))
    const { output } = await work(redis, 'days', '--out', join(root, 'shared'), '--until-empty').ended
    expect(output).toContain('This worker did 0 runs; 4 failed.')
    expect(partsIn(outside)).toEqual([])
    await queue.close()

    const forged = [
      (run) => ({
        key: run.key,
        ms: 1,
        rows: 1,
        part: '../../x.arrow',
        from: 0,
        bytes: 8,
        sha: '0'.repeat(32),
        at: 0,
      }),
      (run) => ({ key: run.key, ms: 1, rows: 1, sentRows: 'AAAA', sha: '0'.repeat(32) }),
      (run) => ({ key: run.key, ms: 1, rows: 1, sentRows: 'AAAA', sha: digestOf(Buffer.alloc(3)) }),
      (run) => ({ key: run.key, ms: 1, rows: -1 }),
      (run) => ({ key: run.key, ms: 'now', rows: 0 }),
      () => ({ key: 'other', ms: 1, rows: 0 }),
      () => null,
      (run) => ({
        key: run.key,
        ms: 1,
        rows: 0,
        index: 77,
        parameters: { days: 'evil' },
        seed: 5,
        failed: false,
      }),
    ]
    const forger = new Worker(queueName(source), async ({ data }) => forged[data.run.index](data.run), {
      ...common,
      connection: connection.connect(),
    })
    const outcome = await runEnsemble(moduleOf('days'), {
      seeds: range(forged.length),
      out,
      queue: redis.url,
      retries: 0,
    })
    await forger.close(true)
    connection.close()
    expect(outcome.done).toBe(1)
    expect(outcome.failed.map(({ failed: { code } }) => code)).toEqual(Array(7).fill('BAD_RESULT'))
    expect(readResults(out).runs).toMatchObject([
      { index: 7, seed: seedOf(7), parameters: source.definition.parameters },
    ])
  })

  it.each([
    ['no password', '', 'wants a password'],
    ['a wrong password', ':wrong-one@', 'refuses the name or the password'],
  ])(
    'that needs a password is reported if it is given %s, and a password is printed nowhere',
    async (_, given, sentence) => {
      const redis = await startRedis('--requirepass', 'secret-one')
      const url = redis.url.replace('//', `//${given}`)
      for (const words of [
        ['run', moduleOf('walk'), '--seeds', 0, '--out', scratch(), '--queue', url],
        ['work', moduleOf('walk'), '--queue', url],
      ]) {
        const { code, output, errors } = await run(words)
        expect(errors).toContain(sentence)
        expect(errors).not.toMatch(/^ +at /m)
        expect(output + errors).not.toMatch(/wrong-one|secret-one/)
        expect(code).toBe(2)
      }
    },
  )

  it('with a password works, and the password is not in the command to continue', async () => {
    const redis = await startRedis('--requirepass', 'secret-one')
    const url = redis.url.replace('//', '//:secret-one@')
    const out = join(scratch(), 'a b')
    const { child, ended } = start(['run', moduleOf('walk'), '--seeds', '0..4', '--out', out, '--queue', url])
    await until(() => existsSync(join(out, 'journals')))
    await new Promise((resolve) => setTimeout(resolve, 500))
    child.kill('SIGINT')
    const { code, output, errors } = await ended
    expect(output).toContain(`--out '${out}' --queue redis://:PASSWORD@127.0.0.1`)
    expect(output + errors).not.toContain('secret-one')
    expect(code).toBe(3)
  })

  it('that is full is reported, and continues when it has room', async () => {
    const redis = await startRedis('--maxmemory', '1mb')
    const out = scratch()
    const { code, errors } = await run(hand(redis, 'walk', out, '--seeds', '0..19999'))
    expect(errors).toMatch(
      /Redis at 127\.0\.0\.1:\d+ is full \(maxmemory\)\. Every result that arrived is kept/,
    )
    expect(errors).not.toMatch(/^ +at /m)
    expect(code).toBe(2)
  })

  it('lets Ctrl-C end a program whose workers are all dead', async () => {
    const redis = await startRedis()
    const out = scratch()
    const { child, ended } = start(hand(redis, 'trouble', out, '--seeds', '0..1', '--set', 'trouble=hang'))
    const worker = start(['work', moduleOf('trouble'), '--queue', redis.url, '--threads', 1, '--lock', 600])
    const connection = await connectRedis(redis.url, 10)
    const queue = new connection.bullmq.Queue(queueName(await openSource(moduleOf('trouble'))), {
      connection: connection.connect(),
      prefix: PREFIX,
    })
    await until(async () => (await queue.getActiveCount()) > 0)
    await queue.close()
    connection.close()
    worker.child.kill('SIGKILL')
    await worker.ended
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 3, output: expect.stringContaining('Stopped with 2 to go.') })
  })

  it('that does not exist lets Ctrl-C end a program and a worker at once', async () => {
    const url = 'redis://127.0.0.1:1'
    for (const words of [
      ['run', moduleOf('walk'), '--out', scratch(), '--queue', url, '--patience', 1000000],
      ['work', moduleOf('walk'), '--queue', url, '--patience', 1000000],
    ]) {
      const { child, ended } = start(words)
      // Until then it has not asked to be told of Ctrl-C.
      await new Promise((resolve) => setTimeout(resolve, 3000))
      expect(child.exitCode).toBeNull()
      child.kill('SIGINT')
      const { errors } = await ended
      expect(errors).not.toMatch(/TimeoutOverflowWarning|has not answered/)
    }
  })
})
