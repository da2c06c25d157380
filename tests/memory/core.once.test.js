// Shows how the bare wasm file is loaded, by @assemblyscript/loader and by streaming: dist/core.wasm and build/checked.wasm on
// their own.

import { readFileSync } from 'node:fs'
import loader from '@assemblyscript/loader'
import { component, createWorld, f32, spawnMany } from 'strata-ecs'
import { checkedCore } from 'strata-ecs/checked'
import { expect, it } from 'vitest'
import { decodeText } from '../../bindings/memory/coreText'
import { INDEX_MASK } from '../../bindings/memory/entity'
import { coreMark } from '../../build/coreMark'
import { checkedText } from '../../build/checked'
import { ENTITIES_FRESH } from '../../build/layout'
import { releaseText } from '../../build/release'

const Position = component('Position', { x: f32 })
const bytesOf = (path) => readFileSync(new URL(`../../${path}`, import.meta.url))
const createMemory = () => new WebAssembly.Memory({ initial: 16, maximum: 32768 })

it('the bare core compiled by the loader makes a world', async () => {
  const { module } = await loader.instantiate(bytesOf('dist/core.wasm'), { env: { memory: createMemory() } })
  const world = createWorld({ core: module })
  const ship = world.spawn(Position({ x: 3 }))
  expect(world.get(ship, Position)).toEqual({ x: 3 })
})

it('the bare core needs one import, its memory, and nothing else', () => {
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(bytesOf('dist/core.wasm')))
  expect(imports).toEqual([{ module: 'env', name: 'memory', kind: 'memory' }])
})

it('the checked core reports to the loader, in words, which rule was broken', () => {
  const memory = createMemory()
  const { exports } = loader.instantiateSync(bytesOf('build/checked.wasm'), { env: { memory } })
  expect(exports.worldInit(2 ** 24, 100, 0)).toBe(1)
  // A query address that is none: the terms it names were never registered.
  expect(() => exports.queryProbe(1, 0, 1)).toThrow(/component id was registered/)
})

it.each([
  ['one entity is spawned', (world) => world.spawn(Position)],
  ['several are', (world) => spawnMany(world, 3, [Position])],
])('the checked core reports an index given out twice, when %s', (_, spawn) => {
  const world = createWorld({ core: checkedCore() })
  const [, last] = spawnMany(world, 2, [Position])
  // As if the last one had never been counted.
  world.state.heap.u32[ENTITIES_FRESH >>> 2] = last & INDEX_MASK
  expect(() => spawn(world)).toThrow('an index that is given out was never used')
})

it('the core is marked with the version of the package', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  expect(coreMark).toBe(`strataCore_${version.replaceAll(/\W/g, '_')}`)
})

it('a core of another version is refused with what to do', () => {
  const bytes = bytesOf('dist/core.wasm').toString('latin1')
  const renamed = bytes.replace(coreMark, coreMark.replace(/.$/, '~'))
  const older = new WebAssembly.Module(Buffer.from(renamed, 'latin1'))
  expect(() => createWorld({ core: older })).toThrow(/core of this version.*strata-ecs\/core\.wasm/)
})

it('the text of a core is decoded to its bytes', () => {
  expect(Buffer.compare(decodeText(releaseText()), bytesOf('build/release.wasm'))).toBe(0)
  expect(Buffer.compare(decodeText(checkedText()), bytesOf('build/checked.wasm'))).toBe(0)
})
