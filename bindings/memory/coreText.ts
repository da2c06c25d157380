// Owns compiling a module from the text that stands for a core in a bundle.

import { decoderText } from '../../build/decoder'
import { LimitError } from './errors'
import { utf8 } from './encodings'

/**
 * The text of a core (scripts/build-core.js) has characters from FIRST on, without the backslash. All but the last two stand
 * for a byte that is frequent; these announce another character, and a pair stands for one of the other bytes. The numbers of locals
 * stand after all other bytes.
 */
const FIRST = 40
const BACKSLASH = 92
/** Stands before the numbers of locals. */
const SEPARATOR = ' '
const CHARACTERS = 86
/** The character of a symbol: they are numbered without the backslash. */
const characterOf = (symbol: number) => symbol + (symbol < BACKSLASH - FIRST ? FIRST : FIRST + 1)
/** Hexadecimal digits at the beginning of the text that say which ones these are. */
const DIGITS = 64
/** Where assembly/decoder.ts finds its tables and the text: for one character, for two, and what is to be decoded. The bytes follow. */
const PAIRS_ADDRESS = 128
const TEXT_ADDRESS = 384
const PAGE_BYTES = 0x10000

/** The bytes of a core, from the text that scripts/build-core.js made of it. */
export function decodeText(text: string): Uint8Array<ArrayBuffer> {
  // There are fewer bytes than characters.
  const result = TEXT_ADDRESS + text.length
  const memory = new WebAssembly.Memory({ initial: Math.ceil((result + text.length) / PAGE_BYTES) })
  const bytes = new Uint8Array(memory.buffer)
  let frequent = 0
  let others = 0
  for (let byte = 0; byte < 256; byte++) {
    const isFrequent = (parseInt(text.charAt(byte >> 2), 16) >> (byte & 3)) & 1
    if (isFrequent !== 0) bytes[characterOf(frequent++)] = byte
    else {
      const first = Math.floor(others / CHARACTERS)
      bytes[PAIRS_ADDRESS + (first << 7) + characterOf(others++ % CHARACTERS)] = byte
    }
  }
  // A loop would take 3 ms of each start, and the encoder takes 0.2.
  bytes.set(utf8(text.slice(DIGITS)), TEXT_ADDRESS)
  const code = Uint8Array.from(decoderText.match(/../g) as string[], (byte) => parseInt(byte, 16))
  const decoder = new WebAssembly.Module(code)
  // A loop of 80,000 steps in JavaScript takes 5 ms here: nothing is compiled yet when it runs.
  const { exports } = new WebAssembly.Instance(decoder, { env: { memory } })
  const decode = exports['decode'] as (at: number, end: number, to: number) => number
  const end = TEXT_ADDRESS + text.indexOf(SEPARATOR) - DIGITS
  return bytes.subarray(result, decode(TEXT_ADDRESS, end, result))
}

/** Another form of a module's bytes. */
export type ByteForm = (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>

/**
 * Compiles a module, synchronously, from the text that scripts/build-core.js made of it.
 *
 * @param form the form of its bytes that is compiled
 * @throws StrataError WASM_REFUSED; LimitError MEMORY_LIMIT
 */
export function compileText(text: string, form: ByteForm = (bytes) => bytes): WebAssembly.Module {
  try {
    const core: FromText = new WebAssembly.Module(form(decodeText(text)))
    core[FROM_TEXT] = (part = text, other) => compileText(part, other)
    return core
  } catch (cause) {
    throw LimitError.orOf(cause)
  }
}

/** Compiles the text of a part of the core, or the core itself once more; perhaps another form of the bytes. */
export type CompilePart = (text?: string, form?: ByteForm) => WebAssembly.Module

/** Known to all bundles of the package by its name. */
const FROM_TEXT = /* @__PURE__ */ Symbol.for('strata-ecs.from-text')

interface FromText extends WebAssembly.Module {
  [FROM_TEXT]?: CompilePart
}

/**
 * What compiles a part for a core that came out of a text, as every core of this package does that a bundle carries: it need not be
 * checked, and its bundle carries the decoder. Undefined for other cores, which are whole.
 */
export function compilerOf(core: WebAssembly.Module | undefined): CompilePart | undefined {
  return (core as FromText | undefined)?.[FROM_TEXT]
}
