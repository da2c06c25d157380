// Runs the program where all that the language brings is frozen, as hosts of foreign code freeze it (SES, plugins of editors, wallets).
const reached = new Set()

/** Freezes a value, what it inherits from, and what its properties hold. */
function freeze(value) {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || reached.has(value))
    return
  reached.add(value)
  Object.freeze(value)
  freeze(Object.getPrototypeOf(value))
  for (const property of Object.values(Object.getOwnPropertyDescriptors(value)))
    for (const part of [property.value, property.get, property.set]) freeze(part)
}

const LANGUAGE =
  'Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError FinalizationRegistry Float32Array Float64Array Function Int16Array Int32Array Int8Array Intl JSON Map Math Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet WebAssembly'
const { process } = globalThis
for (const name of LANGUAGE.split(' ')) freeze(globalThis[name])
for (const made of [
  async () => {},
  function* () {},
  async function* () {},
  [][Symbol.iterator](),
  new Map().keys(),
  ''.matchAll(/x/g),
])
  freeze(made)

const library = await import('strata-ecs')
const loops = await import('strata-ecs/compile')
const { everywhere } = await import('../everywhere.js')
process.stdout.write(everywhere(library, loops))
