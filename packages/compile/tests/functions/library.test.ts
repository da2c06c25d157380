// Shows that a kernel's source can import every name of the library, in AssemblyScript, in TypeScript and in an editor.

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import * as library from 'strata-ecs/kernel'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as functions from '../../src/functions/functions'
import { compileKernels } from '../../../kernels/src/index'
import { typeCheck } from '../../../../tests/support/typeCheck'

const ROOT = resolve(import.meta.dirname, '../../../..')

// Every name that a kernel's source may import, used. It is AssemblyScript and TypeScript at once.
const KERNELS = `
import { Column, Count, Entities, Entity, Lanes, Max, Min, ReadonlyColumn, ReadonlyResource, ReadonlyVec16Column, Resource, Rows, Sum, Text, Vec3Column, cos, exp, random, randomFloat, rsqrt, sin } from 'strata-ecs/kernel'

const GRAVITY: f32 = -9.81

export function fall(rows: Lanes, py: Column<f32>, vy: Column<f32>, dt: f32): void {
  for (let i = rows.start; i < rows.end; i++) {
    vy[i] += GRAVITY * dt
    py[i] += vy[i] * dt
  }
}

function square(x: f32): f32 {
  return x * x
}

export function bounce(
  rows: Rows,
  p: Vec3Column<f32>,
  m: ReadonlyVec16Column<f64>,
  flags: Column<bool>,
  ages: Column<u8>,
  entities: Entities,
  target: Column<Entity>,
  names: ReadonlyColumn<Text>,
  tick: u32,
): Count {
  let count: u32 = 0
  for (let i = rows.start; i < rows.end; i++) {
    p[i][0] += f32(m[i][12])
    if (p[i][1] < 0) {
      p[i][1] = abs<f32>(p[i][1])
      flags[i] = !flags[i]
      count++
    }
    ages[i] = ages[i] + 1
    target[i] = entities[i]
    if (names[i] == 3) p[i][2] = sqrt<f32>(square(sin(p[i][2])) + cos(f32(i)) * rsqrt(exp(1)))
    p[i][2] += randomFloat(random(1, entities[i]), tick)
  }
  return count
}

export function total(rows: Rows, v: ReadonlyColumn<f32>): Sum<f32> {
  let sum: f32 = 0
  for (let i = rows.start; i < rows.end; i++) sum += v[i]
  return sum
}

export function gather(rows: Rows, at: ReadonlyColumn<u32>, cells: Resource<f32>): void {
  for (let i = rows.start; i < rows.end; i++) cells[at[i]] += 1
}

export function blur(from: ReadonlyResource<f32>, to: Resource<f32>, last: i32): Sum<f32> {
  for (let k = 1; k < last; k++) to[k] = (from[k - 1] + from[k + 1]) / 2
  return to[1]
}

export function least(rows: Rows, v: ReadonlyColumn<i32>): Min<i32> {
  let least = v[rows.start]
  for (let i = rows.start; i < rows.end; i++) least = min<i32>(least, v[i])
  return least
}

export function most(rows: Rows, v: ReadonlyColumn<i32>): Max<i32> {
  let most = v[rows.start]
  for (let i = rows.start; i < rows.end; i++) most = max<i32>(most, v[i])
  return most
}
`

// Beside the page's own globals, and running a kernel's source over typed arrays.
const PAGE = `
import { createWorld } from 'strata-ecs'
import { Rows, sin } from 'strata-ecs/kernel'
import { blur, gather, total } from './fall.kernel.js'

const cells = new Float32Array(4)
gather(new Rows(0, 4), new Uint32Array(4), cells)
const sum: number = total(new Rows(0, 4), cells) + blur(cells, cells, 2)
console.log(createWorld, sin(sum), document.title, window.close, Math.min(1, 2))
`

const MISTAKES = `
import { Entities, Lanes, ReadonlyColumn, ReadonlyResource, Vec2Column } from 'strata-ecs/kernel'

export function wrong(rows: Lanes, v: ReadonlyColumn<f32>, p: Vec2Column<f32>, entities: Entities, r: ReadonlyResource<f32>): void {
  v[0] = 1
  p[0] = p[1]
  entities[0] = 1
  rows.start = 1
  r[0] = 1
}
`

let scratch = ''

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'strata-kernel-'))
  const copied = join(scratch, 'node_modules/strata-ecs')
  mkdirSync(copied, { recursive: true })
  for (const name of ['package.json', 'dist']) {
    cpSync(join(ROOT, name), join(copied, name), { recursive: true })
  }
  symlinkSync(join(ROOT, 'node_modules/assemblyscript'), join(scratch, 'node_modules/assemblyscript'))
  writeFileSync(join(scratch, 'package.json'), JSON.stringify({ name: 'scratch', type: 'module' }))
  for (const [name, text] of Object.entries({ 'fall.kernel': KERNELS, page: PAGE, wrong: MISTAKES })) {
    writeFileSync(join(scratch, `${name}.ts`), text)
  }
})

afterAll(() => {
  if (scratch !== '') rmSync(scratch, { recursive: true, force: true })
})

/** What the TypeScript compiler says of these files; nothing when it is content. */
function check(moduleResolution: string, files: string[], skipLibCheck = true): string {
  const compilerOptions = {
    ...{ noEmit: true, target: 'ES2022', lib: ['ES2022', 'DOM'], types: [], moduleResolution },
    module: moduleResolution === 'nodenext' ? 'nodenext' : 'esnext',
    ...{ strict: true, verbatimModuleSyntax: true, erasableSyntaxOnly: true, noUnusedLocals: true },
    ...{ exactOptionalPropertyTypes: true, skipLibCheck },
  }
  writeFileSync(join(scratch, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  return typeCheck(join(scratch, 'tsconfig.json'))
}

it('the compiler accepts the source of a kernel', async () => {
  const { kernels } = await compileKernels(join(scratch, 'fall.kernel.ts'))
  const names = ['fall', 'bounce', 'total', 'gather', 'blur', 'least', 'most']
  expect(kernels.map(({ kernel }) => kernel)).toEqual(names)
})

describe.each(['bundler', 'nodenext'])('an editor with moduleResolution %s', (resolution) => {
  it('accepts the source of a kernel, next to the globals of a page', () => {
    expect(check(resolution, ['fall.kernel.ts', 'page.ts'], false)).toBe('')
  })

  it('marks mistakes', () => {
    const lines = check(resolution, ['wrong.ts']).trim().split('\n')
    expect(lines.map((line) => /^wrong\.ts\((\d+),\d+\): error (\w+)/.exec(line)?.slice(1))).toEqual([
      ['5', 'TS2542'],
      ['6', 'TS2542'],
      ['7', 'TS2542'],
      ['8', 'TS2540'],
      ['9', 'TS2542'],
    ])
  })
})

it('an editor needs AssemblyScript only for the sources of kernels', () => {
  const link = join(scratch, 'node_modules/assemblyscript')
  rmSync(link)
  try {
    const withoutKernel = "import { sin } from 'strata-ecs/kernel'\nconsole.log(sin(1))\n"
    writeFileSync(join(scratch, 'functions.ts'), withoutKernel)
    writeFileSync(join(scratch, 'main.ts'), "import { createWorld } from 'strata-ecs'\ncreateWorld()\n")
    expect(check('bundler', ['functions.ts'])).toBe('')
    expect(check('bundler', ['main.ts'], false)).toBe('')
    expect(check('bundler', ['fall.kernel.ts'])).toMatch(/Cannot find name 'f32'/)
  } finally {
    symlinkSync(join(ROOT, 'node_modules/assemblyscript'), link)
  }
})

describe('the entry strata-ecs/kernel', () => {
  it('has every name of the AssemblyScript library except the lanes, as a value', () => {
    const list = readFileSync(join(ROOT, 'assembly/kernel/index.ts'), 'utf8')
    const names = Array.from(list.matchAll(/^export \{([^}]*)\}/gm), ([, inside]) =>
      inside!.match(/\w+/g)!,
    ).flat()
    const forKernels = names.filter((name) => !/^[a-z]\w*Lanes/.test(name)).sort()
    expect(Object.keys(library).sort()).toEqual(forKernels)
    expect(forKernels).toContain('Vec16Column')
  })

  it('has the functions that are tested', () => {
    for (let i = 0; i < 100; i++) {
      expect(library.sin(i)).toBe(functions.sin(i))
      expect(library.exp(i)).toBe(functions.exp(i))
      expect(library.randomFloat(i, 1)).toBe(functions.randomFloat(i, 1))
    }
  })

  it('lets the source of a kernel run as TypeScript, over typed arrays', () => {
    const rows = new library.Rows(2, 5)
    const x: library.Column<number> = Float32Array.of(1, 2, 3, 4, 5, 6)
    const cells: library.Resource<number> = x
    let sum = 0
    for (let i = rows.start; i < rows.end; i++) sum += cells[i]!
    expect(sum).toBe(12)
    expect(new library.Lanes(0, 4)).toBeInstanceOf(library.Rows)
  })
})
