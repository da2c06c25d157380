// Owns what an expression of a program is, as far as its text tells: numbers, declarations, functions. It follows names
// through the modules of the program. It must never guess: what can be something else when the program runs is not known.

import {
  type Entry,
  KnownField,
  KnownObject,
  type KnownResource,
  LibraryCall,
  Namespace,
  type Scope,
  knownComponent,
  knownFunction,
  libraryName,
} from './declarations'
import { type Imported, type Module, isLibrary } from './module'
import { type Node, bare, isFunction } from './nodes'

/** Thrown where something is not known before the program runs: why, and where it stands. */
export class Unknown extends Error {
  constructor(
    readonly sentence: string,
    readonly module: Module,
    readonly node: Node,
  ) {
    super(sentence)
  }
}

/** The modules of the program, as they are found for one of them. */
export interface Modules {
  /** The module that a module imports; a sentence where it has no text that can be read. */
  find(specifier: string, importer: string): Promise<Module | string>
}

/** What the language gives a name to. */
const GLOBALS: Readonly<Record<string, unknown>> = { undefined, NaN, Infinity }
/** Their functions give the same bits everywhere. */
const EXACT = ['abs', 'ceil', 'floor', 'fround', 'max', 'min', 'round', 'sign', 'sqrt', 'trunc'] as const

const NONE: ReadonlySet<string> = new Set()
const MATH = Math as unknown as Readonly<Record<string, (...given: unknown[]) => number>>

const BINARY: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '|': (a, b) => a | b,
  '&': (a, b) => a & b,
  '^': (a, b) => a ^ b,
  '<<': (a, b) => a << b,
  '>>': (a, b) => a >> b,
  '>>>': (a, b) => a >>> b,
}

export class Evaluator {
  /** What names stand for that have been asked for, by module and name. */
  private readonly known = new Map<string, unknown>()
  /** Names that are being found: a name that leads to itself is not known. */
  private readonly open = new Set<string>()

  /** Objects and lists that nothing changes. */
  private readonly frozen = new WeakSet<object>()

  constructor(private readonly modules: Modules) {}

  /**
   * What an expression is.
   *
   * @throws Unknown
   */
  async valueOf(expression: Node, scope: Scope): Promise<unknown> {
    const node = bare(expression)
    if (isFunction(node)) return functionOf(node, node.id?.name ?? '', scope)
    switch (node.type) {
      case 'Literal':
        return this.literal(node, scope)
      case 'TemplateLiteral':
        if (node.expressions.length === 0) return node.quasis[0]?.value.cooked
        break
      case 'Identifier':
        return this.nameOf(node, scope)
      case 'UnaryExpression':
        return this.unary(node, scope)
      case 'BinaryExpression':
        return this.binary(node, scope)
      case 'MemberExpression':
        return this.member(node, scope)
      case 'CallExpression':
        return this.call(node, scope)
      case 'ObjectExpression':
        return this.object(node, scope)
      case 'ArrayExpression':
        return this.list(node.elements, scope, node)
    }
    throw this.unknown(node, scope, `${quoted(node, scope)} is computed when the program runs`)
  }

  /**
   * The values of an object by name, each found.
   *
   * @param asked the expression that stands for it
   * @throws Unknown
   */
  async entriesOf(object: KnownObject, asked: Node, scope: Scope): Promise<Record<string, unknown>> {
    const found: Record<string, unknown> = {}
    for (const [name, entry] of this.inside(object, asked, scope)) found[name] = await this.entry(entry)
    return found
  }

  /** What is in an object, if that stays. */
  inside({ entries, changes }: KnownObject, asked: Node, scope: Scope): KnownObject['entries'] {
    if (changes) throw this.unknown(asked, scope, changingInside(asked, scope))
    return entries
  }

  private async entry({ node, scope }: Entry): Promise<unknown> {
    return this.reached(await this.valueOf(node, scope), node, scope)
  }

  /** What has been reached by a name: its contents may have changed since it was declared, unless it is frozen. */
  private reached(value: unknown, asked: Node, scope: Scope): unknown {
    if (typeof value !== 'object' || value === null || this.frozen.has(value)) return value
    if (Array.isArray(value)) throw this.unknown(asked, scope, changingInside(asked, scope))
    return value instanceof KnownObject ? new KnownObject(value.entries, true) : value
  }

  private literal(node: Node, scope: Scope): unknown {
    if (/^(?:number|boolean|string)$/.test(typeof node.value) || node.raw === 'null') return node.value
    throw this.unknown(node, scope, `${quoted(node, scope)} is nothing that a loop is declared with`)
  }

  private async nameOf(node: Node, scope: Scope): Promise<unknown> {
    const { name } = node
    if (scope.locals.has(name))
      throw this.unknown(
        node,
        scope,
        `'${name}' is declared inside of a function or block: declare it at the top of a module`,
      )
    return this.top(name, scope.module, node, scope)
  }

  /** What a name at the top of a module stands for. */
  private async top(name: string, module: Module, asked: Node, scope: Scope): Promise<unknown> {
    const key = `${name} ${module.id}`
    if (this.known.has(key)) return this.known.get(key)
    const value = await this.once(key, asked, scope, () => this.declaredAs(name, module, asked, scope))
    this.known.set(key, value)
    return value
  }

  /** Refuses what leads to itself. One thing is found at a time. */
  private async once<T>(key: string, asked: Node, scope: Scope, find: () => Promise<T>): Promise<T> {
    if (this.open.has(key)) throw this.unknown(asked, scope, `${quoted(asked, scope)} is declared by itself`)
    this.open.add(key)
    try {
      return await find()
    } finally {
      this.open.delete(key)
    }
  }

  private async declaredAs(name: string, module: Module, asked: Node, scope: Scope): Promise<unknown> {
    const imported = module.imports.get(name)
    if (imported !== undefined) return this.imported(imported, module, asked, scope)
    const declaration = module.declarations.get(name)
    if (declaration === undefined) {
      if (Object.hasOwn(GLOBALS, name)) return GLOBALS[name]
      throw this.unknown(asked, scope, `'${name}' is declared in no module, and found when the program runs`)
    }
    if (declaration.is === 'other') throw this.unknown(asked, scope, declaration.why)
    if (declaration.is === 'function') return functionOf(declaration.node, name, { module, locals: NONE })
    const node = bare(declaration.init)
    if (isFunction(node)) return functionOf(node, node.id?.name ?? name, { module, locals: NONE })
    const value = await this.valueOf(node, { module, locals: NONE })
    return declaration.changesInside ? this.reached(value, asked, scope) : value
  }

  private async imported(imported: Imported, module: Module, asked: Node, scope: Scope): Promise<unknown> {
    const { from, name } = imported
    if (isLibrary(from)) {
      if (name === '*') return new Namespace('library')
      const found = libraryName(name)
      if (found !== undefined) return found
      throw this.unknown(asked, scope, `'${name}' of ${from} is nothing that a loop is declared with`)
    }
    const target = await this.modules.find(from, module.id)
    if (typeof target === 'string') throw this.unknown(asked, scope, target)
    if (name === '*') return new Namespace(target)
    return this.once(`${name} of ${target.id}`, asked, scope, () => this.exported(name, target, asked, scope))
  }

  private async exported(name: string, module: Module, asked: Node, scope: Scope): Promise<unknown> {
    const found = await this.lookUp(name, module, asked, scope, new Set())
    if (found !== undefined) return found.value
    throw this.unknown(asked, scope, `${fileOf(module)} exports no '${name}' that can be followed`)
  }

  /** What a module exports by a name, itself or through `export *`; undefined where it exports none. */
  private async lookUp(
    name: string,
    module: Module,
    asked: Node,
    scope: Scope,
    met: Set<Module>,
  ): Promise<{ readonly value: unknown } | undefined> {
    if (met.has(module)) return undefined
    met.add(module)
    const target = module.exports.get(name)
    if (typeof target === 'string') return { value: await this.top(target, module, asked, scope) }
    if (target !== undefined) {
      if ('from' in target) return { value: await this.imported(target, module, asked, scope) }
      const value = await this.valueOf(target, { module, locals: NONE })
      return { value: this.reached(value, asked, scope) }
    }
    for (const star of name === 'default' ? [] : module.stars) {
      if (isLibrary(star)) {
        const value = libraryName(name)
        if (value !== undefined) return { value }
        continue
      }
      const next = await this.modules.find(star, module.id)
      // What the name is, the modules that can be read must tell.
      const found = typeof next === 'string' ? undefined : await this.lookUp(name, next, asked, scope, met)
      if (found !== undefined) return found
    }
    return undefined
  }

  private async unary(node: Node, scope: Scope): Promise<unknown> {
    const value = await this.valueOf(node.argument, scope)
    if (node.operator === '!' && (typeof value === 'boolean' || typeof value === 'number')) return !value
    if (node.operator === 'void') return undefined
    if (typeof value === 'number') {
      if (node.operator === '-') return -value
      if (node.operator === '+') return value
      if (node.operator === '~') return ~value
    }
    throw this.unknown(node, scope, `${quoted(node, scope)} is computed when the program runs`)
  }

  private async binary(node: Node, scope: Scope): Promise<unknown> {
    const operate = BINARY[node.operator]
    if (operate !== undefined) {
      const [left, right] = [await this.valueOf(node.left, scope), await this.valueOf(node.right, scope)]
      if (typeof left === 'number' && typeof right === 'number') return operate(left, right)
    }
    throw this.unknown(node, scope, `${quoted(node, scope)} is computed when the program runs`)
  }

  private async member(node: Node, scope: Scope): Promise<unknown> {
    const name = node.computed ? undefined : node.property.name
    if (name !== undefined) {
      const constant = this.constantOf(node.object, name, scope)
      if (constant !== undefined) return constant
      const object = await this.valueOf(node.object, scope)
      if (object instanceof Namespace) return this.inNamespace(object, name, node, scope)
      if (object instanceof KnownObject) {
        const entry = this.inside(object, node.object, scope).get(name)
        if (entry !== undefined) return this.entry(entry)
      }
    }
    throw this.unknown(node, scope, `${quoted(node, scope)} is found when the program runs`)
  }

  private async inNamespace({ module }: Namespace, name: string, node: Node, scope: Scope): Promise<unknown> {
    if (module !== 'library') return this.exported(name, module, node, scope)
    const found = libraryName(name)
    if (found !== undefined) return found
    throw this.unknown(node, scope, `${quoted(node, scope)} is nothing that a loop is declared with`)
  }

  /** Math.PI, Number.EPSILON: a number of the language. */
  private constantOf(object: Node, name: string, scope: Scope): number | undefined {
    const holder = this.isGlobal(object, 'Math', scope)
      ? Math
      : this.isGlobal(object, 'Number', scope)
        ? Number
        : undefined
    const value = holder && (holder as unknown as Readonly<Record<string, unknown>>)[name]
    return typeof value === 'number' && name !== 'length' ? value : undefined
  }

  private isGlobal({ type, name }: Node, wanted: string, { module, locals }: Scope): boolean {
    return (
      type === 'Identifier' &&
      name === wanted &&
      !locals.has(wanted) &&
      !module.declarations.has(wanted) &&
      !module.imports.has(wanted)
    )
  }

  private async call(node: Node, scope: Scope): Promise<unknown> {
    const callee = bare(node.callee)
    if (callee.type === 'MemberExpression' && !callee.computed) {
      const method = callee.property.name
      if (this.isGlobal(callee.object, 'Object', scope) && method === 'freeze')
        return this.freeze(node.arguments[0] as Node, scope)
      const exact = EXACT.find((name) => name === method)
      if (exact !== undefined && this.isGlobal(callee.object, 'Math', scope))
        return this.exactly(exact, node, scope)
      if (method === 'default') {
        const field = await this.valueOf(callee.object, scope)
        // A default decides nothing about the code.
        if (field instanceof KnownField) return field
      }
    }
    const called = await this.valueOf(callee, scope)
    if (called instanceof LibraryCall) return this.declaration(called.name, node, scope)
    throw this.unknown(node, scope, `${quoted(node, scope)} is found when the program runs`)
  }

  /** Nothing can have changed what is written where it is frozen; what is in that may be another object. */
  private async freeze(node: Node, scope: Scope): Promise<unknown> {
    const value = await this.valueOf(node, scope)
    if (/^(?:Object|Array)Expression$/.test(bare(node).type)) this.frozen.add(value as object)
    return value
  }

  private async exactly(name: (typeof EXACT)[number], node: Node, scope: Scope): Promise<number> {
    const given = await this.list(node.arguments, scope, node)
    if (given.every((each) => typeof each === 'number'))
      return (MATH[name] as (...given: unknown[]) => number)(...given)
    throw this.unknown(node, scope, `${quoted(node, scope)} is computed when the program runs`)
  }

  private async declaration(name: string, node: Node, scope: Scope): Promise<unknown> {
    const [first, second] = node.arguments
    const given = first && (await this.valueOf(first, scope))
    if ((name === 'component' || name === 'resource') && typeof given === 'string' && second !== undefined) {
      const schema = await this.schemaOf(second, scope)
      if (schema !== undefined)
        return name === 'component'
          ? knownComponent(given, schema)
          : ({ kind: 'resource', resourceName: given, schema } satisfies KnownResource)
    }
    if (name === 'vec' && given instanceof KnownField && second !== undefined) {
      const length = await this.valueOf(second, scope)
      if (typeof length === 'number') return new KnownField(given.kind, length, [])
    }
    if (name === 'read' && typeof given === 'function') return { read: given }
    if (name === 'optional')
      return { operator: 'optional', components: await this.list(node.arguments, scope, node) }
    throw this.unknown(node, scope, `what ${quoted(node, scope)} declares is found when the program runs`)
  }

  private async schemaOf(node: Node, scope: Scope): Promise<Record<string, KnownField> | undefined> {
    const object = await this.valueOf(node, scope)
    if (!(object instanceof KnownObject)) return undefined
    const fields = await this.entriesOf(object, node, scope)
    return Object.values(fields).every((field) => field instanceof KnownField)
      ? (fields as Record<string, KnownField>)
      : undefined
  }

  private async object(node: Node, scope: Scope): Promise<KnownObject> {
    const entries = new Map<string, Entry>()
    for (const property of node.properties) {
      if (property.type === 'SpreadElement') {
        const spread = await this.valueOf(property.argument, scope)
        if (!(spread instanceof KnownObject))
          throw this.unknown(property, scope, `${quoted(property, scope)} is found when the program runs`)
        for (const [name, entry] of this.inside(spread, property.argument, scope)) entries.set(name, entry)
        continue
      }
      const { key, computed, kind, method, value } = property
      const name = key.type === 'Identifier' ? key.name : String(key.value)
      if (computed || kind !== 'init' || name === '__proto__')
        throw this.unknown(property, scope, `${quoted(property, scope)} is found when the program runs`)
      // The text of a method begins with its name.
      entries.set(name, {
        node: method ? { ...(value as Node), start: property.start, method } : (value as Node),
        scope,
      })
    }
    return new KnownObject(entries)
  }

  private async list(elements: readonly (Node | null)[], scope: Scope, node: Node): Promise<unknown[]> {
    const found: unknown[] = []
    for (const element of elements) {
      if (element === null || element.type === 'SpreadElement')
        throw this.unknown(element ?? node, scope, 'how long this list is, is found when the program runs')
      found.push(await this.valueOf(element, scope))
    }
    return found
  }

  private unknown(node: Node, { module }: Scope, sentence: string): Unknown {
    return new Unknown(sentence, module, node)
  }
}

function functionOf(node: Node, name: string, { module, locals }: Scope): object {
  const { start, end } = node
  return knownFunction({ source: { name, text: module.code.slice(start, end) }, module, node, locals, start })
}

function changingInside(node: Node, scope: Scope): string {
  return `what is in ${quoted(node, scope)} can change: write it in place, or freeze it where it is declared, Object.freeze(…)`
}

/** Of longer ones the beginning is shown. */
const SHOWN = 40

function quoted({ start, end }: Node, { module }: Scope): string {
  const text = module.code.slice(start, end).replace(/\s+/g, ' ')
  return `'${text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text}'`
}

function fileOf({ id }: Module): string {
  return id.replace(/[?#].*$/, '').replace(/^.*[/\\]/, '')
}
