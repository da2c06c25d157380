// Owns the shipped bundles: three entries, two of them with their core inside, their types, the bare wasm; and the
// compiler of kernels with its three entries. It must never need anything at run time that the bundle does not carry,
// but for the compiler, which needs AssemblyScript.

import { copyFileSync, mkdirSync } from 'node:fs'
import terser from '@rollup/plugin-terser'
import typescript from '@rollup/plugin-typescript'
import { dts } from 'rollup-plugin-dts'

const copyWasm = {
  name: 'copy-wasm',
  writeBundle() {
    mkdirSync('dist', { recursive: true })
    copyFileSync('build/release.wasm', 'dist/core.wasm')
  },
}

const PUBLIC_CLASSES =
  /^(?:World|Query|Commands|Schedule|Component(?:Value|Accessor)|(?:Chunk|Group)View|BoundKernel|Rows|Lanes|Entities|\w*(?:Error|Column))$/

/** A build of its own for each entry: built together they would share a third file, with every constant exported. */
const bundle = (entry, compilerOptions = {}) => ({
  input: `bindings/${entry}.ts`,
  output: { dir: 'dist', format: 'es' },
  plugins: [
    typescript({
      tsconfig: 'tsconfig.json',
      noEmit: false,
      outDir: 'dist',
      declaration: false,
      ...compilerOptions,
    }),
    // Classes that a user can meet keep their names for the console and for stack traces; so do all methods.
    terser({
      ecma: 2022,
      compress: { passes: 3 },
      mangle: { module: true },
      keep_classnames: PUBLIC_CLASSES,
    }),
    copyWasm,
  ],
})

const types = {
  input: { index: 'bindings/index.ts', checked: 'bindings/checked.ts' },
  output: { dir: 'dist', format: 'es', chunkFileNames: 'shared.d.ts' },
  plugins: [dts({ tsconfig: 'tsconfig.json' })],
}

/** The functions and types of kernels. A kernel's source speaks of f32 and calls sqrt: AssemblyScript declares those. */
const kernel = {
  ...bundle('kernelLibrary', { noCheck: true }),
  output: { file: 'dist/kernel.js', format: 'es' },
}
const kernelTypes = {
  input: 'bindings/kernelLibrary.ts',
  output: {
    file: 'dist/kernel.d.ts',
    format: 'es',
    banner: '/// <reference types="assemblyscript/std/portable/index.d.ts" />',
  },
  plugins: [dts({ tsconfig: 'tsconfig.json' })],
}

/** The compiler, which runs in Node alone: its entries share one file, and stay readable. */
const compiler = {
  input: {
    compiler: 'compiler/index.ts',
    rollup: 'compiler/rollup.ts',
    'strata-kernels': 'compiler/strata-kernels.ts',
  },
  output: {
    dir: 'dist',
    format: 'es',
    chunkFileNames: '[name].js',
    minifyInternalExports: false,
    manualChunks: (id) => (/(?:index|rollup|strata-kernels)\.ts$/.test(id) ? undefined : 'kernelCompiler'),
  },
  external: [/^node:/, /^assemblyscript/],
  plugins: [
    typescript({ tsconfig: 'compiler/tsconfig.json', noEmit: false, outDir: 'dist', declaration: false }),
  ],
}

const compilerTypes = {
  input: { compiler: 'compiler/index.ts', rollup: 'compiler/rollup.ts' },
  output: { dir: 'dist', format: 'es', chunkFileNames: 'kernelCompiler.d.ts' },
  plugins: [dts({ tsconfig: 'compiler/tsconfig.json' })],
}

// The first build checks the types of all bindings; the others need not do so again.
export default [
  bundle('index'),
  bundle('checked', { noCheck: true }),
  types,
  kernel,
  kernelTypes,
  compiler,
  compilerTypes,
]
