// The example as a program: compiles cells.ts together with the core, grows the cells, prints how many there are:
// `npm run build` first, then `node examples/oneModule/main.js`.

import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import asc from 'assemblyscript/asc'
import { Cell, grow } from './cells.js'

const here = fileURLToPath(new URL('.', import.meta.url))
const packages = `${here}out/node_modules`

// In a project of your own strata-ecs lies in node_modules; here it is the repository itself.
mkdirSync(packages, { recursive: true })
if (!existsSync(`${packages}/strata-ecs`)) symlinkSync(`${here}../..`, `${packages}/strata-ecs`)

const flags =
  '--runtime stub --importMemory --initialMemory 16 --maximumMemory 32768 --memoryBase 1024 --lowMemoryLimit 65536 ' +
  '--enable simd --disableWarning 201 -O3 --noAssert --use abort='
const { error, stderr } = await asc.main([
  '../cells.ts',
  '--outFile',
  'cells.wasm',
  '--baseDir',
  `${here}out`,
  ...flags.split(' '),
])
if (error) throw new Error(stderr.toString())

const module = new WebAssembly.Module(readFileSync(`${here}out/cells.wasm`))
const started = performance.now()
const { world, evenings } = grow(module)
const milliseconds = performance.now() - started

for (let day = 19; day < evenings.length; day += 20) {
  console.log(`day ${String(day + 1).padStart(3)}: ${evenings[day]} cells`)
}
let age = 0
for (const chunk of world.query(Cell)) {
  const cell = chunk.read(Cell)
  for (let i = chunk.start; i < chunk.end; i++) age += cell.age[i]
}
console.log(
  `mean age ${(age / world.query(Cell).count).toFixed(1)} days; ${milliseconds.toFixed(0)} ms in all`,
)
