// Owns the functions of a file that loops in lanes call: for each a form that takes and gives four lanes.

import type { FunctionDeclaration, Node } from 'assemblyscript'
import type { HelperSignature } from './conversions'
import type { KernelFile } from './kernelFile'
import { statementsOf } from './nodes'
import { Lines, Names, Preamble } from './output'
import { PLAIN_LOOP, refuse } from './refusal'
import { Scope } from './scope'
import { LaneStatements } from './statements'
import { fitsLanes, type ValueType } from './valueTypes'

export class Helpers {
  private readonly file: KernelFile
  private readonly written = new Map<string, { signature: HelperSignature; text: string }>()
  /** Functions that are being written: one that calls itself is met again. */
  private readonly open = new Set<string>()

  constructor(file: KernelFile) {
    this.file = file
  }

  /** The text of all forms that were asked for. */
  text(): string {
    return [...this.written.values()].map(({ text }) => text).join('')
  }

  /** The form for lanes of a function of the file, which is written when it is asked for first. */
  signature(name: string, call: Node): HelperSignature {
    const known = this.written.get(name)
    if (known !== undefined) return known.signature
    const declaration = this.file.functions.get(name)!
    if (this.open.has(name))
      refuse(
        this.file.source,
        call,
        `'${name}' calls itself, and rows in lanes cannot end at different depths. ${PLAIN_LOOP}`,
      )
    this.open.add(name)
    const signature = this.read(declaration, call)
    this.written.set(name, { signature, text: this.write(declaration, signature) })
    this.open.delete(name)
    return signature
  }

  private read(declaration: FunctionDeclaration, call: Node): HelperSignature {
    const name = declaration.name.text
    const type = (node: Parameters<KernelFile['valueType']>[0], what: string): ValueType => {
      const found = this.file.valueType(node)
      if (found !== undefined && fitsLanes(found)) return found
      return refuse(
        this.file.source,
        call,
        `'${name}' cannot be called in lanes: ${what} is no number of at most 32 bits. ${PLAIN_LOOP}`,
      )
    }
    if (declaration.isGeneric)
      refuse(
        this.file.source,
        call,
        `'${name}' is generic: write one function for each type that lanes need.`,
      )
    return {
      parameters: declaration.signature.parameters.map((parameter) =>
        type(parameter.type, `its parameter '${parameter.name.text}'`),
      ),
      result: type(declaration.signature.returnType, 'what it returns'),
      lanes: `__lanes_${name}`,
    }
  }

  private write(declaration: FunctionDeclaration, { parameters, result, lanes }: HelperSignature): string {
    const names = new Names()
    const preamble = new Preamble(names, 1)
    const lines = new Lines(1)
    const scope = new Scope()
    const statements = declaration.body === null ? [] : statementsOf(declaration.body)
    const head: string[] = []
    for (const [k, { name }] of declaration.signature.parameters.entries()) {
      const text = names.fresh(name.text)
      head.push(`${text}: v128`)
      scope.declare(name.text, { is: 'lanes', type: parameters[k]!, text, mask: undefined })
    }
    const body = {
      around: {
        file: this.file,
        rowNumbers: () => '',
        helper: (name: string, call: Node) => this.signature(name, call),
      },
      names,
      preamble,
      lines,
      scope: new Scope(scope),
      result,
    }
    new LaneStatements(body, statements).write(statements)
    return `\nfunction ${lanes}(${head.join(', ')}): v128 {\n${preamble.lines.text()}${lines.text()}}\n`
  }
}
