// Shows what scripts/same-build.js takes for the same build, and what it does not.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { compareBuilds } from '../../scripts/same-build.js'

let root
beforeAll(() => (root = mkdtempSync(join(tmpdir(), 'strata-builds-'))))
afterAll(() => rmSync(root, { recursive: true }))

/** The verdict on one file, whose text is undefined where there is none. */
async function verdict(file, before, after) {
  const folders = [before, after].map((text, i) => {
    const folder = mkdtempSync(join(root, `${i}-`))
    mkdirSync(folder, { recursive: true })
    if (text !== undefined) writeFileSync(join(folder, file), text)
    return folder
  })
  return (await compareBuilds(...folders)).map(({ how }) => how)
}

const CODE = 'class Place { row = 0 }\nexport const make = () => new Place()\n'

it.each([
  ['a module that did not change', 'a.js', CODE, CODE, 'equal'],
  [
    'a class with another name',
    'a.js',
    CODE,
    CODE.replaceAll('Place', 'Position'),
    'equal but for names and comments',
  ],
  ['another comment', 'a.js', CODE, `// Why.\n${CODE}`, 'equal but for names and comments'],
  ['a property with another name', 'a.js', CODE, CODE.replace('row', 'index'), 'different'],
  ['an export with another name', 'a.js', CODE, CODE.replace('make', 'create'), 'different'],
  ['another value', 'a.js', CODE, CODE.replace('0', '1'), 'different'],
  ['another type', 'a.d.ts', 'export type A = 1\n', 'export type A = 2\n', 'different'],
  ['a file that is gone', 'a.js', CODE, undefined, 'missing'],
  ['a file that is new', 'a.js', undefined, CODE, 'new'],
])('%s', async (_, file, before, after, how) => {
  expect(await verdict(file, before, after)).toEqual([how])
})

it('leaves maps out, which name the sources', async () => {
  expect(await verdict('a.js.map', '{}', '{ }')).toEqual([])
})
