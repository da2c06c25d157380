// Shows what the command export does for a user: where rows go, and how it ends.

import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tableFromIPC } from 'apache-arrow'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { range, runEnsemble } from '../src/index.ts'
import { COMMAND, run } from './support/ensemble.js'

const RUNS = 2000

/** The command in a line of the shell, as $RUN. */
const inShell = (line) => ['bash', '-c', line.replaceAll('$RUN', '"$0" "$@"'), process.execPath, COMMAND]

describe.skipIf(process.platform === 'win32')('export', () => {
  let folder
  let whole

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ensemble-'))
    const module = join(folder, 'a.run.js')
    writeFileSync(
      module,
      `export default { columns: { x: 'f64', t: 'text' }, run: ({ seed }) => ({ x: -0, t: '=1+' + seed }) }`,
    )
    await runEnsemble(module, { seeds: range(RUNS), out: join(folder, 'runs'), threads: 1 })
    execFileSync(process.execPath, [COMMAND, 'export', 'runs', '--csv', 'whole.csv'], { cwd: folder })
    whole = readFileSync(join(folder, 'whole.csv'), 'utf8')
  })

  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

  it('writes texts as they are, and -0 with its sign', () => {
    const lines = whole.trimEnd().split('\n')
    expect(lines).toHaveLength(RUNS + 1)
    expect(lines[1]).toMatch(/^[0-9a-f]{32},0,221963287,-0,=1\+221963287$/)
  })

  it('stops on a full disk with a sentence and code 2, and leaves the file as it was', async () => {
    writeFileSync(join(folder, 'old.csv'), 'old')
    // No file may become larger than 20 KiB.
    const command = inShell('ulimit -f 20 && exec $RUN')
    const { code, output, errors } = await run(['export', 'runs', '--csv', 'old.csv'], {
      cwd: folder,
      command,
    })
    expect([code, output]).toEqual([2, ''])
    expect(errors).toContain('The disk is full (EFBIG in old.csv)')
    expect(readFileSync(join(folder, 'old.csv'), 'utf8')).toBe('old')
    expect(readdirSync(folder).filter((name) => name.includes('unfinished'))).toEqual([])
  })

  it('writes to standard output as -, and reports on standard error', async () => {
    const { code, output, errors } = await run(['export', 'runs', '--csv', '-'], { cwd: folder })
    expect([code, output === whole]).toEqual([0, true])
    expect(errors).toContain('Written -: 2,000 runs, 2,000 rows')
  })

  // Not as /dev/stdout: should this fail, a program of root would replace that for all others.
  it.each(['/dev/fd/1', 'directed.csv'])('writes to standard output as %s', async (name) => {
    const command = inShell('$RUN > directed.csv')
    expect(await run(['export', 'runs', '--csv', name], { cwd: folder, command })).toMatchObject({
      code: 0,
      errors: expect.stringContaining(`Written ${name}`),
    })
    expect(readFileSync(join(folder, 'directed.csv'), 'utf8') === whole).toBe(true)
  })

  it('gives Arrow through a pipe, too', async () => {
    const command = inShell('$RUN | cat > piped.arrow')
    await run(['export', 'runs', '--arrow', '-'], { cwd: folder, command })
    expect(tableFromIPC(readFileSync(join(folder, 'piped.arrow'))).numRows).toBe(RUNS)
  })

  it('ends well when the reader has read enough', async () => {
    const command = inShell('$RUN | head -1; exit ${PIPESTATUS[0]}')
    const { code, output } = await run(['export', 'runs', '--csv', '-'], { cwd: folder, command })
    expect([code, output]).toEqual([0, 'key,index,seed,x,t\n'])
  })

  it('says so when standard output is a full disk', async () => {
    const command = inShell('$RUN > /dev/full')
    for (const words of [
      ['export', 'runs', '--csv', '-'],
      ['show', 'runs', '--no-html'],
    ]) {
      const { code, errors } = await run(words, { cwd: folder, command })
      expect(errors).toContain('The disk is full (ENOSPC in standard output)')
      expect(code).toBe(2)
    }
  })

  it('keeps a link to a file, and writes to its target', async () => {
    mkdirSync(join(folder, 'there'))
    symlinkSync('there/all.csv', join(folder, 'link.csv'))
    expect((await run(['export', 'runs', '--csv', 'link.csv'], { cwd: folder })).code).toBe(0)
    expect(readFileSync(join(folder, 'there/all.csv'), 'utf8') === whole).toBe(true)
  })

  it('shows results without writing a page if none is requested, or only a page', async () => {
    expect((await run(['show', 'runs', '--no-html'], { cwd: folder })).code).toBe(0)
    expect(existsSync(join(folder, 'runs/report.html'))).toBe(false)
    const { output, errors } = await run(['show', 'runs', '--html', '-'], { cwd: folder })
    expect(output).toMatch(/^<!doctype html>.*<\/html>\n$/s)
    expect(errors).toContain('a.run: 2,000 runs')
  })
})
