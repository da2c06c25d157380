import { rollup } from 'rollup'
import terser from '@rollup/plugin-terser'
import { minify } from 'terser'
import ts from 'typescript'
import { gzipSync } from 'node:zlib'
import { readFileSync, existsSync } from 'node:fs'
import { resolve, dirname } from 'node:path'
const code = readFileSync(process.argv[2] ?? '/tmp/mv/small-src.js', 'utf8')
const plug = { name: 'ts', resolveId(id, from) {
  if (id === 'entry') return id
  if (id === 'strata-ecs') return resolve('bindings/index.ts')
  if (id.startsWith('.')) { const p = resolve(dirname(from), id); return existsSync(p + '.ts') ? p + '.ts' : p }
}, load(id) { if (id === 'entry') return code; return ts.transpileModule(readFileSync(id, 'utf8'), { compilerOptions: { target: 'ES2022', module: 'ESNext', verbatimModuleSyntax: true, isolatedModules: true, noCheck: true }, fileName: id }).outputText } }
const b = await rollup({ input: 'entry', plugins: [plug], onwarn() {}, treeshake: { moduleSideEffects: (id) => id === 'entry' } })
const { output } = await b.generate({ format: 'es' })
const rows = []
for (const [id, m] of Object.entries(output[0].modules)) {
  if (!m.code) continue
  const r = await minify(m.code, { ecma: 2022, module: true, mangle: { module: true }, compress: { passes: 1, unused: false, toplevel: false } })
  rows.push([gzipSync(r.code, { level: 9 }).length, r.code.length, id.replace(process.cwd() + '/', '')])
}
const rooms = new Map()
for (const [g, l, id] of rows) { const k = id.split('/').slice(0, 2).join('/'); const v = rooms.get(k) ?? [0, 0]; v[0] += g; v[1] += l; rooms.set(k, v) }
const full = await b.generate({ format: 'es', plugins: [terser({ ecma: 2022, mangle: { module: true } })] })
const out = full.output[0].code
console.log('total', out.length, gzipSync(out, { level: 9 }).length, 'js', gzipSync(out.replace(/["'][^"'\n]{40000,}["']/, '""'), { level: 9 }).length)
for (const [k, v] of [...rooms].sort((a, b) => b[1][1] - a[1][1])) console.log(v[1], v[0], k)
if (process.argv[3]) for (const r of rows.sort((a, b) => b[1] - a[1]).slice(0, +process.argv[3])) console.log(r[1], r[0], r[2])
