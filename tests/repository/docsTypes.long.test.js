// Shows that the programs in the documentation are correct TypeScript, also under strict flags: for the version that the tools need,
// and for TypeScript 7, which most users have.

import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TSC, TSC_7 } from '../../scripts/types.js'
import { inPages, root, runnable } from '../support/documentation.js'

/** Inside the package, so that 'strata-ecs' is the package itself. */
const FOLDER = join(root, 'build/docsTypes')
const whole = [...runnable, ...inPages]

const COMPILER_OPTIONS = {
  module: 'ESNext',
  moduleResolution: 'bundler',
  target: 'ES2022',
  lib: ['ES2022', 'DOM'],
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  skipLibCheck: true,
}

function writeProject(folder, files) {
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const project = { compilerOptions: COMPILER_OPTIONS, include: ['*.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project))
}

beforeAll(() => {
  rmSync(FOLDER, { recursive: true, force: true })
  writeProject(FOLDER, Object.fromEntries(whole.map(({ code }, i) => [`${i}.ts`, code])))
  const wrong = "import { f32 } from 'strata-ecs'\nexport const no: string = f32\n"
  writeProject(join(FOLDER, 'wrong'), { 'wrong.ts': wrong })
})
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

/** What `tsc -p` prints, which is nothing when it is content. A place in a program is that in its page. */
function typeCheck(tsc, project) {
  const { stdout, stderr } = spawnSync(process.execPath, [tsc, '-p', project, '--pretty', 'false'], {
    cwd: root,
    encoding: 'utf8',
  })
  return (stdout + stderr).replace(/^\S*?(\d+)\.ts\((\d+),/gm, (_, program, row) => {
    const { page, line, linesBefore } = whole[program]
    return `${page}(${line + Number(row) - linesBefore},`
  })
}

describe.each([
  ['6', TSC],
  ['7', TSC_7],
])('for TypeScript %s', (_, tsc) => {
  it('the programs in the documentation are correct', () => {
    expect(typeCheck(tsc, FOLDER)).toBe('')
  })

  it('an error is found, so the check works', () => {
    expect(typeCheck(tsc, join(FOLDER, 'wrong'))).toContain('wrong.ts(2,14): error TS2322')
  })
})
