// Shows that a run that ends its process is found out, and that the other runs are still done.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Host } from '../src/host.ts'
import { range, readResults, runEnsemble } from '../src/index.ts'
import { seedOf } from '../src/plan.ts'
import { moduleOf, run, scratch, start, until } from './support/ensemble.js'

const HOW = { limitSeconds: 60, strict: false }
const trouble = (key, kind) => ({ key, index: 0, seed: seedOf(0), parameters: { trouble: kind } })

function hostOf(name, options = {}) {
  const parts = join(scratch(), 'parts')
  mkdirSync(parts)
  const host = new Host({
    href: pathToFileURL(moduleOf(name)).href,
    threads: 2,
    parts,
    writer: 'w',
    ...options,
  })
  onTestFinished(() => host.destroy())
  return host
}

describe('a host', () => {
  it('runs tasks in threads of another process', async () => {
    const host = hostOf('trouble')
    const { outcomes, undone } = await host.execute([trouble('k', 'none'), trouble('l', 'throw')], HOW)
    expect(outcomes).toMatchObject([
      { key: 'k', rows: 1, part: expect.stringMatching(/^w-\d+-\d+\.arrow$/) },
      { key: 'l', failed: { message: 'the walker left the map', log: 'about to throw, number 0\n' } },
    ])
    expect(undone).toEqual([])
  })

  it('gives runs back if one of several ended the process, and continues in a new one', async () => {
    const host = hostOf('trouble')
    const runs = [trouble('k', 'none'), trouble('l', 'kill')]
    expect(await host.execute(runs, HOW)).toEqual({ outcomes: [], undone: runs })
    expect((await host.execute([runs[0]], HOW)).outcomes).toMatchObject([{ key: 'k', rows: 1 }])
  })

  it('names the run that ended the process if no other was running', async () => {
    const host = hostOf('trouble')
    expect((await host.execute([trouble('k', 'kill')], HOW)).outcomes).toMatchObject([
      { key: 'k', failed: { code: 'PROCESS_LOST', message: expect.stringContaining('(SIGKILL)') } },
    ])
  })

  it('completes a run that was present when two processes ended, once it runs without others', async () => {
    const host = hostOf('trouble')
    const [killer, slow] = [trouble('k', 'kill'), trouble('s', 'slow')]
    for (let i = 0; i < 2; i++) {
      const [one, other] = await Promise.all([host.execute([killer], HOW), host.execute([slow], HOW)])
      expect([one.undone, other.undone]).toEqual([[killer], [slow]])
    }
    const [one, other] = await Promise.all([host.execute([killer], HOW), host.execute([slow], HOW)])
    expect(one.outcomes).toMatchObject([{ failed: { code: 'PROCESS_LOST' } }])
    expect(other.outcomes).toMatchObject([{ key: 's', rows: 1 }])
  })

  it('treats errors of any shape as failures, with whatever can be said about them', async () => {
    const host = hostOf('trouble')
    const { outcomes } = await host.execute([trouble('k', 'oddError'), trouble('l', 'reallyExit')], HOW)
    expect(outcomes.map(({ failed }) => failed.message)).toEqual([
      expect.stringContaining('was thrown.'),
      'A run called process.reallyExit: throw an error instead.',
    ])
  })

  it('that is stopped leaves its runs undone', async () => {
    const host = hostOf('trouble')
    const runs = [trouble('k', 'hang')]
    const ended = host.execute(runs, HOW)
    await until(() => host.progress.length > 0)
    host.stopNow()
    expect(await ended).toEqual({ outcomes: [], undone: runs })
  })

  it('refuses what its threads refuse, with the code', async () => {
    const host = new Host({ href: pathToFileURL(`${scratch()}/none.js`).href, threads: 1 })
    onTestFinished(() => host.destroy())
    await expect(host.execute([trouble('k', 'none')], HOW)).rejects.toThrow(
      expect.objectContaining({ code: 'NO_MODULE' }),
    )
  })
})

it('an ensemble with a run that ends its process completes all others, and lists that one', async () => {
  const out = scratch()
  const { done, failed } = await runEnsemble(moduleOf('trouble'), {
    seeds: range(3),
    grid: { trouble: ['none', 'kill'] },
    out,
    threads: 2,
    retries: 0,
  })
  expect(done).toBe(3)
  expect(failed).toHaveLength(3)
  expect(failed.every(({ failed: { code } }) => code === 'PROCESS_LOST')).toBe(true)
  expect(readResults(out).runs).toHaveLength(3)
})

it('no process remains of a program that was killed while its runs hang', async () => {
  const { child, ended } = start(['run', moduleOf('trouble'), '--set', 'trouble=hang', '--out', scratch()])
  const children = () =>
    execFileSync('ps', ['-o', 'pid=,ppid=', '-A'], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number))
      .filter(([, parent]) => parent === child.pid)
      .map(([pid]) => pid)
  await until(() => children().length > 0)
  const hosts = children()
  child.kill('SIGKILL')
  // Its output ends when nobody holds it open any more.
  await ended
  const isThere = (pid) => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  await until(() => !hosts.some(isThere))
})

it('Ctrl-C ends a program whose module never loads', async () => {
  const sign = join(scratch(), 'loading')
  const env = { ...process.env, LOADING_SIGN: sign }
  const { child, ended } = start(['run', moduleOf('endless'), '--out', scratch()], { env })
  await until(() => existsSync(sign))
  child.kill('SIGINT')
  expect(await ended).toMatchObject({ code: 3, errors: expect.stringContaining('Stopped while') })
})

it('a clock that is set during runs ends none of them', async () => {
  const jump = join(scratch(), 'jump.cjs')
  writeFileSync(
    jump,
    'const now = Date.now; const began = now(); Date.now = () => now() + (now() - began > 400 ? 7200e3 : 0)',
  )
  const words = ['run', moduleOf('trouble'), '--seeds', '0..3', '--set', 'trouble=slow', '--retries', 0]
  const env = { ...process.env, NODE_OPTIONS: `--require ${jump}` }
  const { code, output } = await run([...words, '--threads', 1, '--out', scratch()], { env })
  expect(output).toContain('4 of 4 runs are done.')
  expect(code).toBe(0)
})
