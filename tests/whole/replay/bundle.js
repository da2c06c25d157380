// The bundle of the replays for engines without a page: one script, with what their shells lack.

import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import strataKernels from '../../../dist/rollup.js'
import { loadCities } from '../../../examples/epidemic/cities.js'

const pathOf = (relative) => fileURLToPath(new URL(relative, import.meta.url))

/** Places of the epidemic: those with the most people. */
const CITIES = 800

/** The input of the epidemic as numbers, for engines that cannot read files. */
export function citiesAsNumbers() {
  const cities = loadCities(CITIES)
  const lists = Object.entries(cities).map(([key, value]) => [
    key,
    ArrayBuffer.isView(value) ? [...value] : value,
  ])
  return Object.fromEntries(lists)
}

/** The same with the arrays that the model wants. */
export const REVIVE = `(cities) => ({ ...cities, country: Uint16Array.from(cities.country),
  longitude: Float32Array.from(cities.longitude), latitude: Float32Array.from(cities.latitude),
  population: Uint32Array.from(cities.population) })`

/** What helpers of tests ask of vitest, where there is none: they compare nothing then. */
const OUTSIDE = {
  name: 'outside-of-vitest',
  enforce: 'pre',
  resolveId: (id) => (id === 'vitest' ? '\0vitest' : undefined),
  load: (id) =>
    id === '\0vitest'
      ? `const nothing = new Proxy(() => {}, { get: () => nothing, apply: () => nothing })
         export const expect = nothing, afterEach = nothing, onTestFinished = nothing
         export const inject = (key) => ({ core: 'release', proofs: 1 })[key]`
      : undefined,
}

/** A program as one script that leaves its exports behind under a name. */
export async function bundle(entry = 'program.js', name = 'Replay') {
  const result = await build({
    configFile: false,
    root: pathOf('.'),
    logLevel: 'error',
    plugins: [OUTSIDE, strataKernels()],
    resolve: { alias: { 'strata-ecs/kernel': pathOf('../../../dist/kernel.js') } },
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      lib: { entry: pathOf(entry), formats: ['iife'], name },
    },
  })
  return [result].flat()[0].output[0].code
}

/** What shells lack that pages and Node have. */
export const SHIMS = `
var console = globalThis.console ?? { log: print, warn: print, error: print }
globalThis.performance ??= { now: () => Date.now() }
globalThis.atob ??= (text) => {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  let out = '', bits = 0, count = 0
  for (const one of text) {
    const digit = digits.indexOf(one)
    if (digit < 0) continue
    bits = (bits << 6) | digit
    count += 6
    if (count < 8) continue
    count -= 8
    out += String.fromCharCode((bits >> count) & 255)
  }
  return out
}
globalThis.TextEncoder ??= class {
  encode(text) {
    return Uint8Array.from(unescape(encodeURIComponent(text)), (one) => one.charCodeAt(0))
  }
  encodeInto(text, bytes) {
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  }
}
globalThis.TextDecoder ??= class {
  decode(bytes) {
    return String.fromCharCode(...bytes)
  }
}
`
