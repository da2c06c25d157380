// Owns what stands for the declarations of a program while it is built. They have what `compile` looks at, so that one check
// serves both.

import { calledSource } from '../compile/sources'
import * as functions from '../functions/functions'
import type { Source } from '../loopCompiler/refusal'
import type { Module } from './module'
import type { Node } from './nodes'

/** A field: f32, vec(f32, 3). Its default decides nothing but whether it is a list. */
export class KnownField {
  constructor(
    readonly kind: string,
    readonly length = 1,
    readonly defaultValue: unknown = 0,
  ) {}
}

/** A resource with fields. */
export interface KnownResource {
  readonly kind: 'resource'
  readonly resourceName: string
  readonly schema: Readonly<Record<string, KnownField>>
}

/** A name of the library that is called: component, vec, read. */
export class LibraryCall {
  constructor(readonly name: string) {}
}

/** All exports of a module, or of the library. */
export class Namespace {
  constructor(readonly module: Module | 'library') {}
}

/** A value of an object, still to be found: most are never asked for. */
export interface Entry {
  readonly node: Node
  readonly scope: Scope
}

/** An object of the program. */
export class KnownObject {
  constructor(
    readonly entries: ReadonlyMap<string, Entry>,
    /** Whether the program may change it: then nothing is known of what is in it. */
    readonly changes = false,
  ) {}
}

/** Where an expression stands. */
export interface Scope {
  readonly module: Module
  /** The names that are bound between the top of the module and the expression. */
  readonly locals: ReadonlySet<string>
}

/** The text of a function, and the place it has in a module; functions of the library have none. */
export interface FunctionText {
  readonly source: Source
  readonly module?: Module
  /** Its `method` tells whether the text is that of a method. */
  readonly node?: Node
  /** The names that are bound between the top of the module and the function. */
  readonly locals?: ReadonlySet<string>
  readonly start: number
}

const texts = new WeakMap<object, FunctionText>()

/** What stands for a function of the program. */
export function knownFunction(text: FunctionText): object {
  const made = (): void => {}
  texts.set(made, text)
  return made
}

/** The text of what stands for a function; undefined for a component, which is a function, too. */
export function textOf(made: object): FunctionText | undefined {
  return texts.get(made)
}

/** What stands for a component. */
export function knownComponent(componentName: string, schema: Readonly<Record<string, KnownField>>): object {
  const [fieldNames, fields] = [Object.keys(schema), Object.values(schema)]
  return Object.assign(() => {}, { kind: 'component', componentName, schema, fieldNames, fields })
}

const FIELDS = ['i8', 'u8', 'i16', 'u16', 'i32', 'u32', 'f32', 'f64', 'bool', 'entity', 'text']
const CALLS = ['component', 'resource', 'vec', 'optional', 'read', 'compile']
const NULL_ENTITY = 0xffffffff

const library = new Map<string, unknown>([
  ...FIELDS.map((kind) => [kind, new KnownField(kind)] as const),
  ...CALLS.map((name) => [name, new LibraryCall(name)] as const),
  ...Object.entries(functions).map(
    ([name, call]) => [name, knownFunction({ source: calledSource(call, name), start: 0 })] as const,
  ),
  ['NULL_ENTITY', NULL_ENTITY],
])

/** What a name of the library stands for; undefined for all that no loop is declared with. */
export function libraryName(name: string): unknown {
  return library.get(name)
}
