// The C baseline becomes a module that Node loads, by the compiler of this machine; where there is none, it is left out.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SOURCE = fileURLToPath(new URL('loop.c', import.meta.url))
const MODULE = fileURLToPath(new URL('../../build/bench/loop.node', import.meta.url))
const COMPILERS = ['gcc', 'cc', 'clang']

/** 128-bit SIMD, what WebAssembly has. Other processors than x86 have theirs without being asked. */
const SIMD = process.arch === 'x64' ? ['-msse4.2'] : []
const OPTIONS = ['-O3', ...SIMD]
/** What stays open in the module is found in the Node that loads it. */
const LINKING = process.platform === 'darwin' ? ['-undefined', 'dynamic_lookup'] : []

/** Builds the module where it is missing or older than its source: its `path`, or the `reason` why there is none. */
export function buildNative(module = MODULE) {
  if (process.platform === 'win32') return { reason: 'its build is not written for Windows.' }
  if (existsSync(module) && statSync(module).mtimeMs >= statSync(SOURCE).mtimeMs) return { path: module }
  const compiler = COMPILERS.find(isThere)
  if (!compiler) return { reason: `there is no compiler (${COMPILERS.join(', ')}) here.` }
  try {
    const { include_dir: headers } = createRequire(import.meta.url)('node-api-headers')
    mkdirSync(dirname(module), { recursive: true })
    const output = ['-shared', '-fPIC', ...LINKING, '-I', headers, '-o', module, SOURCE]
    execFileSync(compiler, [...OPTIONS, ...output], { stdio: 'pipe' })
    return { path: module }
  } catch (error) {
    return { reason: `${compiler} could not build it: ${error.stderr || error.message}` }
  }
}

const isThere = (compiler) => process.env.PATH.split(':').some((folder) => existsSync(join(folder, compiler)))

/** The module, which must have been built. Its functions stand in loop.c. */
export const loadNative = () => createRequire(import.meta.url)(MODULE)
