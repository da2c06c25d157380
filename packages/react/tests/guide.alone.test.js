// @vitest-environment happy-dom
// Shows that the program of docs/react.md does what the page says of it: which of its components render for a change.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { act } from 'react'
import ts from 'typescript'
import { afterAll, beforeAll, expect, it } from 'vitest'

const { document } = globalThis

const ROOT = resolve(import.meta.dirname, '../../..')
const PAGE = readFileSync(join(ROOT, 'docs/react.md'), 'utf8')
const [, PROGRAM] = /^```tsx\n(.*?)^```$/ms.exec(PAGE)

/** The program as it is on the page, but that its components count how often they render, and that it hands out its world. */
function counted(program) {
  const { outputText } = ts.transpileModule(program, {
    compilerOptions: {
      jsx: ts.JsxEmit.ReactJSX,
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2022,
    },
  })
  const counting = outputText.replace(/function (\w+)\(.*\) \{$/gm, '$&\nrenders.$1 = (renders.$1 ?? 0) + 1')
  return `const renders = {}\n${counting}\nexport { Done, Task, renders, world }`
}

const folder = mkdtempSync(join(ROOT, 'build/react-guide-'))
let program

beforeAll(async () => {
  globalThis.IS_REACT_ACT_ENVIRONMENT = true
  document.body.innerHTML = '<div id="page"></div>'
  const file = join(folder, 'program.mjs')
  writeFileSync(file, counted(PROGRAM))
  await act(async () => (program = await import(/* @vite-ignore */ file)))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const rows = () => document.querySelectorAll('li').length
const left = () => document.querySelector('p').textContent

/** How often each component renders for a change. */
function rendersOf(change) {
  for (const name in program.renders) delete program.renders[name]
  act(change)
  return { ...program.renders }
}

it('renders the list once for a hundred changes, and a row only for its own', () => {
  const { Done, Task, world } = program
  const tasks = []
  const spawn = () => {
    for (let i = 0; i < 100; i++) tasks.push(world.spawn(Task({ title: `task ${i}` })))
  }
  expect(rendersOf(() => world.batch(spawn))).toEqual({ TaskList: 1, TaskRow: 100 })
  expect([rows(), left()]).toEqual([100, '100 left'])
  expect(rendersOf(() => world.destroy(tasks[50]))).toEqual({ TaskList: 1 })
  expect(rendersOf(() => world.add(tasks[3], Done))).toEqual({ TaskList: 1, TaskRow: 1 })
  expect(rendersOf(() => world.set(tasks[4], Task, { title: 'another' }))).toEqual({ TaskRow: 1 })
  expect([rows(), left()]).toEqual([99, '98 left'])
})
