// Owns the shipped modules, readable and with maps that hold their sources: ten entries, two of them with their core
// inside, their types, the bare wasm, one minified file for plain pages, and the compiler of kernels with its three
// entries. A module must never need anything at run time that it does not carry, but for the compiler, which needs
// AssemblyScript, and the entries beside the library, which need it, and some of them a library of somebody else.

import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import terser from '@rollup/plugin-terser'
import { dts } from 'rollup-plugin-dts'
import { declarationOf, declarations } from './scripts/declarations.js'
import { removableClasses } from './scripts/removable-classes.js'
import { transpile } from './scripts/transpile.js'

const copyWasm = {
  name: 'copy-wasm',
  writeBundle() {
    mkdirSync('dist', { recursive: true })
    copyFileSync('build/release.wasm', 'dist/core.wasm')
    copyFileSync('build/worker.js', 'dist/worker.js')
  },
}

const PUBLIC_CLASSES =
  /^(?:World|Query|Commands|Schedule|Component(?:Value|Accessor)|(?:Chunk|Group)View|BoundKernel|Rows|Lanes|Entities|\w*(?:Error|Column))$/

const minified = terser({
  ecma: 2022,
  // What gzip makes smallest: the same things written in the same way, rather than each in its shortest.
  compress: { passes: 3, sequences: false, lhs_constants: false, inline: 1, loops: false },
  mangle: { module: true },
  format: { quote_style: 1 },
  // Classes that a user can meet keep their names for the console and for stack traces; so do all methods.
  keep_classnames: PUBLIC_CLASSES,
})

/** For people: an error prints the line it comes from, and bundlers minify. Docstrings are in the types alone. */
const withoutDocstrings = terser({
  ecma: 2022,
  compress: false,
  mangle: false,
  format: {
    beautify: true,
    indent_level: 2,
    quote_style: 3,
    // What a bundler may leave out: without these marks a table is kept by programs that never look at it.
    preserve_annotations: true,
    comments: (_, { type, value }) => type === 'comment1' || !value.startsWith('*'),
  },
})

/** The folder of the core's sources is one above dist/ in the package, and three above a source here. */
const besideAssembly = {
  name: 'beside-assembly',
  transform: (code) =>
    code.includes(`'../../../assembly/'`)
      ? { code: code.replace(`'../../../assembly/'`, `'../assembly/'`), map: null }
      : null,
}

/** Maps name the sources as they lie in the repository, whatever folder the compiler thought it wrote to. */
const sourcemapPathTransform = (path) => path.replace(/^(?:\.\.\/)+/, '../')

/**
 * The maps carry the sources, which are not in the package: a folder `kernel-compiler/` there would be what an old resolution
 * of modules finds for `strata-ecs/kernel-compiler`.
 */
const readable = { format: 'es', sourcemap: true, sourcemapPathTransform }

/** What a bundler can take apart: a program carries the classes that it uses. */
const removable = transpile([removableClasses])

const plain = transpile()

/** The text of a core is one string of 57,000 characters: there is nothing in it to map. */
const withoutMapOfCores = {
  name: 'without-map-of-cores',
  transform(code, id) {
    return /build\/(?:base|rare|order|many|texts|checked)\.ts$/.test(id)
      ? { code, map: { mappings: '' } }
      : null
  },
}

/**
 * A build of its own for each entry: built together they would share a third file, which costs a start one more read.
 */
const bundle = (name, input = `bindings/${name}.ts`) => ({
  input,
  output: [{ ...readable, file: `dist/${name}.js`, plugins: [withoutDocstrings] }],
  plugins: [removable, withoutMapOfCores, copyWasm],
})

/** The library itself, without a core: what every other entry stands on is this file beside it. */
const slim = bundle('slim')

const besideSlim = {
  name: 'beside-slim',
  resolveId: (id) =>
    /^(?:\.\/|(?:\.\.\/)+(?:bindings\/)?)(?:index|slim)$/.test(id)
      ? { id: './slim.js', external: 'relative' }
      : null,
}

/** What every entry shares with the library: classes of errors. By them describe.ts tells one copy of the library from another. */
const besideErrors = {
  name: 'beside-errors',
  resolveId(id, importer) {
    const isErrors =
      /^(?:\.\.\/)+(?:bindings\/)?memory\/errors$/.test(id) ||
      (id === './errors' && /bindings.memory.[^/\\]+$/.test(importer))
    return isErrors ? { id: './slim.js', external: 'relative' } : null
  },
}

/** The core with all its asserts. It may be loaded without the other one. */
const checked = bundle('checked')
checked.plugins.unshift(besideErrors)

const textOfCore = (name) => /'(.*)'/.exec(readFileSync(`build/${name}.ts`, 'utf8'))[1]

/** The text of the core is the last of what it is bundled with: between two parts of a program it would keep gzip from comparing them. */
const textAtEnd = {
  name: 'text-at-end',
  load: (id) =>
    /build.base\.ts$/.test(id) ? 'export const baseText = () => /* @__NOINLINE__ */ textOfCore()' : null,
}

/** The core and the calls that make worlds over it. */
const index = bundle('index')
index.plugins.unshift(besideSlim, besideErrors, textAtEnd)
index.output[0].footer = () => `function textOfCore() {\n  return '${textOfCore('base')}'\n}`

/** Who carries every part is better off with the whole core: cut, it is 2 KB larger. */
const wholeCore = {
  name: 'whole-core',
  transform(code, id) {
    const into = /slim\.js$/.test(id)
      ? { held: '', rare: '', order: '', many: '', texts: '' }
      : { base: textOfCore('release') }
    for (const [name, other] of Object.entries(into)) {
      const own = textOfCore(name)
      if (!code.includes(own)) throw new Error(`${id} does not have the text of build/${name}.ts.`)
      code = code.replace(own, () => other)
    }
    // Lines stay where they are, and there is nothing in a text to map.
    return { code, map: null }
  },
}

/**
 * The entry once more for pages without a bundler, minified from the module beside it. Its map leads there, where people can read
 * it: with the sources inside it would be a quarter of the package.
 */
const minifiedIndex = {
  input: 'dist/index.js',
  output: {
    format: 'es',
    file: 'dist/strata-ecs.min.js',
    sourcemap: true,
    sourcemapExcludeSources: true,
    plugins: [minified],
  },
  plugins: [wholeCore],
}

/** The library of functions for kernels and compiled loops. */
const FUNCTIONS = 'packages/compile/src/functions/library.ts'

/** The entries of packages/ that stand on the library, by name. */
const BESIDE = {
  compile: 'packages/compile/src/compile/compile.ts',
  workers: 'packages/workers/src/workers.ts',
  inspect: 'packages/inspector/src/inspect/inspect.ts',
  arrow: 'packages/arrow/src/arrow.ts',
  react: 'packages/react/src/react.ts',
  three: 'packages/three/src/three.ts',
}

/** The entries whose types are put together from the same declarations. */
const declared = declarations([
  ...['index', 'slim', 'checked'].map((name) => `bindings/${name}.ts`),
  FUNCTIONS,
  ...Object.values(BESIDE),
])

const types = {
  input: Object.fromEntries(
    ['index', 'slim', 'checked'].map((name) => [name, declarationOf(`bindings/${name}.ts`)]),
  ),
  output: { dir: 'dist', format: 'es', chunkFileNames: 'shared.d.ts' },
  plugins: [declared, dts({ tsconfig: 'tsconfig.json' })],
}

/** The functions and types of kernels. A kernel's source speaks of f32 and calls sqrt: AssemblyScript declares those. */
const kernel = bundle('kernel', FUNCTIONS)
const kernelTypes = {
  input: declarationOf(FUNCTIONS),
  output: {
    file: 'dist/kernel.d.ts',
    format: 'es',
    banner: '/// <reference types="assemblyscript/std/portable/index.d.ts" />',
  },
  plugins: [declared, dts({ tsconfig: 'tsconfig.json' })],
}

/** What needs AssemblyScript. The plugin fetches it when it meets the first kernel. */
const ofKernels = (id) =>
  /bindings.kernels.(?!kernelFormat\.)/.test(id) ||
  (/packages.kernels.src.(?:[\w.]+|lanes.[\w.]+)$/.test(id) && !/src.(?:build|output|windows)\.ts$/.test(id))

/**
 * The compilers, which run in Node alone: the entries share a file for kernels, and one for loops and for what both need. The
 * worker is started by the file for kernels, which is beside it.
 */
const compiler = {
  input: {
    'kernel-compiler': 'packages/kernels/src/index.ts',
    rollup: 'packages/kernels/src/rollup.ts',
    'strata-kernels': 'packages/kernels/src/strata-kernels.ts',
    kernelWorker: 'packages/kernels/src/kernelWorker.js',
  },
  output: {
    dir: 'dist',
    ...readable,
    plugins: [withoutDocstrings],
    chunkFileNames: '[name].js',
    minifyInternalExports: false,
    manualChunks: (id) =>
      /kernels.src.(?:index|rollup|strata-kernels|kernelWorker)\.[jt]s$/.test(id)
        ? undefined
        : ofKernels(id)
          ? 'kernelCompiler'
          : 'loopCompiler',
  },
  external: [/^node:/, /^assemblyscript/],
  plugins: [besideAssembly, plain],
}

const compilerTypes = {
  input: { 'kernel-compiler': 'packages/kernels/src/index.ts', rollup: 'packages/kernels/src/rollup.ts' },
  output: { dir: 'dist', format: 'es', chunkFileNames: 'kernelCompiler.d.ts' },
  plugins: [dts({ tsconfig: 'packages/kernels/tsconfig.json' })],
}

/** An entry that stands on the library, and perhaps on another one, which the program brings: its module and its types. */
const beside = (name, library) => {
  const module = bundle(name, BESIDE[name])
  const external = library === undefined ? [] : [library]
  module.plugins.unshift(besideSlim, besideErrors)
  module.external = external
  const itsTypes = {
    input: declarationOf(BESIDE[name]),
    output: { file: `dist/${name}.d.ts`, format: 'es' },
    external,
    plugins: [declared, besideSlim, dts({ tsconfig: 'tsconfig.json' })],
  }
  return [module, itsTypes]
}

/**
 * Hooks run on a client alone: bundlers of server components take this file. The line is not in react.js, because others warn of
 * it; and Rollup drops it from a source, so it is put in front of what is written.
 */
const reactOnClients = {
  input: 'packages/react/src/client.ts',
  output: { ...readable, file: 'dist/react-client.js', banner: "'use client';" },
  plugins: [
    {
      name: 'beside-react',
      resolveId: (id) => (id === './react' ? { id: './react.js', external: 'relative' } : null),
    },
    plain,
  ],
}

const entries = [
  beside('compile'),
  beside('workers'),
  beside('inspect'),
  beside('arrow', 'apache-arrow'),
  beside('react', 'react'),
  beside('three', 'three'),
]

/** The inspector's element: what it needs of the library and of the inspection are the files beside it. */
const besideBoth = {
  name: 'beside-both',
  resolveId(id) {
    const [, file] = /^(?:\.\.\/)+(bindings\/index|inspect\/inspect)$/.exec(id) ?? []
    return file
      ? { id: file === 'inspect/inspect' ? './inspect.js' : './slim.js', external: 'relative' }
      : null
  },
}
const inspector = {
  input: 'packages/inspector/src/element/index.ts',
  output: [{ ...readable, file: 'dist/inspector.js', plugins: [withoutDocstrings] }],
  plugins: [besideBoth, plain],
}
const inspectorTypes = {
  input: 'packages/inspector/src/element/index.ts',
  output: { file: 'dist/inspector.d.ts', format: 'es' },
  plugins: [besideBoth, dts({ tsconfig: 'packages/inspector/tsconfig.json' })],
}

/** What takes as long as each other. */
const parts = {
  library: [
    slim,
    index,
    minifiedIndex,
    checked,
    kernel,
    reactOnClients,
    ...entries.map(([module]) => module),
  ],
  others: [
    types,
    kernelTypes,
    ...entries.map(([, itsTypes]) => itsTypes),
    inspector,
    inspectorTypes,
    compiler,
    compilerTypes,
  ],
}

/** One part, for those who build both side by side: see scripts/build-modules.js. */
export default parts[process.env.STRATA_BUILD] ?? Object.values(parts).flat()
