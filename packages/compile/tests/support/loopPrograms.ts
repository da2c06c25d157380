// Makes random functions over rows, with what they are declared with: sources, in the subset that compile takes. From one seed
// comes one program, in every engine.

import {
  type AnyComponent,
  type Resource,
  bool,
  component,
  entity,
  f32,
  f64,
  i16,
  i32,
  i8,
  resource,
  u16,
  u32,
  u8,
  vec,
} from '../../../../bindings/index'
import { cos, exp, random, randomFloat, rsqrt, sin } from '../../src/functions/functions'
import { EDGES, functionOf } from './bothForms'

const KINDS = { i8, u8, i16, u16, i32, u32, f32, f64, bool, entity }
export type Kind = keyof typeof KINDS
const COMMON = [
  'f32',
  'f32',
  'f32',
  'f32',
  'f64',
  'f64',
  'i32',
  'u32',
  'i8',
  'u8',
  'i16',
  'u16',
  'bool',
  'entity',
] as const
const RANGES: Readonly<Partial<Record<Kind, readonly [number, number]>>> = {
  i8: [-128, 127],
  u8: [0, 255],
  i16: [-32768, 32767],
  u16: [0, 65535],
  i32: [-(2 ** 31), 2 ** 31 - 1],
  u32: [0, 2 ** 32 - 1],
  entity: [0, 2 ** 32 - 1],
}

export interface ShapedField {
  readonly kind: Kind
  /** Of a vec its length, or 0. */
  readonly vec: number
}
export type Shape = Readonly<Record<string, ShapedField>>

/** A component with random fields. */
export interface Shaped {
  readonly definition: AnyComponent
  readonly shape: Shape
}

/** What a program may use. */
export interface Surroundings {
  readonly components: readonly Shaped[]
  /** Numbers of those that some entities lack. */
  readonly optional: ReadonlySet<number>
  readonly hasHandle: boolean
  readonly values: boolean
}

export type Random = () => number

export function shaped(random: Random, name: string, options: object): Shaped {
  const shape: Record<string, ShapedField> = {}
  const fields = 1 + Math.floor(random() * 4)
  for (let k = 0; k < fields; k++) {
    // The first field is a number, so that a program has something to assign one to.
    const kinds = k === 0 ? COMMON.filter((each) => each !== 'bool') : COMMON
    const kind = kinds[Math.floor(random() * kinds.length)] as Kind
    shape[`f${k}`] = { kind, vec: random() < 0.15 ? 1 + Math.floor(random() * 5) : 0 }
  }
  return { definition: component(name, schemaOf(shape) as never, options as never) as never, shape }
}

function schemaOf(shape: Shape): object {
  return Object.fromEntries(
    Object.entries(shape).map(([name, { kind, vec: length }]) => {
      const type = KINDS[kind]
      return [name, length > 0 ? vec(type as typeof f32, length) : type]
    }),
  )
}

const HELD: Shape = {
  x: { kind: 'f32', vec: 0 },
  y: { kind: 'f64', vec: 0 },
  n: { kind: 'i32', vec: 0 },
  on: { kind: 'bool', vec: 0 },
  m: { kind: 'f32', vec: 3 },
}
export const Held = resource('Held', schemaOf(HELD) as never) as unknown as Resource<never>

const HELPERS = {
  clamp: '(x, least, most) => { if (x < least) return least; return x > most ? most : x }',
  mixed: '(a, b, t) => a + (b - a) * t',
  steps:
    '(x) => { let n = 0; for (let k = 0; k < 5; k++) { if (x > k) n += k; else if (n > 3) break } return n }',
  parity:
    '(x) => { switch (x & 3) { case 0: return 1; case 1: x += 2; case 2: return x * 2; default: x |= 8 } return -x }',
}

/** What every program with values is given. */
export const VALUES = {
  a: f32,
  b: f64,
  c: i32,
  d: bool,
  e: 7.25,
  u: u32,
  held: Held,
  ...(Object.fromEntries(
    Object.entries(HELPERS).map(([name, source]) => [name, functionOf(source)]),
  ) as Record<keyof typeof HELPERS, never>),
  sin,
  cos,
  exp,
  rsqrt,
  random,
  randomFloat,
}

/** A value that a field of this kind can hold, edges among them. */
export function valueOf(random: Random, kind: Kind): number | boolean {
  if (kind === 'bool') return random() < 0.5
  const range = RANGES[kind]
  if (range === undefined)
    return random() < 0.3
      ? (EDGES[Math.floor(random() * EDGES.length)] as number)
      : (random() - 0.5) * 10 ** Math.floor(random() * 8)
  const [least, most] = range
  if (random() < 0.2) return random() < 0.5 ? least : most
  return random() < 0.5
    ? Math.max(least, Math.floor(random() * 10) - 3)
    : least + Math.floor(random() * (most - least + 1))
}

/** Values of a run. */
export function givenBy(random: Random): object {
  const edge = (): number => EDGES[Math.floor(random() * EDGES.length)] as number
  const isEdge = random() < 0.2
  return {
    a: isEdge ? edge() : (random() - 0.5) * 100,
    b: isEdge ? edge() : (random() - 0.5) * 3,
    c: isEdge ? -0 : Math.floor((random() - 0.5) * 1000),
    d: random() < 0.5,
    u: Math.floor(random() * 2 ** 32),
  }
}

/** Fills the values of the resource. */
export function holdBy(random: Random): object {
  return Object.fromEntries(
    Object.entries(HELD).map(([name, { kind, vec: length }]) => [
      name,
      length > 0 ? Array.from({ length }, () => valueOf(random, kind)) : valueOf(random, kind),
    ]),
  )
}

interface Place extends ShapedField {
  readonly text: string
  readonly isReadonly?: boolean
}

interface Variable {
  readonly name: string
  readonly isNumber: boolean
  readonly isConst: boolean
}

export class Programs {
  private variables: Variable[] = []
  private names = 0
  private loops = 0
  private switches = 0
  private budget = 60
  private readonly places: Place[] = []

  constructor(
    private readonly random: Random,
    private readonly around: Surroundings,
  ) {
    for (const [k, { shape }] of around.components.entries()) {
      if (around.optional.has(k)) continue
      for (const [name, field] of Object.entries(shape)) this.places.push({ text: `c${k}.${name}`, ...field })
    }
    if (!around.values) return
    for (const [name, field] of Object.entries(HELD))
      this.places.push({ text: `g.held.${name}`, ...field, isReadonly: true })
  }

  /** The source of a function. With a result, it returns numbers, or booleans where rows are counted. */
  source(result: string | undefined): string {
    this.variables = []
    this.budget = 60
    const { components, hasHandle, values } = this.around
    const names = [
      ...components.map((_, k) => `c${k}`),
      ...(hasHandle ? ['self'] : []),
      ...(values ? ['g'] : []),
    ]
    let body = ''
    const statements = 1 + this.int(6)
    for (let k = 0; k < statements; k++) body += this.statement(2)
    if (result !== undefined) {
      const returned = result === 'count' ? this.boolean(2) : this.number(2)
      body += this.chance(0.3) ? `if (${this.boolean(1)}) return;\nreturn ${returned}` : `return ${returned}`
    }
    return `(${names.join(', ')}) => {\n${body}}`
  }

  private int(n: number): number {
    return Math.floor(this.random() * n)
  }

  private pick<T>(list: readonly T[]): T {
    return list[this.int(list.length)] as T
  }

  private chance(share: number): boolean {
    return this.random() < share
  }

  private placed(test: (place: Place) => boolean): string | undefined {
    const found = this.places.filter(test)
    if (found.length === 0) return undefined
    const { text, vec: length } = this.pick(found)
    return length > 0 ? `${text}[${this.int(length)}]` : text
  }

  private numberPlace(): string | undefined {
    return this.placed((place) => place.kind !== 'bool' || place.vec > 0)
  }

  /** A number of a component; there is one, since the first component has a number. */
  private target(): string {
    return this.placed(
      (place) => place.isReadonly !== true && (place.kind !== 'bool' || place.vec > 0),
    ) as string
  }

  private variable(isNumber: boolean, mayBeConst: boolean): string | undefined {
    const found = this.variables.filter((v) => v.isNumber === isNumber && (mayBeConst || !v.isConst))
    return found.length > 0 ? this.pick(found).name : undefined
  }

  private literal(): string {
    switch (this.int(6)) {
      case 0:
        return String(this.int(10))
      case 1:
        return String(this.int(1000) / 8)
      case 2: {
        const edge = this.pick(EDGES)
        return Object.is(edge, -0) ? '(-0)' : edge < 0 ? `(${edge})` : String(edge)
      }
      case 3:
        return `0x${this.int(2 ** 32).toString(16)}`
      case 4:
        return this.random().toFixed(3)
    }
    return this.pick([
      '2',
      '0.5',
      '100',
      '255',
      '3',
      '1e3',
      'Math.PI',
      'Infinity',
      'NaN',
      '65536',
      'Number.EPSILON',
    ])
  }

  private leaf(): string {
    const c = this.int(6)
    if (c < 3) return this.numberPlace() ?? this.literal()
    if (c === 3)
      return (
        this.variable(true, true) ??
        (this.around.values ? `g.${this.pick(['a', 'b', 'c', 'e', 'u'])}` : this.literal())
      )
    if (c === 4 && this.around.hasHandle && this.chance(0.3)) return 'self'
    return this.optionalRead() ?? this.literal()
  }

  private optionalRead(): string | undefined {
    const { components, optional } = this.around
    if (optional.size === 0 || this.chance(0.4)) return undefined
    const k = this.pick([...optional])
    const fields = Object.entries((components[k] as Shaped).shape).filter(
      ([, field]) => field.kind !== 'bool' && field.vec === 0,
    )
    if (fields.length === 0) return undefined
    const [name] = this.pick(fields)
    return this.pick([
      `(c${k} ? c${k}.${name} : 3)`,
      `(c${k}?.${name} ?? 5)`,
      `(c${k} === undefined ? 1 : c${k}.${name})`,
    ])
  }

  private number(depth: number): string {
    if (depth <= 0 || --this.budget < 0) return this.leaf()
    const n = (): string => this.number(depth - 1 - this.int(2))
    switch (this.int(28)) {
      case 0:
      case 1:
        return `(${n()} + ${n()})`
      case 2:
      case 3:
        return `(${n()} - ${n()})`
      case 4:
      case 5:
        return `(${n()} * ${n()})`
      case 6:
        return `(${n()} / ${n()})`
      case 7:
        return `Math.fround(${n()})`
      case 8:
        return `Math.fround(${n()} ${this.pick(['+', '-', '*', '/'])} ${n()})`
      case 9:
        return `Math.${this.pick(['sqrt', 'abs', 'floor', 'ceil', 'trunc', 'round', 'sign'])}(${n()})`
      case 10:
        return `Math.${this.pick(['min', 'max'])}(${n()}, ${n()}${this.chance(0.2) ? `, ${n()}` : ''})`
      case 11:
        return `Math.fround(Math.${this.pick(['sqrt', 'abs', 'floor', 'round', 'ceil', 'sign'])}(${n()}))`
      case 12:
        return `(${n()} ${this.pick(['&', '|', '^'])} ${n()})`
      case 13:
        return `(${n()} ${this.pick(['<<', '>>', '>>>'])} ${this.chance(0.6) ? this.int(40) : n()})`
      case 14:
        return `(${n()} | 0)`
      case 15:
        return `Math.imul(${n()}, ${n()})`
      case 16:
        return this.pick([`(- ${n()})`, `(~${n()})`, `Math.clz32(${n()})`, `(+${this.boolean(depth - 1)})`])
      case 17:
      case 18:
        return `(${this.boolean(depth - 1)} ? ${n()} : ${n()})`
      case 19: {
        const divisor = this.pick([
          `(${n()} | 0)`,
          '7',
          '256',
          '(-3)',
          `(${n()} >>> 0)`,
          '4000000000',
          `(${n()} | 1)`,
        ])
        return `((${n()} ${this.pick(['|', '>>>'])} 0) % ${divisor})`
      }
      case 20:
        return `(${n()} ${this.pick(['&&', '||'])} ${n()})`
      case 21: {
        const name = this.variable(true, false)
        if (name === undefined || this.chance(0.6)) return n()
        return `(${name} ${this.pick(['=', '+=', '*=', '|=', '>>=', '-='])} ${n()})`
      }
      case 22:
        return `Math.max(${this.int(5)}, Math.min(${100 + this.int(200)}, ${n()}))`
      case 23: {
        const whole = (): string => this.placed(({ kind }) => !/^f|bool/.test(kind)) ?? '3'
        return `(${whole()} ${this.pick(['+', '-', '*'])} ${whole()})`
      }
      case 24:
      case 25:
        return this.call(n)
    }
    return this.numberPlace() ?? this.literal()
  }

  private call(n: () => string): string {
    if (!this.around.values) return n()
    switch (this.int(6)) {
      case 0:
        return `g.clamp(${n()}, ${n()}, ${n()})`
      case 1:
        return `g.mixed(${n()}, ${n()}, ${n()})`
      case 2:
        return `g.steps(${n()})`
      case 3:
        return `g.parity(${n()})`
      case 4:
        return `g.${this.pick(['sin', 'cos', 'exp', 'rsqrt'])}(${n()})`
    }
    return `g.${this.pick(['random', 'randomFloat'])}(${n()}, ${n()})`
  }

  private boolean(depth: number): string {
    if (depth <= 0 || --this.budget < 0) {
      const field = this.placed(({ kind, vec: length }) => kind === 'bool' && length === 0)
      const known = [field, this.variable(false, true), this.around.values ? 'g.d' : undefined]
      return this.pick([...known.filter((each) => each !== undefined), 'true', '!1'])
    }
    const n = (): string => this.number(depth - 1)
    switch (this.int(10)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return `(${n()} ${this.pick(['<', '<=', '>', '>=', '===', '!==', '==', '!='])} ${n()})`
      case 4:
        return `(!${this.boolean(depth - 1)})`
      case 5:
        return `(${this.boolean(depth - 1)} ${this.pick(['&&', '||', '===', '!=='])} ${this.boolean(depth - 1)})`
      case 6:
        return `Number.${this.pick(['isNaN', 'isFinite'])}(${n()})`
      case 7:
        return `(!${n()})`
    }
    return `(${n()} ${this.pick(['<', '>'])} ${this.literal()})`
  }

  private statement(depth: number): string {
    const c = this.int(20)
    if (c < 7) {
      const field = this.placed(
        (place) => place.kind === 'bool' && place.vec === 0 && place.isReadonly !== true,
      )
      if (field !== undefined && this.chance(0.2)) return `${field} = ${this.boolean(2)};\n`
      const operator = this.pick([
        '=',
        '=',
        '=',
        '+=',
        '-=',
        '*=',
        '/=',
        '|=',
        '^=',
        '<<=',
        '>>>=',
        '&&=',
        '||=',
      ])
      return this.set(operator, this.number(3))
    }
    const { length } = this.variables
    switch (c) {
      case 7: {
        const isNumber = !this.chance(0.25)
        const kind = this.pick(['let', 'const', 'let', 'var'])
        const name = `v${this.names++}`
        const text = `${kind} ${name} = ${isNumber ? this.number(3) : this.boolean(2)};\n`
        this.variables.push({ name, isNumber, isConst: kind === 'const' })
        return text
      }
      case 8: {
        const name = this.variable(true, false)
        if (name !== undefined)
          return `${name} ${this.pick(['=', '+=', '*=', '&&=', '||='])} ${this.number(3)};\n`
        const flag = this.variable(false, false)
        return flag === undefined ? ';\n' : `${flag} = ${this.boolean(2)};\n`
      }
      case 9:
        return this.step()
      case 10:
      case 11: {
        if (depth === 0) break
        const then = this.block(depth - 1)
        return `if (${this.boolean(2)}) ${then}${this.chance(0.5) ? ` else ${this.block(depth - 1)}` : ''}\n`
      }
      case 12: {
        if (depth === 0) break
        const leave =
          this.loops > 0 && this.chance(0.7)
            ? this.pick(['break', 'continue'])
            : this.switches > 0 && this.chance(0.5)
              ? 'break'
              : 'return'
        return `if (${this.boolean(2)}) ${leave};\n`
      }
      case 13: {
        if (depth === 0 || this.loops === 2) break
        const name = `k${this.names++}`
        const bound = `${name} < ${1 + this.int(4)}${this.chance(0.4) ? ` && ${this.boolean(2)}` : ''}`
        this.variables.push({ name, isNumber: true, isConst: true })
        this.loops++
        const body = this.block(depth - 1)
        this.loops--
        this.variables.length = length
        return `for (let ${name} = 0; ${bound}; ${name}++) ${body}\n`
      }
      case 14:
        return `${this.boolean(2)} && (${this.set('=', this.number(2)).slice(0, -2)});\n`
      case 15:
        return `${this.boolean(2)} ? ${this.target()} = ${this.number(2)} : (${this.target()} -= ${this.number(2)}, ${this.target()} = 1);\n`
      case 16: {
        const [a, b] = [this.target(), this.target()]
        const name = `t${this.names++}`
        return `const ${name} = ${a}; ${a} = ${b}; ${b} = ${name};\n`
      }
      case 17:
        if (depth > 0) return this.switch(depth)
        break
      case 18:
        return this.optionalWrite()
    }
    return this.set('=', this.number(2))
  }

  private set(operator: string, value: string): string {
    return `${this.target()} ${operator} ${value};\n`
  }

  private step(): string {
    return `${this.variable(true, false) ?? this.target()}${this.pick(['++', '--'])};\n`
  }

  private optionalWrite(): string {
    const { components, optional } = this.around
    if (optional.size === 0) return this.step()
    const k = this.pick([...optional])
    const fields = Object.entries((components[k] as Shaped).shape).filter(
      ([, field]) => field.kind !== 'bool' && field.vec === 0,
    )
    if (fields.length === 0) return this.step()
    const [name] = this.pick(fields)
    const text = `${this.pick(['if', 'if', 'if (c0) if'])} (c${k}) c${k}.${name} = ${this.number(2)};`
    return this.chance(0.5) ? `${text}\n` : `${text} else ${this.set('=', this.number(1))}`
  }

  private switch(depth: number): string {
    const { length } = this.variables
    const on = this.chance(0.7) ? `${this.number(1)} & 3` : this.number(1)
    this.switches++
    let cases = ''
    const count = 1 + this.int(4)
    const last = this.int(6)
    for (let k = 0; k < count; k++) {
      cases += k === last ? 'default:\n' : `case ${this.chance(0.8) ? k : this.number(1)}:\n`
      const statements = this.int(3)
      for (let j = 0; j < statements; j++) cases += this.plain(depth - 1)
      if (this.chance(0.6))
        cases += this.pick(['break;\n', 'break;\n', this.loops > 0 ? 'continue;\n' : 'return;\n'])
      this.variables.length = length
    }
    this.switches--
    return `switch (${on}) {\n${cases}}\n`
  }

  /** A statement that declares nothing, so that no case reads what another one declared. */
  private plain(depth: number): string {
    return this.chance(0.7) ? this.set(this.pick(['=', '+=']), this.number(2)) : this.block(depth)
  }

  private block(depth: number): string {
    const { length } = this.variables
    let text = '{\n'
    const statements = 1 + this.int(3)
    for (let k = 0; k < statements; k++) text += this.statement(Math.max(0, depth))
    this.variables.length = length
    return `${text}}`
  }
}
