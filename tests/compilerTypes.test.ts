// What TypeScript says of a program that imports kernels, as an editor would: from the source, from declarations beside
// it, and from what the command writes.

import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { compileKernels } from '../compiler/index'
import { writeDeclarationsBeside, writeModule } from '../compiler/output'
import { MOVEMENT, kernelFolder } from './support/kernelFiles'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TSC = `${ROOT}node_modules/typescript/bin/tsc`

const program = (
  path: string,
  lines: string,
) => `import { component, createWorld, f32, f64 } from 'strata-ecs'
import { move } from '${path}'
const Position = component('Position', { x: f32, wide: f64 })
const Velocity = component('Velocity', { x: f32 })
const world = createWorld()
const moving = world.query(Position, Velocity)
${lines}
`

const RIGHT = `const step = world.kernel(move, { px: [Position, 'x'], vx: [Velocity, 'x'] })
moving.run(step, { dt: 1 })
`
const WRONG = `// @ts-expect-error: an f64
world.kernel(move, { px: [Position, 'wide'], vx: [Velocity, 'x'] })
// @ts-expect-error: vx is missing
world.kernel(move, { px: [Position, 'x'] })
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
        strict: true,
        types: [],
        ...options,
      },
      include: ['src'],
    }),
  })
  mkdirSync(`${folder}/node_modules`)
  symlinkSync(ROOT, `${folder}/node_modules/strata-ecs`, 'dir')
  symlinkSync(`${ROOT}node_modules/assemblyscript`, `${folder}/node_modules/assemblyscript`, 'dir')
  const check = () => spawnSync(process.execPath, [TSC, '-p', folder], { encoding: 'utf8' }).stdout
  return { folder, check }
}

describe('a program in TypeScript', () => {
  it('may import the source of a kernel, which is content itself', () => {
    expect(projectWith(program('./movement.kernel.ts', RIGHT)).check()).toBe('')
  })

  it('knows columns and scalars where the declarations lie beside the source', async () => {
    const { folder, check } = projectWith(program('./movement.kernel.ts', RIGHT + WRONG), {
      moduleSuffixes: ['.types', ''],
    })
    await writeDeclarationsBeside(await compileKernels(`${folder}/src/movement.kernel.ts`))
    expect(check()).toBe('')
  })

  it.each(['bundler', 'nodenext'])(
    'knows them of what the command writes, under %s',
    async (moduleResolution) => {
      const { folder, check } = projectWith(program('../out/movement.kernel.js', RIGHT + WRONG), {
        moduleResolution,
        module: moduleResolution === 'nodenext' ? 'nodenext' : 'esnext',
      })
      await writeModule(await compileKernels(`${folder}/src/movement.kernel.ts`), `${folder}/out`)
      expect(check()).toBe('')
    },
  )

  it('may configure Vite with the plugin', () => {
    const { folder, check } = projectWith('', { skipLibCheck: true })
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
