// Owns the proof that the benchmark counts garbage collections where they belong: in timed runs only.

import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'

/** A process of its own: the counts of this one are those of the test runner. */
function countOf(program) {
  const modules = new URL('../../bench/', import.meta.url).href
  const script = `import { CollectionCounter } from '${modules}collections.js'
    import { heldMemory } from '${modules}memory.js'
    let kept
    const litter = () => { for (let i = 0; i < 3e6; i++) kept = [i] }
    ${program}`
  return JSON.parse(execFileSync(process.execPath, ['--expose-gc', '--input-type=module', '--eval', script]))
}

it('counts collections that begin while it watches', () => {
  const count = countOf(`const counter = new CollectionCounter()
    litter()
    console.log(await counter.count())`)
  expect(count).toBeGreaterThan(0)
})

it('leaves out those of preparations, whatever stands around them', () => {
  const [count, last] = countOf(`const counter = new CollectionCounter()
    const prepare = counter.preparation(() => { litter(); return 7 })
    const other = counter.preparation(() => {})
    let last
    for (let k = 0; k < 5; k++) { other(); last = prepare() }
    for (let k = 0; k < 2000; k++) other()
    console.log(JSON.stringify([await counter.count(), last]))`)
  // Dozens begin inside. One may begin after the last: the counter's own notes fill what the litter left of the space.
  expect(count).toBeLessThan(2)
  expect(last).toBe(7)
})

it('leaves out those of preparations that are waited for', () => {
  const [count, last] = countOf(`const counter = new CollectionCounter()
    const prepare = counter.preparation(async () => { await null; litter(); return 7 })
    let last
    for (let k = 0; k < 5; k++) last = await prepare()
    console.log(JSON.stringify([await counter.count(), last]))`)
  expect(count).toBeLessThan(2)
  expect(last).toBe(7)
})

it('leaves out what was before, and before the last collection that was asked for', () => {
  const counts = countOf(`litter()
    const early = new CollectionCounter()
    const late = new CollectionCounter()
    litter()
    gc()
    console.log(JSON.stringify([await early.count(), await late.count()]))`)
  expect(counts).toEqual([0, 0])
})

it('sees what is held, on the heap and outside of it, wasm memory included', () => {
  const [objects, outside] = countOf(`const before = heldMemory()
    kept = Array.from({ length: 1e5 }, (_, i) => ({ i }))
    const memory = new WebAssembly.Memory({ initial: 160 })
    const after = heldMemory()
    console.log(JSON.stringify([after.heap - before.heap, after.external - before.external, memory.buffer.byteLength]))`)
  expect(objects).toBeGreaterThan(1e6)
  expect(outside).toBeGreaterThan(9e6)
})
