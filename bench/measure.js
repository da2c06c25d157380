// The program of a process that measures one row, so that nothing another library did to the compiler can be seen here.
import { cases } from './cases/index.js'
import { measureGarbage } from './garbage.js'
import { measureRow } from './measurement.js'

const [library, way, caseName, size, milliseconds, reference] = process.argv.slice(2)
const work = cases.find(({ name }) => name === caseName)
const make = work.ways[library][way]
const numbers = { size: Number(size), milliseconds: Number(milliseconds), reference: Number(reference) }
process.stdout.write(`${JSON.stringify(await measureRow({ work, make, ...numbers }, { measureGarbage }))}\n`)
