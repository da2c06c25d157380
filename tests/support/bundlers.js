// What each bundler makes of a program that imports the built package: one minified text, with as few options as it takes.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import terser from '@rollup/plugin-terser'
import { build as buildByEsbuild } from 'esbuild'
import { rollup } from 'rollup'
import { build as buildByVite } from 'vite'
import webpack from 'webpack'

const ROOT = resolve(import.meta.dirname, '../..')

/** Rollup finds no packages by itself, and a plugin that does would bring its own view of them. */
const packageItself = {
  name: 'package-itself',
  resolveId(id) {
    const [, entry = 'index'] = /^strata-ecs(?:\/(\w+))?$/.exec(id) ?? [undefined, '']
    return entry === '' ? null : join(ROOT, `dist/${entry}.js`)
  },
}

/** Each takes the folder of a project with the program in main.js. */
const BUNDLING = {
  async esbuild(project) {
    const entryPoints = [join(project, 'main.js')]
    const options = { bundle: true, minify: true, format: 'esm', write: false, logLevel: 'error' }
    const { outputFiles } = await buildByEsbuild({ entryPoints, ...options })
    return outputFiles[0].text
  },

  async Rollup(project) {
    const onLog = (level, log) => {
      if (level === 'warn' && log.code !== 'EMPTY_BUNDLE') throw new Error(log.message)
    }
    const bundle = await rollup({ input: join(project, 'main.js'), plugins: [packageItself], onLog })
    const minified = terser({ ecma: 2022, mangle: { module: true } })
    const { output } = await bundle.generate({ format: 'es', plugins: [minified] })
    return output[0].code
  },

  async Vite(project) {
    const build = { write: false, rollupOptions: { input: join(project, 'main.js') } }
    const { output } = await buildByVite({ root: project, configFile: false, logLevel: 'error', build })
    return output[0].code
  },

  async webpack(project) {
    const output = { path: project, filename: 'bundle.js' }
    const options = { mode: 'production', context: project, entry: './main.js', performance: false }
    const compiler = webpack({ ...options, output })
    const stats = await new Promise((done, failed) =>
      compiler.run((error, result) => (error ? failed(error) : done(result))),
    )
    await new Promise((done) => compiler.close(done))
    if (stats.hasErrors()) throw new Error(stats.toString())
    return readFileSync(join(project, 'bundle.js'), 'utf8')
  },
}

export const BUNDLERS = Object.keys(BUNDLING)

/** The text that one of the bundlers makes of a program. */
export async function bundledBy(bundler, program) {
  const project = mkdtempSync(join(tmpdir(), 'strata-bundled-'))
  try {
    mkdirSync(join(project, 'node_modules'))
    symlinkSync(ROOT, join(project, 'node_modules/strata-ecs'), 'dir')
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(project, 'main.js'), program)
    return await BUNDLING[bundler](project)
  } finally {
    rmSync(project, { recursive: true })
  }
}
