// Shows what scripts/check.js decides to do about files that have changed.

import { describe, expect, it } from 'vitest'
import { planOf, projectOf } from '../../scripts/check.js'

describe('the project of a file', () => {
  it.each([
    ['bindings/world/world.ts', 'tsconfig.json'],
    ['packages/arrow/src/arrow.ts', 'tsconfig.json'],
    ['packages/compile/src/compile/compile.ts', 'tsconfig.json'],
    ['packages/compile/src/ahead/ahead.ts', 'packages/kernels/tsconfig.json'],
    ['packages/inspector/src/element/element.ts', 'packages/inspector/tsconfig.json'],
    ['packages/kernels/tests/errors.test.ts', 'tests/tsconfig.json'],
    ['tests/queries/query.test.ts', 'tests/tsconfig.json'],
    ['examples/basics/movement.ts', 'examples/tsconfig.json'],
  ])('of %s is %s', (file, project) => {
    expect(projectOf(file)).toBe(project)
  })
})

describe('the plan', () => {
  it('formats a page of the docs, and builds, lints and type-checks nothing for it', () => {
    const files = ['docs/events.md']
    expect(planOf(files)).toEqual({ steps: [], linted: [], formatted: files, projects: [] })
  })

  it('checks the types of the tests, too, after a change of the library', () => {
    const files = ['bindings/world/world.ts']
    expect(planOf(files)).toEqual({
      steps: ['core', 'each', 'worker'],
      linted: files,
      formatted: files,
      projects: ['tests/tsconfig.json', 'tsconfig.json'],
    })
  })

  it('builds the package where a program uses its types', () => {
    expect(planOf(['examples/orrery/src/main.ts']).steps).toEqual(['modules'])
  })

  it('leaves the types of the core to its own compiler, which the build runs', () => {
    const { steps, projects } = planOf(['assembly/rows/rows.ts'])
    expect([steps, projects]).toEqual([['core', 'each', 'worker'], []])
  })
})
