// Random kernels, their columns, and their runs over a memory: what the tests of lanes compare.

import fc from 'fast-check'

/** The columns of every kernel made here: name, type in the source, bytes of a value, values a row. */
export const COLUMNS = [
  { name: 'a', type: 'Column<f32>', bytes: 4, length: 1, kind: 'f32' },
  { name: 'b', type: 'Column<f32>', bytes: 4, length: 1, kind: 'f32' },
  { name: 'c', type: 'ReadonlyColumn<f32>', bytes: 4, length: 1, kind: 'f32' },
  { name: 'n', type: 'Column<i32>', bytes: 4, length: 1, kind: 'integer' },
  { name: 'm', type: 'Column<i32>', bytes: 4, length: 1, kind: 'integer' },
  { name: 'u', type: 'Column<u32>', bytes: 4, length: 1, kind: 'integer' },
  { name: 'w', type: 'Column<u32>', bytes: 4, length: 1, kind: 'integer' },
  { name: 's8', type: 'Column<i8>', bytes: 1, length: 1, kind: 'integer' },
  { name: 'b8', type: 'Column<u8>', bytes: 1, length: 1, kind: 'integer' },
  { name: 's16', type: 'Column<i16>', bytes: 2, length: 1, kind: 'integer' },
  { name: 'w16', type: 'Column<u16>', bytes: 2, length: 1, kind: 'integer' },
  { name: 'on', type: 'Column<bool>', bytes: 1, length: 1, kind: 'bool' },
  { name: 'off', type: 'Column<bool>', bytes: 1, length: 1, kind: 'bool' },
  { name: 'p', type: 'Vec3Column<f32>', bytes: 4, length: 3, kind: 'f32' },
  { name: 'q', type: 'Vec2Column<i16>', bytes: 2, length: 2, kind: 'integer' },
  { name: 'r', type: 'Vec4Column<u8>', bytes: 1, length: 4, kind: 'integer' },
  { name: 'h', type: 'Vec2Column<bool>', bytes: 1, length: 2, kind: 'bool' },
  { name: 'e', type: 'Entities', bytes: 4, length: 1, kind: 'integer' },
  { name: 't', type: 'Column<Text>', bytes: 4, length: 1, kind: 'integer' },
] as const

const SCALARS = 'kf: f32, ki: i32, ku: u32, kb: bool'

const HELPERS = `
const HALF: f32 = 0.5
const BITS = 0x55
type Real = f32
function mix(x: Real, y: f32, k: f32): Real {
  const d = y - x
  return x + d * k
}
function wrapped(x: i32, limit: i32): i32 {
  if (x > limit) return x - limit
  let y = x
  if (y < 0) {
    y += limit
    if (y < 0) return -1
  } else y ^= 1
  return y
}
function inside(x: f32, y: f32): bool {
  return x * x + y * y < 1
}
`

type Kind = 'f32' | 'i32' | 'u32' | 'bool' | 'i8' | 'u8' | 'i16' | 'u16'

const pick = (...texts: string[]): fc.Arbitrary<string> => fc.constantFrom(...texts)

/** Fills `$0`, `$1`, … of a template with expressions. */
function form(template: string, ...parts: fc.Arbitrary<unknown>[]): fc.Arbitrary<string> {
  return fc
    .tuple(...parts)
    .map((texts) => template.replace(/\$(\d)/g, (_, k: string) => texts[Number(k)] as string))
}

/** Expressions of every type. `l` and the type's name is a local of that type. */
const expressions = fc.letrec<Record<Kind, string>>((tie) => {
  // One depth for all types, as an expression leads from each to every other.
  const depth = fc.createDepthIdentifier()
  const of = (kind: Kind): fc.Arbitrary<string> => tie(kind)
  const any = fc.oneof(of('f32'), of('i32'), of('u32'), of('i8'), of('u8'), of('i16'), of('u16'), of('bool'))
  const oneOf = (leaf: fc.Arbitrary<string>, ...more: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
    fc.oneof({ maxDepth: 2, depthIdentifier: depth }, { arbitrary: leaf, weight: 4 }, ...more)
  const narrow = (kind: Kind, ...leaves: string[]): fc.Arbitrary<string> =>
    oneOf(
      pick(`l${kind}`, ...leaves, `<${kind}>77`),
      form(`($0 $1 $2)`, of(kind), pick('+', '-', '*', '&', '|', '^'), of(kind)),
      form(`($0 $1 3)`, of(kind), pick('<<', '>>', '>>>', '+', '*')),
      form(`($0 $1 $2)`, of(kind), pick('<<', '>>', '>>>'), fc.oneof(pick(`<${kind}>ki`), of(kind))),
      form(`($1($0))`, of(kind), pick('-', '~')),
      form(`(<${kind}>($0))`, any),
      form(`$0($1, $2)`, pick('min', 'max'), of(kind), of(kind)),
      // The parser takes `name < (` and a cast before `(kb ?` for types, and `(name) :` for a function: names stand otherwise.
      form(`(!($0) ? $1 : $2)`, of('bool'), of(kind), of(kind)),
    )
  const integer = (kind: 'i32' | 'u32', ...leaves: string[]): fc.Arbitrary<string> =>
    oneOf(
      pick(`l${kind}`, ...leaves, `<${kind}>3`, `<${kind}>${kind}.MAX_VALUE`),
      form(`($0 $1 $2)`, of(kind), pick('+', '-', '*', '&', '|', '^'), of(kind)),
      form(
        `($0 $1 $2)`,
        of(kind),
        pick('<<', '>>', '>>>'),
        fc.oneof(pick('1', '5', '31', '37', `<${kind}>ki`), of(kind)),
      ),
      form(`($0 $1 $2)`, of(kind), pick('+', '-', '*', '&', '|', '^'), pick('7', '0x7fff', 'BITS')),
      form(
        `($0 + $1)`,
        of(kind),
        kind === 'i32' ? fc.oneof(of('i8'), of('i16')) : fc.oneof(of('u8'), of('u16')),
      ),
      form(`($1($0))`, of(kind), pick('-', '~', 'abs')),
      form(`(<${kind}>($0))`, any),
      form(`${kind}($0)`, any),
      form(`($0 as ${kind})`, any),
      form(`$0($1, $2)`, pick('min', 'max', `min<${kind}>`), of(kind), of(kind)),
      form(`(!($0) ? $1 : $2)`, of('bool'), of(kind), of(kind)),
      form(`select($1, $2, $0)`, of('bool'), of(kind), of(kind)),
      form(`${kind === 'i32' ? 'wrapped' : 'random'}($0, $1)`, of(kind), of(kind)),
    )
  return {
    f32: oneOf(
      pick(
        'lf32',
        'a[i]',
        'b[i]',
        'c[i]',
        'p[i][0]',
        'p[i][2]',
        'kf',
        'HALF',
        '<f32>1.5',
        '<f32>-0.0',
        'Mathf.PI',
      ),
      form(`($0 $1 $2)`, of('f32'), pick('+', '-', '*', '/'), of('f32')),
      form(
        `($0 $1 $2)`,
        of('f32'),
        pick('+', '-', '*', '/'),
        pick('0.5', '2', '-3', '1e10', '-0', 'Infinity'),
      ),
      form(`($1($0))`, of('f32'), pick('-', '+', 'sqrt', 'abs', 'floor', 'ceil', 'trunc', 'nearest')),
      form(`Mathf.$1($0)`, of('f32'), pick('sqrt', 'abs', 'floor', 'ceil', 'trunc')),
      form(`$1($0)`, of('f32'), pick('sin', 'cos', 'exp', 'rsqrt')),
      form(`$0($1, $2)`, pick('min', 'max', 'min<f32>', 'Mathf.max'), of('f32'), of('f32')),
      form(`copysign($0, $1)`, of('f32'), pick('a[i]', 'c[i]', 'kf')),
      form(`(<f32>($0))`, any),
      form(`f32($0)`, any),
      form(`($0 + $1)`, of('f32'), fc.oneof(of('u8'), of('i16'))),
      form(`(!($0) ? $1 : $2)`, of('bool'), of('f32'), of('f32')),
      form(`select<f32>($1, $2, $0)`, of('bool'), of('f32'), of('f32')),
      form(`mix($0, $1, $2)`, of('f32'), of('f32'), of('f32')),
      form(`randomFloat($0, $1)`, of('u32'), of('u32')),
      form(`reinterpret<f32>($0)`, of('u32')),
    ),
    i32: integer('i32', 'n[i]', 'm[i]', 'ki', 'i'),
    u32: integer('u32', 'u[i]', 'w[i]', 'ku', 'e[i]', 't[i]'),
    i8: narrow('i8', 's8[i]'),
    u8: narrow('u8', 'b8[i]', 'r[i][1]', 'r[i][3]'),
    i16: narrow('i16', 's16[i]', 'q[i][0]', 'q[i][1]'),
    u16: narrow('u16', 'w16[i]'),
    bool: oneOf(
      pick('lbool', 'on[i]', 'off[i]', 'kb', 'h[i][1]', 'true'),
      ...(['f32', 'i32', 'u32', 'i8', 'u16'] as const).map((kind) =>
        form(`(($0) $1 $2)`, of(kind), pick('<', '<=', '>', '>=', '==', '!=', '===', '!=='), of(kind)),
      ),
      form(`(($0) $1 $2)`, of('f32'), pick('<', '>=', '=='), pick('0', '0.5', '-1', '1e30')),
      form(`(($0) $1 $2)`, of('i32'), pick('<', '>=', '=='), pick('0', '1', '-1', '100')),
      form(`($0 $1 $2)`, of('bool'), pick('&&', '||', '==', '!=', '&', '|', '^'), of('bool')),
      form(`(!($0))`, any),
      form(`(<bool>($0))`, of('f32')),
      form(`isNaN($0)`, of('f32')),
      form(`inside($0, $1)`, of('f32'), of('f32')),
      form(`(!($0) ? $1 : $2)`, of('bool'), of('bool'), of('bool')),
    ),
  }
})

const TARGETS: Readonly<Record<Kind, readonly string[]>> = {
  f32: ['lf32', 'a[i]', 'b[i]', 'p[i][0]', 'p[i][1]'],
  i32: ['li32', 'n[i]', 'm[i]'],
  u32: ['lu32', 'u[i]', 'w[i]', 't[i]'],
  i8: ['li8', 's8[i]'],
  u8: ['lu8', 'b8[i]', 'r[i][1]', 'r[i][2]'],
  i16: ['li16', 's16[i]', 'q[i][1]'],
  u16: ['lu16', 'w16[i]'],
  bool: ['lbool', 'on[i]', 'off[i]', 'h[i][0]'],
}
const KINDS = Object.keys(TARGETS) as Kind[]

/** What a kernel returns, and the statements that lead to it. */
const RESULTS = [
  { type: 'void', before: '', step: [], after: '' },
  { type: 'Count', before: 'let result: u32 = 0', step: ['result++', 'result += 1'], after: 'return result' },
  {
    type: 'Sum<i32>',
    before: 'let result = 0',
    step: ['result += $i32', 'result -= $i32', 'result = result + $i32'],
    after: 'return result',
  },
  { type: 'Sum<u32>', before: 'let result: u32 = 0', step: ['result += $u32'], after: 'return result' },
  {
    type: 'Min<f32>',
    before: 'let result: f32 = Infinity',
    step: ['result = min(result, $f32)', 'result = min($f32, result)'],
    after: 'return result',
  },
  {
    type: 'Max<i32>',
    before: 'let result = i32.MIN_VALUE',
    step: ['result = max(result, $i32)'],
    after: 'return result',
  },
] as const

function statementsFor(step: readonly string[]): fc.Arbitrary<string[]> {
  const assignments = KINDS.map((kind) => {
    const target = pick(...TARGETS[kind])
    const plain = form('$0 = $1', target, expressions[kind])
    if (kind === 'bool')
      return fc.oneof(plain, form('$0 $1 $2', target, pick('&=', '|=', '^='), expressions.bool))
    const arithmetic = form('$0 $1 $2', target, pick('+=', '-=', '*='), expressions[kind])
    const count = form('$0$1', target, pick('++', '--'))
    if (kind === 'f32') return fc.oneof(plain, arithmetic, count, form('$0 /= $1', target, expressions.f32))
    const bits = form('$0 $1 $2', target, pick('&=', '|=', '^='), expressions[kind])
    const shift = form(
      `$0 $1 $2`,
      target,
      pick('<<=', '>>=', '>>>='),
      fc.oneof(pick('1', '9', `<${kind}>ku`), expressions[kind]),
    )
    return fc.oneof(plain, arithmetic, count, bits, shift)
  })
  const steps = step.map((text) =>
    form(text.replace(/\$\w+/, '$0'), expressions[(/\$(\w+)/.exec(text)?.[1] ?? 'i32') as Kind]),
  )
  return fc.letrec<{ statement: string; block: string; list: string[] }>((tie) => ({
    statement: fc.oneof(
      { maxDepth: 2 },
      { arbitrary: fc.oneof(...assignments, ...steps), weight: 6 },
      form('if ($0) {\n$1}', expressions.bool, tie('block')),
      form('if ($0) {\n$1} else {\n$2}', expressions.bool, tie('block'), tie('block')),
      form(
        'if ($0) {\n$1} else if ($2) {\n$3}',
        expressions.i32,
        tie('block'),
        expressions.bool,
        tie('block'),
      ),
      form('if ($0) continue', expressions.bool),
      form('if ($0) {\n$1continue\n}', expressions.bool, tie('block')),
      form(
        '{\nconst lf32 = $0\nlet x = lf32 * kf\nif ($1) x += lf32\na[i] = x\n}',
        expressions.f32.map(localFree),
        expressions.bool,
      ),
      form('const same$1 = kf * $0', pick('0.5', 'HALF', '<f32>ki'), fc.constant('')).map(
        (text) => `{\n${text}\nb[i] = same + a[i]\n}`,
      ),
    ),
    list: fc.array(tie('statement'), { minLength: 1, maxLength: 3 }),
    block: tie('list').map((list) => list.map((text) => `${text}\n`).join('')),
  })).list
}

/** A kernel: its body and what it returns. */
export interface RandomKernel {
  readonly type: string
  readonly body: string
}

export const randomKernel: fc.Arbitrary<RandomKernel> = fc
  .constantFrom(...RESULTS)
  .chain(({ type, before, step, after }) =>
    fc
      .tuple(
        ...KINDS.map((kind) => expressions[kind].map((text) => `let l${kind}: ${kind} = ${localFree(text)}`)),
        fc.array(statementsFor(step), { minLength: 1, maxLength: 2 }).map((lists) => lists.flat().join('\n')),
      )
      .map((parts) => ({
        type,
        body: `${before}\nfor (let i = rows.start; i < rows.end; i++) {\n${parts.join('\n')}\n}\n${after}\n`,
      })),
  )

/** The first values of the locals cannot name one another. */
function localFree(text: string): string {
  return text.replace(/\bl(f32|[iu](?:8|16|32)|bool)\b/g, (_, kind: string) =>
    kind === 'bool' ? 'kb' : `<${kind}>ki`,
  )
}

/** The source of a file with each kernel twice: `rows0` and `lanes0`, and so on. */
export function sourceOf(kernels: readonly RandomKernel[]): string {
  const columns = COLUMNS.map(({ name, type }) => `${name}: ${type}`).join(', ')
  const forms = kernels.flatMap(({ type, body }, k) =>
    (['Rows', 'Lanes'] as const).map(
      (rows) =>
        `export function ${rows.toLowerCase()}${k}(rows: ${rows}, ${columns}, ${SCALARS}): ${type} {\n${body}}\n`,
    ),
  )
  return `import { Column, Count, Entities, Lanes, Max, Min, ReadonlyColumn, Rows, Sum, Text, Vec2Column, Vec3Column, Vec4Column, cos, exp, random, randomFloat, rsqrt, sin } from 'strata-ecs/kernel'
${HELPERS}
${forms.join('\n')}`
}

const FLOATS = [
  NaN,
  Infinity,
  -Infinity,
  0,
  -0,
  1,
  -1,
  0.5,
  2.5,
  1e-45,
  3.4e38,
  2147483648,
  -2147483904,
  4294967296,
]
const WORDS = [0, 1, 2, -1, 127, 128, 255, 256, -128, 32767, 32768, -32768, 65535, 0x7fffffff, -0x80000000]

export const ARGUMENTS = 65536
const FIRST_COLUMN = ARGUMENTS + 1024
export const ROWS = 64

/** A memory with columns of any values. */
export function fill(memory: WebAssembly.Memory, start: number, end: number, seed: number): void {
  const view = new DataView(memory.buffer)
  let state = seed | 0
  const next = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return (state >>> 8) % below
  }
  const float = (): number => (next(3) === 0 ? FLOATS[next(FLOATS.length)]! : (next(20000) - 10000) / 64)
  const word = (): number =>
    next(3) === 0 ? WORDS[next(WORDS.length)]! : (next(1 << 24) << 8) ^ next(1 << 16)
  let at = FIRST_COLUMN
  let slot = ARGUMENTS + 8
  for (const { bytes, length, kind } of COLUMNS) {
    view.setUint32(slot, at, true)
    slot += 8
    for (let k = 0; k < ROWS * length; k++, at += bytes) {
      if (kind === 'f32') view.setFloat32(at, float(), true)
      else if (kind === 'bool') view.setUint8(at, next(2))
      else if (bytes === 4) view.setInt32(at, word(), true)
      else if (bytes === 2) view.setInt16(at, word(), true)
      else view.setInt8(at, word())
    }
  }
  view.setUint32(ARGUMENTS, start | (end << 16), true)
  view.setUint32(ARGUMENTS + 4, 0, true)
  view.setFloat32(slot, float(), true)
  view.setInt32(slot + 8, word(), true)
  view.setInt32(slot + 16, word(), true)
  view.setUint32(slot + 24, next(2), true)
}

/** All columns as bytes, with every NaN the same: which one an operation gives is not laid down. */
export function columnsOf(memory: WebAssembly.Memory): Uint8Array {
  const bytes = new Uint8Array(memory.buffer).slice(FIRST_COLUMN)
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const column of COLUMNS) {
    const { kind } = column
    for (let k = 0; k < ROWS * column.length; k++, at += column.bytes)
      if (kind === 'f32' && Number.isNaN(view.getFloat32(at, true))) view.setUint32(at, 0x7fc00000, true)
  }
  return bytes.slice(0, at)
}

/** The bytes of each column in `columnsOf`: its name and the row that a byte belongs to. */
export function ownerOf(offset: number): string {
  let at = 0
  for (const { name, bytes, length } of COLUMNS) {
    const size = ROWS * bytes * length
    if (offset < at + size) return `${name}[${Math.floor((offset - at) / (bytes * length))}]`
    at += size
  }
  return 'beyond the columns'
}
