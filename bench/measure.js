// Owns the measurement of one row in a process of its own, so that nothing another library did to the compiler can be
// seen here. It must never say more than one line, the report.
import { cases } from './cases/index.js'
import { CollectionCounter } from './collections.js'
import { measureRow } from './measurement.js'
import { heldMemory, usedMemory } from './memory.js'

const [adapterName, way, caseName, size, milliseconds, reference] = process.argv.slice(2)

const work = cases.find(({ name }) => name === caseName)
// What times the import of a library lies in a folder of its own: adapters import theirs before they are asked.
const { ways } = await import(`./${work.folder ?? 'adapters'}/${adapterName}.js`)
const numbers = { size: Number(size), milliseconds: Number(milliseconds), reference: Number(reference) }
const row = { work, make: ways[caseName][way], ...numbers }
const place = { heldMemory, usedMemory, collectionCounter: () => new CollectionCounter() }
process.stdout.write(`${JSON.stringify(await measureRow(row, place))}\n`)
