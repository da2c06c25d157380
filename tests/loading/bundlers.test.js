// Shows that the packed package goes through the bundlers people use, without an option for it, and that what they make runs in
// the browser of each engine.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import { build as esbuild } from 'esbuild'
import { rollup } from 'rollup'
import { build as viteBuild, createServer as createViteServer } from 'vite'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import webpack from 'webpack'
import { LOOPS, answerOfNode, createProject } from './project.js'
import { openBrowser, serveFolder } from './site.js'

const PAGE = (script) =>
  `<!doctype html><title>Bundled</title><link rel="icon" href="data:,"><script type="module" src="${script}"></script>`

const MAIN = `import { simulate } from './program.js'

globalThis.answer = simulate()
`
/** As the documentation of both Vite and webpack writes a module worker. */
const IN_WORKER = `const worker = new Worker(new URL('./inside.js', import.meta.url), { type: 'module' })
worker.onmessage = ({ data }) => (globalThis.answer = data)
`
const INSIDE = `import { simulate } from './program.js'

postMessage(simulate())
`
const WITH_KERNELS = `import { simulateWithKernels } from './kernels.js'

globalThis.answer = simulateWithKernels()
`
const WITH_LOOPS = `import { simulateWithLoops } from './loops.js'

globalThis.answer = simulateWithLoops()
`
const SLIM = `import coreUrl from 'strata-ecs/core.wasm?url'
import { simulateSlim } from './slim.js'

globalThis.answer = simulateSlim(await WebAssembly.compileStreaming(fetch(coreUrl)))
`
const SLIM_COUNTS = '[100,100,100]'
const SUM_OF_KERNELS = JSON.stringify({ total: 1_001 * 2 * 8 * 0.25 })

let project, browsers, expected, loops

beforeAll(async () => {
  project = createProject(['program.js', 'slim.js', 'kernels.js', 'movement.kernel.ts', 'loops.js'], {
    written: {
      'main.js': MAIN,
      'worker.js': IN_WORKER,
      'inside.js': INSIDE,
      'main-kernels.js': WITH_KERNELS,
      'main-loops.js': WITH_LOOPS,
      'main-slim.js': SLIM,
    },
    tools: ['assemblyscript'],
  })
  for (const name of ['main', 'worker', 'main-kernels', 'main-loops', 'main-slim']) {
    writeFileSync(join(project.folder, `${name}.html`), PAGE(`/${name}.js`))
  }
  expected = answerOfNode(project.folder)
  loops = answerOfNode(project.folder, LOOPS)
  browsers = await Promise.all(inject('engines').map(openBrowser))
})

afterAll(async () => {
  await Promise.all(browsers?.map((browser) => browser.close()) ?? [])
  project?.remove()
})

/** The plugin as the project has it installed, not as this repository builds it. */
const kernelPlugin = async () =>
  (await import(join(project.folder, 'node_modules/strata-ecs/dist/rollup.js'))).default()

/** Opens a page in each engine, one after the other, and expects this answer and no complaint. */
async function expectAnswer(url, answer) {
  for (const browser of browsers)
    expect(await browser.answerOf(url), browser.engine).toEqual({ answer, complaints: [] })
}

async function expectAnswerFrom(folder, page, answer) {
  const site = await serveFolder(folder)
  try {
    await expectAnswer(new URL(page, site.url), answer)
  } finally {
    await site.close()
  }
}

describe('Vite', () => {
  const pages = {
    main: () => expected,
    worker: () => expected,
    'main-kernels': () => SUM_OF_KERNELS,
    'main-loops': () => loops,
    'main-slim': () => SLIM_COUNTS,
  }
  const options = async (more) => ({
    root: project.folder,
    configFile: false,
    logLevel: 'error',
    plugins: [await kernelPlugin()],
    worker: { format: 'es' },
    ...more,
  })

  it('serves it in development: a page, a worker, kernels, a compiled loop, without a core inside', async () => {
    const server = await createViteServer(await options({ server: { host: '127.0.0.1', port: 0 } }))
    try {
      await server.listen()
      for (const [name, answer] of Object.entries(pages)) {
        const url = new URL(`${name}.html`, server.resolvedUrls.local[0])
        // The first visit makes Vite optimise what it finds, and load the page again.
        await expectAnswer(url, answer())
      }
    } finally {
      await server.close()
    }
  })

  it('builds it: a page, a worker, kernels, a compiled loop, without a core inside', async () => {
    const input = Object.keys(pages).map((name) => join(project.folder, `${name}.html`))
    await viteBuild(await options({ build: { outDir: 'vite', target: 'es2022', rollupOptions: { input } } }))
    for (const [name, answer] of Object.entries(pages)) {
      await expectAnswerFrom(join(project.folder, 'vite'), `${name}.html`, answer())
    }
  })
})

describe('webpack', () => {
  it.each(['main', 'worker', 'main-loops'])('builds a page: %s', async (name) => {
    const path = join(project.folder, `webpack-${name}`)
    const compiler = webpack({
      mode: 'production',
      context: project.folder,
      entry: `./${name}.js`,
      output: { path, filename: 'bundle.js', publicPath: '/' },
    })
    const stats = await new Promise((resolve, reject) =>
      compiler.run((error, done) => (error ? reject(error) : resolve(done))),
    )
    expect(stats.toJson({ errors: true }).errors).toEqual([])
    await new Promise((resolve) => compiler.close(resolve))
    writeFileSync(join(path, 'index.html'), PAGE('/bundle.js'))
    await expectAnswerFrom(path, '', name === 'main-loops' ? loops : expected)
  })
})

describe('Rollup', () => {
  const expectBundled = async (entry, folder, plugins, answer) => {
    const built = await rollup({ input: join(project.folder, entry), plugins: [nodeResolve(), ...plugins] })
    await built.write({ dir: folder, entryFileNames: 'bundle.js' })
    writeFileSync(join(folder, 'index.html'), PAGE('/bundle.js'))
    await expectAnswerFrom(folder, '', answer)
  }

  it('builds a page', async () => {
    await expectBundled('main.js', join(project.folder, 'rollup'), [], expected)
  })

  it('builds a page with kernels', async () => {
    const folder = join(project.folder, 'rollup-kernels')
    await expectBundled('main-kernels.js', folder, [await kernelPlugin()], SUM_OF_KERNELS)
  })

  it.each(['while it runs', 'ahead'])('builds a page with a loop that is compiled %s', async (when) => {
    const folder = join(project.folder, `rollup-loops-${when}`)
    const plugins = when === 'ahead' ? [await kernelPlugin()] : []
    await expectBundled('main-loops.js', folder, plugins, loops)
    // The compiler names what a body may not contain: a program whose loops were compiled ahead carries no compiler.
    const carriesCompiler = readFileSync(join(folder, 'bundle.js'), 'utf8').includes('is not known here')
    expect(carriesCompiler).toBe(when === 'while it runs')
  })
})

describe('esbuild', () => {
  const bundle = async (folder, format, target, entry = 'main.js') => {
    const options = {
      entryPoints: [join(project.folder, entry)],
      bundle: true,
      minify: true,
      format,
      target,
    }
    await esbuild({ ...options, outfile: join(folder, 'bundle.js'), logLevel: 'error' })
  }

  it('builds a page', async () => {
    const folder = join(project.folder, 'esbuild')
    await bundle(folder, 'esm', 'es2022')
    writeFileSync(join(folder, 'index.html'), PAGE('/bundle.js'))
    await expectAnswerFrom(folder, '', expected)
  })

  it('builds a page with a compiled loop', async () => {
    const folder = join(project.folder, 'esbuild-loops')
    await bundle(folder, 'esm', 'es2022', 'main-loops.js')
    writeFileSync(join(folder, 'index.html'), PAGE('/bundle.js'))
    await expectAnswerFrom(folder, '', loops)
  })

  it('builds a classic script', async () => {
    const folder = join(project.folder, 'esbuild-script')
    await bundle(folder, 'iife', 'es2022')
    writeFileSync(
      join(folder, 'index.html'),
      '<!doctype html><title>A script</title><link rel="icon" href="data:,"><script src="/bundle.js"></script>',
    )
    await expectAnswerFrom(folder, '', expected)
  })
})
