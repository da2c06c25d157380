// The tools of a build that write functions anew, each over a whole module: what lowers them for older browsers, and what makes
// them small.

// @ts-expect-error -- it brings no types
import { transformSync as byBabel } from '@babel/core'
import { minifySync as minifyBySwc, transformSync as bySwc } from '@swc/core'
import { transformSync as byEsbuild } from 'esbuild'
import { minifySync as minifyByOxc, transformSync as byOxc } from 'rolldown/utils'
import { minify_sync as minifyByTerser } from 'terser'
import ts from 'typescript'

/** What becomes of the text of a module. */
export type Tool = (module: string) => string

const esbuild =
  (target: string, minify: boolean): Tool =>
  (module) =>
    byEsbuild(module, { format: 'esm', target, minify }).code

/** @param targets browsers, or nothing for the oldest */
const babel =
  (targets?: string): Tool =>
  (module) =>
    byBabel(module, {
      configFile: false,
      babelrc: false,
      compact: false,
      presets: [['@babel/preset-env', { modules: false, ...(targets && { targets }) }]],
    }).code as string

const swc =
  (target: 'es5' | 'es2015' | 'es2019' | 'es2020' | 'es2022'): Tool =>
  (module) =>
    bySwc(module, { configFile: false, swcrc: false, isModule: true, jsc: { target, parser: { syntax: 'ecmascript' } } }).code // prettier-ignore

const typescript =
  (target: ts.ScriptTarget): Tool =>
  (module) =>
    ts.transpileModule(module, { compilerOptions: { target, module: ts.ModuleKind.ESNext } }).outputText

const oxc =
  (target: string): Tool =>
  (module) => {
    const { code, errors } = byOxc('module.js', module, { target })
    if (errors.length > 0) throw errors[0]
    return code
  }

const terser =
  (ecma: 5 | 2015 | 2020, compress: object = {}): Tool =>
  (module) =>
    minifyByTerser(module, { ecma, module: true, compress: { passes: 3, ...compress } }).code as string

const smallByOxc: Tool = (module) => minifyByOxc('module.js', module, { module: true }).code
const smallBySwc: Tool = (module) => minifyBySwc(module, { module: true, compress: { passes: 3 } }).code

const then =
  (...tools: Tool[]): Tool =>
  (module) =>
    tools.reduce((text, tool) => tool(text), module)

/** Each tool alone, and with what usually follows it. */
export const TOOLS: Readonly<Record<string, Tool>> = {
  'esbuild es2022 small': esbuild('es2022', true),
  'esbuild es2021': esbuild('es2021', false),
  'esbuild es2020': esbuild('es2020', false),
  'esbuild es2020 small': esbuild('es2020', true),
  'esbuild es2019': esbuild('es2019', false),
  'esbuild es2019 small': esbuild('es2019', true),
  'esbuild es2018': esbuild('es2018', false),
  'esbuild es2017': esbuild('es2017', false),
  'esbuild es2016': esbuild('es2016', false),
  'esbuild es2015': esbuild('es2015', false),
  'esbuild es2015 small': esbuild('es2015', true),
  'babel es5': babel(),
  'babel chrome 60': babel('chrome 60'),
  'babel chrome 79 terser': then(babel('chrome 79'), terser(2015)),
  'babel es5 terser': then(babel(), terser(5)),
  'swc es5': swc('es5'),
  'swc es2015': swc('es2015'),
  'swc es2019': swc('es2019'),
  'swc es2020': swc('es2020'),
  'swc es2022 small': then(swc('es2022'), smallBySwc),
  'swc es5 small': then(swc('es5'), smallBySwc),
  'typescript es2015': typescript(ts.ScriptTarget.ES2015),
  'typescript es2019': typescript(ts.ScriptTarget.ES2019),
  'typescript es2020': typescript(ts.ScriptTarget.ES2020),
  'typescript es2019 terser': then(typescript(ts.ScriptTarget.ES2019), terser(2020)),
  'oxc es2015': oxc('es2015'),
  'oxc es2019': oxc('es2019'),
  'oxc es2015 small': then(oxc('es2015'), smallByOxc),
  'oxc small': smallByOxc,
  'terser es2020': terser(2020),
  'terser es5': terser(5, { arrows: false }),
  'terser with all that is safe': terser(2020, { hoist_vars: true, hoist_funs: true, keep_fargs: false, booleans_as_integers: false, unsafe_undefined: false }), // prettier-ignore
}

/** The functions of these sources after a tool, which must not know what calls them. */
export function functionsAfter(tool: Tool, sources: readonly string[]): unknown[] {
  const code = tool(sources.map((source, k) => `globalThis.made[${k}] = ${source}`).join(';\n'))
  const holder = globalThis as { made?: unknown[] }
  const made: unknown[] = (holder.made = [])
  new Function(code.replace(/^export \{\};?$/m, ''))()
  delete holder.made
  return made
}
