// Shows what TypeScript says of a program that imports kernels, as an editor would: from the source, from declarations beside it,
// and from what the command writes.

import { symlinkSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { compileKernels } from '../src/index'
import { writeDeclarationsBeside, writeModule } from '../src/output'
import { MOVEMENT, kernelFolder } from '../../../tests/support/kernelFiles'
import { typeCheck } from '../../../tests/support/typeCheck'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

const program = (
  path: string,
  lines: string,
) => `import { component, createKernel, createWorld, f32, f64 } from 'strata-ecs'
import { move } from '${path}'
const Position = component('Position', { x: f32, wide: f64 })
const Velocity = component('Velocity', { x: f32 })
const world = createWorld()
const moving = world.query(Position, Velocity)
${lines}
`

const RIGHT = `const step = createKernel(world, move, { px: [Position, 'x'], vx: [Velocity, 'x'] })
moving.run(step, { dt: 1 })
`
const WRONG = `// @ts-expect-error: an f64
createKernel(world, move, { px: [Position, 'wide'], vx: [Velocity, 'x'] })
// @ts-expect-error: vx is missing
createKernel(world, move, { px: [Position, 'x'] })
// @ts-expect-error: a wrong scalar
moving.run(step, { time: 1 })
`

/** A project with strata-ecs and AssemblyScript installed; returns what TypeScript prints. */
function projectWith(
  main: string,
  options: Record<string, unknown> = {},
): { folder: string; check: () => string } {
  const folder = kernelFolder({
    'src/main.ts': main,
    'src/movement.kernel.ts': MOVEMENT,
    'package.json': '{ "type": "module" }',
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        target: 'ES2022',
        module: 'ESNext',
        moduleResolution: 'bundler',
        allowImportingTsExtensions: true,
        noEmit: true,
        // As in a new Vite project.
        strict: true,
        verbatimModuleSyntax: true,
        noUnusedLocals: true,
        noUnusedParameters: true,
        erasableSyntaxOnly: true,
        skipLibCheck: true,
        types: [],
        ...options,
      },
      include: ['src'],
    }),
  })
  symlinkSync(`${ROOT}node_modules/assemblyscript`, `${folder}/node_modules/assemblyscript`, 'dir')
  const check = () => typeCheck(`${folder}/tsconfig.json`)
  return { folder, check }
}

describe('a program in TypeScript', () => {
  it('may import the source of a kernel, which has no errors itself', () => {
    expect(projectWith(program('./movement.kernel.ts', RIGHT)).check()).toBe('')
  })

  it('knows the parts of AssemblyScript that the guide names', async () => {
    const { folder, check } = projectWith('')
    const file = `${folder}/src/words.kernel.ts`
    writeFileSync(
      file,
      `import { Column, Lanes, ReadonlyColumn, Rows, Text } from 'strata-ecs/kernel'
const WAVE: StaticArray<f32> = [0, 0.5, 1]
export function wave(rows: Rows, x: Column<f32>, k: ReadonlyColumn<u8>): void {
  for (let i = rows.start; i < rows.end; i++) x[i] = WAVE[k[i] % WAVE.length]
}
export function words(rows: Lanes, x: Column<f32>, n: Column<u32>, on: Column<bool>, name: Column<Text>, t: u32): void {
  for (let i = rows.start; i < rows.end; i++) {
    const bits = reinterpret<u32>(x[i]) & u32.MAX_VALUE
    x[i] = select<f32>(copysign<f32>(abs(x[i]), sqrt<f32>(x[i])), f32(n[i]), on[i]) * Mathf.PI
    n[i] = max<u32>(bits, u32(floor(x[i])))
    on[i] = n[i] != 0 && !isNaN(x[i])
    if (on[i]) name[i] = t
  }
}
`,
    )
    await compileKernels(file)
    expect(check()).toBe('')
  })

  it('knows columns and scalars if the declarations are next to the source', async () => {
    const { folder, check } = projectWith(program('./movement.kernel.ts', RIGHT + WRONG), {
      moduleSuffixes: ['.types', ''],
    })
    await writeDeclarationsBeside(await compileKernels(`${folder}/src/movement.kernel.ts`))
    expect(check()).toBe('')
  })

  it.each(['bundler', 'nodenext'])(
    'knows them from what the command writes, under %s',
    async (moduleResolution) => {
      const { folder, check } = projectWith(program('../out/movement.kernel.js', RIGHT + WRONG), {
        moduleResolution,
        module: moduleResolution === 'nodenext' ? 'nodenext' : 'esnext',
      })
      await writeModule(await compileKernels(`${folder}/src/movement.kernel.ts`), `${folder}/out`)
      expect(check()).toBe('')
    },
  )

  it('gets the types of the values that a compiled loop takes', () => {
    const { check } = projectWith(`import { component, f32, u8, vec } from 'strata-ecs'
import { compile } from 'strata-ecs/compile'
const Position = component('Position', { x: f32 })
for (const values of [{ name: 'Ann' }]) compile([Position], values, () => {})
compile([Position], { dt: f32, level: u8 }, () => {})
compile([Position], { wind: vec(f32, 3) }, () => {})
compile([Position], { Position }, () => {})
`)
    const [sentences, lines] = [
      /is not assignable to type '(?:LoopFunction \| )?"a number, a boolean, f32/g,
      /^src\/main/gm,
    ]
    const said = check()
    expect(said.match(lines), said).toHaveLength(4)
    expect(said.match(sentences), said).toHaveLength(4)
    expect(said).not.toMatch(/Uint8Array|Int32Array/)
  })

  it('may configure Vite with the plugin', () => {
    const { folder, check } = projectWith('')
    symlinkSync(`${ROOT}node_modules/vite`, `${folder}/node_modules/vite`, 'dir')
    writeFileSync(
      `${folder}/src/vite.config.ts`,
      `import kernels from 'strata-ecs/rollup'
import { defineConfig } from 'vite'
export default defineConfig({ plugins: [kernels({ declarations: true })] })
`,
    )
    expect(check()).toBe('')
  })
})
