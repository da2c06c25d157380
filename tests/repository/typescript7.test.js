// Shows that the package's types and the programs of the documentation hold for TypeScript 7, as they do for the version that the
// tools need.

import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { TSC_7 } from '../../scripts/types.js'
import { root, runnable } from '../support/documentation.js'

/** Inside the package, so that 'strata-ecs' is the package itself. */
const FOLDER = join(root, 'build/typescript7')

/** What `tsc -p` of TypeScript 7 prints: nothing when it is content. */
function typeCheck(project) {
  const { stdout, stderr } = spawnSync(process.execPath, [TSC_7, '-p', project, '--pretty', 'false'], {
    cwd: root,
    encoding: 'utf8',
  })
  return stdout + stderr
}

afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

describe('For TypeScript 7', () => {
  it.each(['tsconfig.json', 'tsconfig.nodenext.json'])('tests/types/%s holds', (config) => {
    expect(typeCheck(join('tests/types', config))).toBe('')
  })

  it('the programs in the documentation are correct, also under strict flags', () => {
    rmSync(FOLDER, { recursive: true, force: true })
    mkdirSync(FOLDER, { recursive: true })
    const fileOf = ({ page, line }) => `${page.replace(/\W/g, '-')}-${line}.ts`
    for (const program of runnable) writeFileSync(join(FOLDER, fileOf(program)), program.code)
    const compilerOptions = {
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
    writeFileSync(join(FOLDER, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    expect(typeCheck(FOLDER)).toBe('')
  })

  it('an error is one: the check would find it', () => {
    mkdirSync(FOLDER, { recursive: true })
    const wrong = join(FOLDER, 'wrong')
    mkdirSync(wrong, { recursive: true })
    writeFileSync(
      join(wrong, 'wrong.ts'),
      "import { f32 } from 'strata-ecs'\nexport const no: string = f32\n",
    )
    writeFileSync(join(wrong, 'tsconfig.json'), '{ "compilerOptions": { "noEmit": true, "types": [] } }')
    expect(typeCheck(wrong)).toContain('wrong.ts(2,14): error TS2322')
  })
})
