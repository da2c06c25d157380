// Owns the yardstick of the cases that tell rows apart: flags, values and versions in typed arrays. It must never skip
// a look that a program without an ECS would have to take.
import { shuffledOrder } from '../cases/get.js'
import { valueOf, whereCases } from '../cases/where.js'
import { tagScene } from './scenes.js'

function createFlags(size, off, on) {
  const flags = new Uint8Array(size).fill(1)
  const heat = Uint32Array.from({ length: size }, (_, i) => i)
  const scene = { flags, shuffled: shuffledOrder(size) }
  function result() {
    off(scene)
    const values = [flags.filter((flag) => flag === 1).length]
    on(scene)
    values.push(flags.filter((flag) => flag === 1).length)
    for (let i = 0; i < size; i++) if (flags[i] === 1) values.push(heat[i])
    return values
  }
  function run() {
    off(scene)
    on(scene)
  }
  return { run, result }
}

function setFlags(flags, ids, value) {
  for (let i = 0; i < ids.length; i++) flags[ids[i]] = value
}

const toggleByCall = (size) =>
  createFlags(
    size,
    ({ flags, shuffled }) => setFlags(flags, shuffled, 0),
    ({ flags, shuffled }) => setFlags(flags, shuffled, 1),
  )

function tagByFlag(size) {
  const x = Float32Array.from({ length: size }, (_, i) => i)
  const flags = new Uint8Array(size)
  return tagScene({
    addToAll: () => void flags.fill(1),
    removeFromAll: () => void flags.fill(0),
    tagged: () => flags.reduce((sum, flag) => sum + flag, 0),
    values: () => [...x],
  })
}

function sumAbove(x, above) {
  let count = 0
  let sum = 0
  for (let i = 0; i < x.length; i++) {
    if (x[i] <= above) continue
    count++
    sum += x[i]
  }
  return [count, sum]
}

const whereByLoop = (above) => (size) => {
  const x = Float32Array.from({ length: size }, (_, i) => valueOf(i))
  const run = () => sumAbove(x, above)
  return { run, result: run }
}

function changedInChunks(size) {
  const versions = new Uint32Array(size)
  let now = 1
  let seen = 0
  function look() {
    let chunks = 0
    for (let i = 0; i < versions.length; i++) if (versions[i] > seen) chunks++
    seen = now++
    return chunks
  }
  function result() {
    const found = [look()]
    versions[size >> 1] = now
    found.push(look(), look())
    return found
  }
  return { run: look, result }
}

export const rowWays = {
  tag: { 'flag by id': tagByFlag },
  toggle: { 'flag by id': toggleByCall },
  ...Object.fromEntries(whereCases.map(({ name, above }) => [name, { 'loop with if': whereByLoop(above) }])),
  changed: { 'version of each chunk': changedInChunks },
}
