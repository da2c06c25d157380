// Owns what a build consists of: its steps, what each is made from, and in which order they run. A step runs if anything it is
// made from, or anything it made, has changed. It must never compare times: a checkout and a copy change them at will.
//
//   npm run build                      the core, the modules and ensembles, as far as they are out of date
//   npm run build -- --force           the same, whether out of date or not
//   node scripts/build.js epidemic     a step, and the steps it needs
//   node scripts/build.js --alone epidemic

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { withBuildLock } from './build-lock.js'
import { changedSince, inputsOf, reasonToRun, removeStamp, writeStamp } from './build-stamps.js'

/**
 * What decides about every step: how it is run, and the tools that are installed. npm lists those in the second file; the
 * lock file alone would say what is to be installed, and a build before `npm ci` would pass for one after it.
 */
const EVERYWHERE = [
  'scripts/build.js',
  'scripts/build-stamps.js',
  'node_modules/.package-lock.json',
  'package-lock.json',
]

/** The sources of the packages that are in the npm package of the library: their entries are built into dist/ as well. */
export const PUBLISHED = ['arrow', 'compile', 'inspector', 'kernels', 'react', 'three', 'workers'].map(
  (name) => `packages/${name}/src`,
)

/** The command for kernels, which the examples use as it is built. */
const KERNEL_COMMAND = [
  'dist/strata-kernels.js',
  'dist/kernelCompiler.js',
  'dist/kernelWorker.js',
  'dist/loopCompiler.js',
]

const compileKernels = (source, folder) => [KERNEL_COMMAND[0], 'build', source, '--out', folder]

const BENCH_KERNELS = ['compiled', 'loop', 'tree']

/**
 * The steps by their names. `needs` names the steps to run before; `inputs` and `outputs` are files, or folders with all that
 * is in them; `programs`, each a file and its arguments, run in Node, one after the other.
 */
export const STEPS = {
  core: {
    needs: [],
    inputs: [
      'assembly',
      'asconfig.json',
      'scripts/build-core.js',
      'scripts/core-text.js',
      'scripts/smaller-core.js',
      'scripts/split-core.js',
    ],
    outputs: [
      'build/base.ts',
      'build/checked.ts',
      'build/checked.wasm',
      'build/checked.wasm.map',
      'build/coreMark.ts',
      'build/decoder.ts',
      'build/decoder.wasm',
      'build/layout.ts',
      'build/layout.wasm',
      'build/many.ts',
      'build/order.ts',
      'build/held.ts',
      'build/rare.ts',
      'build/release.ts',
      'build/release.wasm',
      'build/release.wat',
      'build/small',
      'build/texts.ts',
    ],
    programs: [['scripts/build-core.js']],
  },
  each: {
    needs: [],
    inputs: ['scripts/build-each.js'],
    outputs: ['build/eachLoops.ts'],
    programs: [['scripts/build-each.js']],
  },
  worker: {
    needs: ['core'],
    inputs: ['packages/workers/src', 'scripts/build-worker.js', 'build/layout.ts'],
    outputs: ['build/worker.js', 'build/workerText.ts'],
    programs: [['scripts/build-worker.js']],
  },
  modules: {
    needs: ['core', 'each', 'worker'],
    inputs: [
      'bindings',
      ...PUBLISHED,
      'packages/inspector/tsconfig.json',
      'packages/kernels/tsconfig.json',
      'package.json',
      'rollup.config.js',
      'tsconfig.json',
      'scripts/build-modules.js',
      'scripts/declarations.js',
      'scripts/removable-classes.js',
      'scripts/transpile.js',
      'build/base.ts',
      'build/checked.ts',
      'build/coreMark.ts',
      'build/decoder.ts',
      'build/eachLoops.ts',
      'build/layout.ts',
      'build/many.ts',
      'build/order.ts',
      'build/held.ts',
      'build/rare.ts',
      'build/release.ts',
      'build/release.wasm',
      'build/texts.ts',
      'build/worker.js',
      'build/workerText.ts',
    ],
    outputs: ['dist'],
    programs: [['scripts/build-modules.js']],
  },
  ensemble: {
    needs: [],
    inputs: [
      'packages/ensemble/src',
      'packages/ensemble/package.json',
      'packages/ensemble/tsconfig.json',
      'packages/ensemble/tsconfig.build.json',
      'scripts/build-ensemble.js',
    ],
    outputs: ['packages/ensemble/dist'],
    programs: [['scripts/build-ensemble.js']],
  },
  epidemic: {
    needs: ['modules'],
    inputs: ['examples/epidemic/kernels', 'assembly', ...KERNEL_COMMAND],
    outputs: ['build/epidemic/places.kernel.js', 'build/epidemic/places.kernel.d.ts'],
    programs: [compileKernels('examples/epidemic/kernels/places.kernel.ts', 'build/epidemic')],
  },
  bench: {
    needs: ['modules'],
    inputs: ['bench/kernels', 'assembly', ...KERNEL_COMMAND],
    outputs: BENCH_KERNELS.flatMap((name) => [
      `build/bench/${name}.kernel.js`,
      `build/bench/${name}.kernel.d.ts`,
    ]),
    programs: BENCH_KERNELS.map((name) => compileKernels(`bench/kernels/${name}.kernel.ts`, 'build/bench')),
  },
}

/** The steps with those that they need, each after what it needs. */
function inOrder(names, steps) {
  const order = new Set()
  const visit = (name) => {
    if (!Object.hasOwn(steps, name))
      throw new Error(`There is no step '${name}': the steps are ${Object.keys(steps).join(', ')}.`)
    steps[name].needs.forEach(visit)
    order.add(name)
  }
  names.forEach(visit)
  return [...order]
}

/** Runs the programs of a step. */
async function runPrograms(root, { programs }) {
  for (const [file, ...parameters] of programs) {
    const child = spawn(process.execPath, [join(root, file), ...parameters], { cwd: root, stdio: 'inherit' })
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error(`${file} failed.`)
  }
}

/**
 * Builds what is out of date.
 *
 * @param options.root the folder of the repository
 * @param options.names the steps to build; without them the core, the modules and the package of ensembles
 * @param options.force whether to run the steps that are up to date, too
 * @param options.alone whether to leave out the steps that these need
 * @param options.steps the steps there are, as STEPS
 * @param options.run runs a step: `(root, step, name) => promise`
 * @param options.say takes a line for each step
 * @returns {Promise<string[]>} the names of the steps that ran
 * @throws {Error} when a step fails: it counts as out of date then, and no later step runs
 */
export async function build({
  root = fileURLToPath(new URL('..', import.meta.url)),
  names = ['modules', 'ensemble'],
  force = false,
  alone = false,
  steps = STEPS,
  run = runPrograms,
  say = console.log,
} = {}) {
  const ordered = inOrder(names, steps)
  const asked = (alone ? ordered.filter((name) => names.includes(name)) : ordered).map((name) => {
    const { inputs, ...step } = steps[name]
    return { name, step: { ...step, inputs: [...EVERYWHERE, ...inputs] } }
  })
  const reasonFor = ({ name, step }) => (force ? 'you ask for it' : reasonToRun(root, name, step))
  const ran = []
  const buildAll = async () => {
    for (const one of asked) {
      const { name, step } = one
      const reason = reasonFor(one)
      if (reason === undefined) {
        say(`${name}: up to date`)
        continue
      }
      say(`${name}: building, because ${reason}`)
      removeStamp(root, name)
      const inputs = inputsOf(root, step)
      await run(root, step, name)
      ran.push(name)
      const changed = changedSince(root, step, inputs)
      if (changed === undefined) writeStamp(root, name, step, inputs)
      else say(`${name}: ${changed} while it was built, so the next build runs it again`)
    }
  }
  // A build that has nothing to do writes nothing, and waits for nobody.
  if (asked.every((one) => reasonFor(one) === undefined)) await buildAll()
  else await withBuildLock(root, buildAll, say)
  return ran
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        force: { type: 'boolean', default: false },
        alone: { type: 'boolean', default: false },
      },
    })
    await build({ ...values, ...(positionals.length > 0 && { names: positionals }) })
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
