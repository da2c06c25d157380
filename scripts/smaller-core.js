// Owns what makes a compiled core smaller in a bundle: the optimizer once more, over the binary, and an order of functions in
// which gzip finds more repetitions. It must never change what a function does.

import binaryen from 'binaryen'

const { Features } = binaryen
/** Those of asconfig.json, and what AssemblyScript takes for granted. */
export const FEATURES =
  Features.SIMD128 |
  Features.BulkMemory |
  Features.BulkMemoryOpt |
  Features.MutableGlobals |
  Features.NontrappingFPToInt |
  Features.SignExt

const CODE_SECTION = 10
/** The number of a function takes one byte below this. */
const SHORT_NUMBERS = 128
/** Bytes that must be equal for a repetition to be worth its place. */
const GRAM = 3

function transformed(bytes, transform) {
  binaryen.setOptimizeLevel(2)
  binaryen.setShrinkLevel(2)
  // AssemblyScript has other limits, and leaves them set: a function with one caller goes into that, however large it is.
  binaryen.setAlwaysInlineMaxSize(2)
  binaryen.setFlexibleInlineMaxSize(20)
  binaryen.setOneCallerInlineMaxSize(2 ** 32 - 1)
  binaryen.setAllowInliningFunctionsWithLoops(false)
  binaryen.setGenerateStackIR(true)
  binaryen.setOptimizeStackIR(true)
  const module = binaryen.readBinaryWithFeatures(bytes, FEATURES)
  transform(module)
  const result = module.emitBinary()
  module.dispose()
  return result
}

/** The optimizer's result, optimized as long as it becomes smaller. */
function optimized(bytes) {
  const smaller = transformed(bytes, (module) => module.optimize())
  return smaller.length < bytes.length ? optimized(smaller) : bytes
}

/** The unsigned number at a place, and the place after it. */
function numberAt(bytes, at) {
  let number = 0
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++]
    number |= (byte & 127) << shift
    if (byte < 128) return { number, next: at }
  }
}

/** The sections of a module: the number of each, and where what is in it begins. */
export function sectionsOf(bytes) {
  const sections = []
  for (let at = 8; at < bytes.length;) {
    const { number: length, next } = numberAt(bytes, at + 1)
    sections.push({ id: bytes[at], from: next })
    at = next + length
  }
  return sections
}

/** The bodies of the functions, in their order. */
function functionsIn(bytes) {
  const code = sectionsOf(bytes).find(({ id }) => id === CODE_SECTION)
  if (code === undefined) return []
  const functions = numberAt(bytes, code.from)
  let body = functions.next
  return Array.from({ length: functions.number }, () => {
    const size = numberAt(bytes, body)
    body = size.next + size.number
    return bytes.subarray(size.next, body)
  })
}

/** All short runs of bytes in a body, without the numbers of locals, which stand elsewhere: see core-text.js. */
function gramsOf(body) {
  const rest = []
  for (let i = 0; i < body.length; i++) {
    rest.push(body[i])
    if (body[i] >= 0x20 && body[i] <= 0x22) i++
  }
  return new Set(rest.map((_, i) => rest.slice(i, i + GRAM).join()))
}

function likeness(one, other) {
  let shared = 0
  for (const gram of one) if (other.has(gram)) shared++
  return shared / Math.sqrt(one.size * other.size)
}

/** An order of places in which each is followed by the one most like it that is left. */
function byLikeness(places, grams) {
  const left = new Set(places)
  const order = []
  for (let place = places[0]; place !== undefined;) {
    order.push(place)
    left.delete(place)
    const last = grams[place]
    let [most, best] = [-1, undefined]
    for (const other of left) {
      const like = likeness(last, grams[other])
      if (like > most) [most, best] = [like, other]
    }
    place = best
  }
  return order
}

/** Writes a number of less than 2^14 in two bytes, as wasm allows. */
const inTwoBytes = (number) => [(number & 127) | 128, number >> 7]

/** The module with a section that gives its functions names, by which they sort in this order. */
function named(bytes, order) {
  const entries = Array.from(order.keys()).flatMap((place) => {
    const name = String(order.indexOf(place)).padStart(4, '0')
    return [...inTwoBytes(place), name.length, ...Buffer.from(name)]
  })
  const names = [...inTwoBytes(order.length), ...entries]
  const length = [...inTwoBytes(names.length & 0x3fff)]
  if (names.length > 0x3fff) throw new Error('There are more functions than this can name.')
  const content = [4, ...Buffer.from('name'), 1, ...length, ...names]
  return Uint8Array.from([...bytes, 0, ...inTwoBytes(content.length), ...content])
}

/** The same core in fewer bytes, which gzip makes fewer still. */
export function smaller(bytes) {
  const result = optimized(new Uint8Array(bytes))
  const grams = functionsIn(result).map(gramsOf)
  const places = Array.from(grams.keys())
  // The optimizer puts first what is called most: those keep their short numbers.
  const order = [0, SHORT_NUMBERS].flatMap((from) =>
    byLikeness(places.slice(from, from === 0 ? SHORT_NUMBERS : undefined), grams),
  )
  return transformed(named(result, order), (module) =>
    module.runPasses(['reorder-functions-by-name', 'strip-debug']),
  )
}
