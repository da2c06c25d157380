// Owns the shipped bundles: two entries, each one ES module with its core inside, their types, the bare wasm.
// It must never need anything at run time that the bundle does not carry.

import { copyFileSync, mkdirSync } from 'node:fs'
import terser from '@rollup/plugin-terser'
import typescript from '@rollup/plugin-typescript'
import { dts } from 'rollup-plugin-dts'

const entries = { index: 'bindings/index.ts', checked: 'bindings/checked.ts' }

const copyWasm = {
  name: 'copy-wasm',
  writeBundle() {
    mkdirSync('dist', { recursive: true })
    copyFileSync('build/release.wasm', 'dist/core.wasm')
  },
}

export default [
  {
    input: entries,
    output: { dir: 'dist', format: 'es', chunkFileNames: 'shared.js' },
    plugins: [
      typescript({ tsconfig: 'tsconfig.json', noEmit: false, outDir: 'dist', declaration: false }),
      // Names stay readable in stack traces; only white space and comments go.
      terser({ compress: { passes: 2 }, mangle: { module: true }, keep_classnames: true }),
      copyWasm,
    ],
  },
  {
    input: entries,
    output: { dir: 'dist', format: 'es', chunkFileNames: 'shared.d.ts' },
    plugins: [dts({ tsconfig: 'tsconfig.json' })],
  },
]
