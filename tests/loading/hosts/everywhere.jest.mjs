// Runs the program in an environment of Jest, with values of the realm that Jest itself runs in.
import { readFileSync } from 'node:fs'
import vm from 'node:vm'
import * as library from 'strata-ecs'
import * as loops from 'strata-ecs/compile'
import { everywhere } from '../everywhere.js'

test('The program answers as in Node', () => {
  expect(typeof document).toBe(process.env.STRATA_HAS_PAGE === 'true' ? 'object' : 'undefined')
  const other = vm.runInNewContext('globalThis')
  const expected = readFileSync(new URL('../expected.json', import.meta.url), 'utf8')
  expect(everywhere(library, loops, { other })).toBe(expected)
  expect(everywhere(library, loops)).toBe(expected)
})
