// Random valid wasm modules: those that a world accepts, and those with one thing in them that it must refuse.

import {
  type Bytes,
  EXTERNREF,
  F32,
  F64,
  FUNCREF,
  FUNCTION,
  GLOBAL,
  I32,
  I64,
  MEMORY,
  type Sections,
  TABLE,
  V128,
  body,
  data,
  exported,
  functionType,
  imported,
  moduleOf,
  signed,
  unsigned,
} from './wasmBytes'

/** Numbers below a bound, the same ones for the same seed. */
export class Dice {
  constructor(private state: number) {}

  below(bound: number): number {
    // mulberry32
    this.state = (this.state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound
  }

  oneOf<T>(items: readonly T[]): T {
    return items[this.below(items.length)]
  }

  bytes(count: number): Bytes {
    return Array.from({ length: count }, () => this.below(256))
  }

  chance(oneIn: number): boolean {
    return this.below(oneIn) === 0
  }
}

/** An instruction in bytes, and its opcode as the reader gives it: `prefix << 16 | number` behind a prefix. */
export interface Instruction {
  readonly opcode: number
  readonly bytes: Bytes
}

const VALUES = [I32, I64, F32, F64, V128, FUNCREF, EXTERNREF]
const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i)

/** How many bytes the lanes of a SIMD access take, as a power of two: the largest alignment that is valid. */
const LOAD_ALIGNMENTS = [4, 3, 3, 3, 3, 3, 3, 0, 1, 2, 3, 4]
const ACCESS_ALIGNMENTS = [2, 3, 2, 3, 0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 2, 3, 2, 3, 0, 1, 0, 1, 2]
/** Numbers of lanes for opcodes 21 to 34 behind 0xfd. */
const LANES = [16, 16, 16, 8, 8, 8, 4, 4, 2, 2, 4, 4, 2, 2]
/** Numbers behind 0xfd below 256 that are no instruction. */
const NO_SIMD = [
  0x9a, 0xa2, 0xa5, 0xa6, 0xaf, 0xb0, 0xb2, 0xb3, 0xb4, 0xbb, 0xc2, 0xc5, 0xc6, 0xcf, 0xd0, 0xd2, 0xd3, 0xd4,
].concat([0xe2, 0xee])

/** Everything a module needs so that any instruction can name something in it. */
interface Scope {
  readonly dice: Dice
  readonly typeCount: number
  readonly functionCount: number
  readonly locals: number
  readonly firstGlobal: number
  /** The function that the code is in, and the number of its type: a tail call must return the same. */
  readonly self: number
  readonly selfType: number
}

const access = (dice: Dice, alignment: number) => [
  ...unsigned(dice.below(alignment + 1)),
  ...unsigned(dice.oneOf([0, 4, 130, 70000, 0xfffffff0])),
]

/** Instructions without blocks, by the form of what follows the opcode. */
const FORMS: readonly ((scope: Scope) => Instruction)[] = [
  ({ dice }) => plain(dice.oneOf([0x00, 0x01, 0x0f, 0x1a, 0xd1, ...range(0x45, 0xc4)])),
  ({ dice }) =>
    plain(
      0x41,
      ...signed(dice.oneOf([0x40, -1, 0x0b, 0x40404040, -0x80000000, 0x7fffffff, dice.below(99999)])),
    ),
  ({ dice }) =>
    plain(
      0x42,
      ...dice.oneOf([
        [0x40],
        [0xc0, 0x80, 0x40],
        [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f],
      ]),
    ),
  ({ dice }) => plain(0x43, ...dice.bytes(4)),
  ({ dice }) => plain(0x44, ...dice.bytes(8)),
  ({ dice }) => {
    const opcode = dice.oneOf(range(0x28, 0x3e))
    return plain(opcode, ...access(dice, ACCESS_ALIGNMENTS[opcode - 0x28]))
  },
  () => plain(0x3f, 0),
  ({ dice, functionCount }) => plain(dice.oneOf([0x10, 0xd2]), ...unsigned(dice.below(functionCount))),
  ({ self }) => plain(0x12, ...unsigned(self)),
  ({ dice, typeCount }) => plain(0x11, ...unsigned(dice.below(typeCount)), 0),
  ({ selfType }) => plain(0x13, ...unsigned(selfType), 0),
  ({ dice, locals }) => plain(dice.oneOf([0x20, 0x21, 0x22]), ...unsigned(dice.below(locals))),
  ({ dice, firstGlobal }) => plain(dice.oneOf([0x23, 0x24]), ...unsigned(firstGlobal + dice.below(GLOBALS))),
  ({ dice }) => plain(dice.oneOf([0x25, 0x26]), dice.below(2)),
  ({ dice }) => plain(0x1c, 1, dice.oneOf(VALUES)),
  ({ dice }) => plain(0xd0, dice.oneOf([FUNCREF, EXTERNREF])),
  ({ dice }) => {
    const number = dice.below(18)
    const immediates: Record<number, Bytes> = {
      8: [dice.below(2), 0],
      9: [dice.below(2)],
      10: [0, 0],
      11: [0],
      12: [dice.below(2), 0],
      13: [dice.below(2)],
      14: [0, 0],
      15: [dice.below(2)],
      16: [dice.below(2)],
      17: [dice.below(2)],
    }
    return prefixed(0xfc, number, dice.chance(4), ...(immediates[number] ?? []))
  },
  ({ dice }) => {
    const number = dice.oneOf(range(0, 255).filter((candidate) => !NO_SIMD.includes(candidate)))
    return prefixed(0xfd, number, dice.chance(4), ...simdImmediates(dice, number))
  },
]

function simdImmediates(dice: Dice, number: number): Bytes {
  if (number < 12) return access(dice, LOAD_ALIGNMENTS[number])
  if (number === 12) return dice.bytes(16)
  if (number === 13) return dice.bytes(16).map((byte) => byte & 31)
  if (number >= 21 && number <= 34) return [dice.below(LANES[number - 21])]
  if (number >= 84 && number <= 91) {
    const alignment = (number - 84) & 3
    return [...access(dice, alignment), dice.below(16 >> alignment)]
  }
  if (number === 92 || number === 93) return access(dice, number - 90)
  return []
}

function plain(opcode: number, ...immediates: Bytes): Instruction {
  return { opcode, bytes: [opcode, ...immediates] }
}

/** `padded`: the number with a byte more than it needs, which is valid too. */
function prefixed(prefix: number, number: number, padded: boolean, ...immediates: Bytes): Instruction {
  const digits = padded && number < 128 ? [number | 0x80, 0] : unsigned(number)
  return { opcode: (prefix << 16) | number, bytes: [prefix, ...digits, ...immediates] }
}

const GLOBALS = 5
/** How many blocks lie in each other at most. */
const DEEPEST = 12
const UNREACHABLE = plain(0x00)
const END = plain(0x0b)

/**
 * Random code. Each instruction follows an `unreachable`, behind which the stack holds whatever is asked of it: so any
 * sequence is valid, and any instruction can come anywhere.
 */
function randomCode(
  scope: Scope,
  depth: number,
  length: number,
  intruder: Instruction | undefined,
): Instruction[] {
  const { dice } = scope
  const code: Instruction[] = []
  const place = dice.below(length)
  for (let i = 0; i < length; i++) {
    const here = i === place ? intruder : undefined
    if (depth < DEEPEST && (dice.chance(4) || (here !== undefined && !dice.chance(6))))
      code.push(...randomBlock(scope, depth, here))
    else if (here !== undefined) code.push(UNREACHABLE, here)
    else if (depth > 0 && dice.chance(6)) code.push(UNREACHABLE, ...randomBranch(dice, depth))
    else code.push(UNREACHABLE, dice.oneOf(FORMS)(scope))
  }
  return [...code, UNREACHABLE]
}

function randomBlock(scope: Scope, depth: number, intruder: Instruction | undefined): Instruction[] {
  const { dice } = scope
  const opcode = dice.oneOf([0x02, 0x03, 0x04])
  // Nothing, a value, or the number of a type.
  const type = dice.oneOf([[0x40], [dice.oneOf(VALUES)], unsigned(dice.below(scope.typeCount))])
  const length = 1 + dice.below(4)
  const code = [UNREACHABLE, plain(opcode, ...type)]
  if (opcode === 0x04) {
    const inElse = dice.chance(2)
    code.push(...randomCode(scope, depth + 1, length, inElse ? undefined : intruder), plain(0x05))
    code.push(...randomCode(scope, depth + 1, length, inElse ? intruder : undefined))
  } else code.push(...randomCode(scope, depth + 1, length, intruder))
  return [...code, END]
}

function randomBranch(dice: Dice, depth: number): Instruction[] {
  // All labels of a table must want the same: so it is the same one.
  const label = dice.below(depth)
  const table = [...unsigned(dice.below(3))]
  const labels = Array.from({ length: table[0] + 1 }, () => label)
  return [dice.oneOf([plain(0x0c, label), plain(0x0d, label), plain(0x0e, ...table, ...labels)])]
}

const KERNEL_TYPES = [functionType([I32, I32], []), functionType([I32, I32, F64], [F64])]
const ABORT_TYPE = functionType([I32, I32, I32, I32], [])
const TRACE_TYPE = functionType([I32, I32, F64, F64, F64, F64, F64], [])

export interface RandomModule {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The opcodes of each function in their order. */
  readonly opcodes: readonly (readonly number[])[]
  /** What is wrong with it, for messages. */
  readonly wrong: string | undefined
}

/** Pages of the memory it is meant for. */
export const PAGES = { initial: 16, maximum: 32768 }

type Draft = Sections &
  Required<Pick<Sections, 'types' | 'imports' | 'functions' | 'code' | 'data' | 'exports' | 'globals'>>

/** What a module may have in it that no world accepts. */
const WRONGS: Record<string, (draft: Draft, dice: Dice) => void | Instruction> = {
  'memory.grow': () => plain(0x40, 0),
  'an atomic instruction': () => plain(0xfe, 0x10, 2, 0),
  'a start function': (draft) => {
    draft.types.push(functionType([], []))
    draft.functions.push([draft.types.length - 1])
    draft.code.push(body([], []))
    draft.start = draft.imports.filter(isFunction).length + draft.functions.length - 1
  },
  'a foreign function': ({ imports }, dice) => {
    const [module, field] = dice.oneOf([
      ['env', 'seed'],
      ['env', 'abort2'],
      ['Math', 'random'],
      ['', ''],
      ['core', 'abort'],
      ['wasi_snapshot_preview1', 'fd_write'],
    ])
    imports.push(imported(module, field, FUNCTION, 0))
  },
  'abort of another type': ({ imports }) => void imports.push(imported('env', 'abort', FUNCTION, 1)),
  'an imported global': ({ imports }, dice) =>
    void imports.push(imported('env', dice.oneOf(['memory', 'abort', '__memory_base']), GLOBAL, I32, 0)),
  'an imported table': ({ imports }) => void imports.push(imported('env', 'table', TABLE, FUNCREF, 0, 1)),
  'a memory of another name': ({ imports }, dice) => {
    const [module, field] = dice.oneOf([
      ['env', 'heap'],
      ['js', 'memory'],
    ])
    replaceMemory(imports, imported(module, field, MEMORY, 0, 0))
  },
  'a shared memory': ({ imports }) => replaceMemory(imports, imported('env', 'memory', MEMORY, 3, 1, 1)),
  'a memory of its own': (draft) => {
    replaceMemory(draft.imports, undefined)
    draft.memories = [[0, 1]]
  },
  'data behind page 0': ({ data: segments }, dice) => {
    const length = 1 + dice.below(40)
    const address = dice.oneOf([0x10000 - length + 1, 0x10000, 0x10001, 0x20000, 0x7fffffff, -1, -0x80000000])
    segments.splice(dice.below(segments.length + 1), 0, data(address, dice.bytes(length)))
  },
  'data at an imported address': ({ imports, data: segments }) => {
    imports.push(imported('env', 'place', GLOBAL, I32, 0))
    segments.push([0, 0x23, 0, 0x0b, 1, 1])
  },
  'a tag': (draft) => {
    draft.types.push(functionType([], []))
    draft.tags = [[0, draft.types.length - 1]]
  },
}

export const WRONG_NAMES = Object.keys(WRONGS)

/** What an import is: the byte behind its two names. */
function kindOf(entry: Bytes): number {
  const field = 1 + entry[0]
  return entry[field + 1 + entry[field]]
}
const isFunction = (entry: Bytes) => kindOf(entry) === FUNCTION

function replaceMemory(imports: Bytes[], by: Bytes | undefined): void {
  const at = imports.findIndex((entry) => kindOf(entry) === MEMORY)
  imports.splice(at, 1, ...(by === undefined ? [] : [by]))
}

/** A random module; with `wrong` one of WRONG_NAMES, one that must be refused for that. */
export function randomModule(seed: number, wrong?: string): RandomModule {
  const dice = new Dice(seed)
  const types = [...KERNEL_TYPES]
  for (let left = dice.below(4); left > 0; left--) types.push(randomType(dice))
  const imports = [randomMemory(dice)]
  const addImport = (field: string, type: Bytes) => {
    types.push(type)
    imports.splice(dice.below(imports.length + 1), 0, imported('env', field, FUNCTION, types.length - 1))
  }
  if (dice.chance(2)) addImport('abort', ABORT_TYPE)
  if (dice.chance(3)) addImport('trace', TRACE_TYPE)
  const own = [[0], [1], ...Array.from({ length: dice.below(4) }, () => [dice.below(types.length)])]
  const draft: Draft = {
    types,
    imports,
    functions: own.map(([type]) => unsigned(type)),
    tables: [
      [FUNCREF, 0, 8],
      [EXTERNREF, 1, 0, 4],
    ],
    globals: randomGlobals(dice),
    exports: [],
    elements: [
      [0, 0x41, 0, 0x0b, 1, 0],
      [1, 0, 2, 0, 1],
    ],
    countsData: true,
    code: [],
    data: randomData(dice),
    ...(dice.chance(3) ? { custom: dice.bytes(dice.below(20)) } : {}),
  }
  const intruder = (wrong === undefined ? undefined : WRONGS[wrong](draft, dice)) ?? undefined
  const firstOwn = draft.imports.filter(isFunction).length
  const functionCount = firstOwn + draft.functions.length
  const firstGlobal = draft.imports.filter((entry) => kindOf(entry) === GLOBAL).length
  draft.exports.push(exported('move', FUNCTION, firstOwn), exported('total', FUNCTION, firstOwn + 1))
  if (dice.chance(3)) draft.exports.push(exported('memory', MEMORY, 0))
  draft.elements?.push(declared(functionCount))
  const chosen = dice.below(own.length)
  const opcodes: number[][] = []
  const bodies = own.map(([type], i) => {
    const locals = randomLocals(dice)
    // Only the variables of the body are named: a function may have no parameters.
    const scope = {
      dice,
      typeCount: types.length,
      functionCount,
      firstGlobal,
      self: firstOwn + i,
      selfType: type,
      locals: locals.reduce((sum, [count]) => sum + count, 0),
    }
    const code = randomCode(scope, 0, 1 + dice.below(12), i === chosen ? intruder : undefined)
    opcodes.push([...code, END].map(({ opcode }) => opcode))
    return body(
      locals,
      code.flatMap(({ bytes }) => bytes),
    )
  })
  opcodes.push(...draft.code.map(() => [END.opcode]))
  draft.code.unshift(...bodies)
  return { bytes: moduleOf(draft), opcodes, wrong }
}

/** Functions may only be referred to by code when an element names them. */
function declared(functionCount: number): Bytes {
  return [3, 0, ...unsigned(functionCount), ...range(0, functionCount - 1).flatMap(unsigned)]
}

function randomType(dice: Dice): Bytes {
  const values = (most: number) => Array.from({ length: dice.below(most + 1) }, () => dice.oneOf(VALUES))
  return functionType(values(4), values(2))
}

function randomMemory(dice: Dice): Bytes {
  const minimum = dice.below(PAGES.initial + 1)
  const maximum = dice.oneOf([PAGES.maximum, 40000, 65536])
  return imported(
    'env',
    'memory',
    MEMORY,
    ...(dice.chance(2) ? [0, minimum] : [1, minimum, ...unsigned(maximum)]),
  )
}

function randomGlobals(dice: Dice): Bytes[] {
  const zeros: readonly Bytes[] = [
    [I32, 1, 0x41, ...signed(dice.below(70000)), 0x0b],
    [I64, 1, 0x42, 0x40, 0x0b],
    [F32, 1, 0x43, ...dice.bytes(4), 0x0b],
    [F64, 1, 0x44, ...dice.bytes(8), 0x0b],
    [V128, 1, 0xfd, 12, ...dice.bytes(16), 0x0b],
    [FUNCREF, 1, 0xd0, FUNCREF, 0x0b],
  ]
  return Array.from({ length: GLOBALS }, () => dice.oneOf(zeros))
}

function randomData(dice: Dice): Bytes[] {
  const segments = Array.from({ length: 2 + dice.below(3) }, () => {
    const bytes = dice.bytes(dice.below(60))
    if (dice.chance(3)) return [1, ...unsigned(bytes.length), ...bytes]
    return data(dice.oneOf([0, 1024, dice.below(0x10000 - 60), 0x10000 - bytes.length]), bytes)
  })
  // An empty one writes nothing, wherever it is.
  return dice.chance(6) ? [...segments, data(0x10000, [])] : segments
}

/** At least one variable. */
function randomLocals(dice: Dice): [number, number][] {
  return Array.from({ length: 1 + dice.below(3) }, () => [1 + dice.below(3), dice.oneOf(VALUES)])
}
