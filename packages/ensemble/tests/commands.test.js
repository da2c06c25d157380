// Shows what the commands of strata-ensemble do, print and end with.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandOf } from '../src/commands.ts'
import { readResults } from '../src/index.ts'
import { COMMAND, moduleOf, partsIn, run, scratch, start, until } from './support/ensemble.js'

const walk = moduleOf('walk')

describe('strata-ensemble', () => {
  it('runs, shows and exports', async () => {
    const out = join(scratch(), 'runs')
    const done = await run([
      'run',
      walk,
      '--seeds',
      '0..9,20',
      '--set',
      'step=1,2',
      '--set',
      'name=a',
      '--out',
      out,
    ])
    expect(done).toMatchObject({
      code: 0,
      output: `22 of 22 runs are done.\nLook at them with: strata-ensemble show ${out}\n`,
    })
    expect(done.errors).toContain('22 of 22 done, 0 running, ready')
    const again = await run([
      'run',
      walk,
      '--seeds',
      '0..11',
      '--set',
      'step=1,2',
      '--set',
      'name=a',
      '--out',
      out,
    ])
    expect(again.output).toContain('24 of 24 runs are done, 20 of them before.')

    const picture = join(out, 'chart.svg')
    const shown = await run([
      'show',
      out,
      '--svg',
      picture,
      '--charts',
      'distance over step, crossings over step',
    ])
    expect(shown).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^walk\.run: 26 runs, 26 rows, 0 failed/),
    })
    expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('distance over step')
    expect(readFileSync(picture, 'utf8')).toContain('<svg')

    const files = ['parquet', 'arrow', 'csv'].flatMap((format) => [`--${format}`, join(out, `all.${format}`)])
    expect((await run(['export', out, ...files])).output.match(/26 runs, 26 rows/g)).toHaveLength(3)
    expect(readFileSync(join(out, 'all.csv'), 'utf8').split('\n')).toHaveLength(28)
  })

  it('shows the requested groups, reports which runs gave NaN, and ends with code 1 then', async () => {
    const out = scratch()
    const words = ['run', moduleOf('trouble'), '--seeds', '0..3', '--set', 'trouble=none,nan', '--out', out]
    expect((await run(words)).code).toBe(0)
    const { code, output } = await run(['show', out, '--groups', 1, '--groups', 'trouble=nan'])
    expect(output).toContain('8 runs, 8 rows, 0 failed, 4 with NaN')
    expect(output).toContain('4 of 8 runs gave NaN, in value:')
    expect(code).toBe(1)
    const refused = await run(['show', out, '--groups', 'trouble=throw'])
    expect(refused).toMatchObject({
      code: 2,
      output: '',
      errors: expect.stringContaining('No group has these values'),
    })
  })

  it('lists failed runs, and ends with code 1', async () => {
    const { code, output, errors } = await run([
      'run',
      moduleOf('trouble'),
      '--seeds',
      3,
      '--set',
      'trouble=none,throw',
      '--out',
      scratch(),
    ])
    expect(code).toBe(1)
    expect(output).toContain('1 of 2 runs are done, 1 failed.')
    expect(errors).toMatch(
      /seed 3 \(\d+\), trouble throw, run 2 times: the walker left the map\n +RangeError/,
    )
    expect(errors).toContain('about to throw, number 3')
  })

  it.each([
    [['run', '/nowhere/a.js'], 'There is no file /nowhere/a.js'],
    [['run', walk, '--seeds', 'many'], `'many' names no seeds`],
    [['run', walk, '--set', 'speed=1'], `no parameter 'speed': the module has step, steps, name`],
    [['run', walk, '--set', 'step=fast'], `'step' is a finite number`],
    [['run', walk, '--out', '/dev/null/runs'], 'cannot be written'],
    [['run', walk, '--queue', 'somewhere'], 'redis://host:6379'],
    [['show', '/nowhere'], 'holds no ensemble'],
    [['export', '/nowhere', '--csv', 'a'], 'holds no ensemble'],
    [['export', '/nowhere'], '--parquet, --arrow or --csv'],
  ])('answers %j with a sentence', async (words, sentence) => {
    const { code, errors } = await run(words, { cwd: scratch() })
    expect(errors).toContain(sentence)
    expect(errors).not.toMatch(/^ +at /m)
    expect(code).toBe(2)
  })

  it.each([
    [['--help'], 0],
    [['--version'], 0],
    [['help', 'run'], 0],
    [[], 2],
  ])('answers %j, and ends with %i', async (words, expected) => {
    expect((await run(words)).code).toBe(expected)
  })

  it('runs the values of a parameter that were given as several words, and seeds', async () => {
    const out = scratch()
    const words = [
      'run',
      walk,
      '--seeds',
      '0..1',
      '--seeds',
      5,
      '--set',
      'step=1',
      '--set',
      'step=2',
      '--out',
      out,
    ]
    expect((await run([...words, '--set', 'name="a, b",c'])).output).toContain('12 of 12 runs are done.')
    const found = readResults(out).runs.map(
      ({ index, parameters: { step, name } }) => `${index} ${step} ${name}`,
    )
    expect(new Set(found).size).toBe(12)
    expect(found).toContain('5 1 a, b')
  })

  it.skipIf(process.platform === 'win32')('goes on when the reader of its output has gone', async () => {
    const out = scratch()
    // `true` ends at once, and the pipe with it.
    const command = ['bash', '-c', '"$0" "$@" 2>&1 | true; exit ${PIPESTATUS[0]}', process.execPath, COMMAND]
    const words = ['run', walk, '--seeds', '0..1999', '--out', out, '--threads', 1]
    expect((await run(words, { command })).code).toBe(0)
    expect(readResults(out).runs).toHaveLength(2000)
  })

  it('attributes to a run the errors that its module throws later, outside any call', async () => {
    const folder = scratch()
    const module = join(folder, 'late.run.js')
    writeFileSync(
      module,
      `setTimeout(() => { throw new Error('too late') }, 50)
       export default { columns: { v: 'f64' }, run: () => new Promise(() => {}) }`,
    )
    const { code, errors } = await run(['run', module, '--seeds', 0, '--out', join(folder, 'out')])
    expect(errors).toMatch(/seed 0 .*: too late$/m)
    expect(code).toBe(1)
  })

  it('finishes running work on Ctrl-C, says how to continue, and does', async () => {
    const out = scratch()
    const words = ['run', walk, '--seeds', '0..19999', '--out', out, '--threads', 1]
    const { child, ended } = start(words)
    await until(() => partsIn(join(out, 'parts')).length > 0)
    child.kill('SIGINT')
    const { code, output, errors } = await ended
    expect(code).toBe(3)
    expect(errors).toContain('No further run begins.')
    const [, done, missing] = /^(\d+) of 20000 runs are done\.\nStopped with (\d+) to go\./.exec(output)
    expect(Number(done) + Number(missing)).toBe(20000)
    expect(output).toContain(`Go on with: strata-ensemble ${words.join(' ')}`)
    expect(readResults(out).runs).toHaveLength(Number(done))
    expect((await run(words)).output).toContain(`20000 of 20000 runs are done, ${done} of them before.`)
  })

  it('ends running work on a second Ctrl-C', async () => {
    const gate = join(scratch(), 'gate')
    const { child, ended, says } = start([
      'run',
      moduleOf('days'),
      '--seeds',
      0,
      '--set',
      'waitOnDay=2',
      '--set',
      `gate=${gate}`,
      '--out',
      scratch(),
    ])
    await until(() => existsSync(`${gate}.waiting`))
    child.kill('SIGINT')
    await says('No further run begins.')
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 3, output: expect.stringContaining('Stopped with 1 to go.') })
  })

  it.skipIf(process.platform === 'win32')(
    'stops on a full disk with a sentence, keeps finished work, and continues',
    async () => {
      const out = scratch()
      const words = ['run', walk, '--seeds', '0..2999', '--out', out, '--threads', 1]
      // No file may become larger than this.
      const limited = ['bash', '-c', 'ulimit -f 64 && exec "$0" "$@"', process.execPath, COMMAND]
      const { code, errors } = await run(words, { command: limited })
      expect(errors).toMatch(/The disk is full \(EFBIG in .*\)\. Every run that is done is kept: make room/)
      expect(code).toBe(2)
      const kept = readResults(out).runs.length
      expect(kept).toBeGreaterThan(0)
      expect((await run(words)).output).toContain(`3000 of 3000 runs are done, ${kept} of them before.`)
    },
  )

  it('refuses a folder of another text', async () => {
    const out = scratch()
    await run(['run', walk, '--seeds', 0, '--out', out])
    const { code, errors } = await run(['run', moduleOf('trouble'), '--seeds', 0, '--out', out])
    expect(errors).toContain('holds results of another text of walk.run')
    expect(code).toBe(2)
  })

  it.each(['', '{', 'null', '{ "format": 2 }'])(
    'answers ensemble.json with %j in it with a sentence',
    async (text) => {
      const out = scratch()
      writeFileSync(join(out, 'ensemble.json'), text)
      for (const words of [
        ['show', out],
        ['export', out, '--csv', join(out, 'a')],
        ['run', walk, '--out', out],
      ]) {
        const { code, errors } = await run(words)
        expect(errors).toContain('ensemble.json is damaged: remove it')
        expect(errors).not.toMatch(/^ +at /m)
        expect(code).toBe(2)
      }
    },
  )

  it('turns random numbers into errors in strict runs', async () => {
    const { errors, code } = await run([
      'run',
      moduleOf('trouble'),
      '--seeds',
      0,
      '--set',
      'trouble=random',
      '--strict',
      '--out',
      scratch(),
    ])
    expect(errors).toContain('Math.random was called in a strict run')
    expect(code).toBe(1)
  })

  it('needs two more packages only for a queue, and names them', async () => {
    const folder = scratch()
    const hook = `export const resolve = (name, context, next) =>
      name === 'bullmq' ? Promise.reject(new Error('not installed')) : next(name, context)`
    writeFileSync(join(folder, 'hook.mjs'), hook)
    writeFileSync(
      join(folder, 'without.mjs'),
      `import { register } from 'node:module'\nregister('./hook.mjs', import.meta.url)`,
    )
    const command = [process.execPath, '--import', join(folder, 'without.mjs'), COMMAND]
    const { errors, code } = await run(
      ['run', walk, '--queue', 'redis://127.0.0.1:1', '--out', join(folder, 'runs')],
      { command },
    )
    expect(errors).toContain('npm install bullmq ioredis')
    expect(code).toBe(2)
  })
})

it.each([
  [['run', 'a.js', '--out', 'my runs'], "run a.js --out 'my runs'"],
  [['--set', "r=a b'c"], `--set 'r=a b'\\''c'`],
  [['--queue', 'redis://:pw1@127.0.0.1:7392'], 'redis://:PASSWORD@127.0.0.1:7392'],
  [['--queue=rediss://me:p@w:1@host/0'], '--queue=rediss://me:PASSWORD@host/0'],
  [['--queue', 'redis://host:6379'], 'redis://host:6379'],
])('the command to continue is %j as a shell reads it, without a password', (words, written) => {
  expect(commandOf(words)).toContain(written)
  expect(commandOf(words)).not.toMatch(/pw1|p@w/)
})
