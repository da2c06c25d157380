// Owns what the plugin does with a module that calls `compile`: each call that is known before the program runs becomes one
// that brings its compiled code. It must never change what a program computes: what is not known stays as it is.

import { type KernelSourceProblem } from './sourceError'
import { mayCompile, usesOf } from './calls'
import { Edits, type SourceMap } from './edits'
import { Evaluator } from './evaluator'
import { compileAhead } from './loop'
import { type Stretch, shownAt } from './places'
import { Program, type ProgramContext } from './program'

/** Told about each call that is not compiled ahead, or cannot be compiled at all. */
export interface Listener {
  /** It is compiled when the program runs. */
  left(problem: KernelSourceProblem): void
  /** The program could not run it. */
  refused(problem: KernelSourceProblem): never
}

const ENTRY = 'strata-ecs/compile'

export class Ahead {
  private readonly program = new Program()

  /** The module with its loops compiled; undefined where nothing changes. */
  async transform(
    code: string,
    id: string,
    context: ProgramContext,
    listener: Listener,
  ): Promise<{ code: string; map: SourceMap } | undefined> {
    this.program.arrive(id, code, context)
    if (!mayCompile(code)) return undefined
    const show = (at: Stretch, sentence: string): KernelSourceProblem =>
      shownAt(at, this.program.mapOf(at.id), sentence)
    const module = this.program.module(id, code, context)
    if (module === undefined) {
      const at = { id, code, start: 0, end: 0 }
      listener.left(
        show(
          at,
          staying('this module is not JavaScript at this point: put the plugin for its language first'),
        ),
      )
      return undefined
    }
    const { calls, others } = usesOf(module)
    for (const { start, end } of others)
      listener.left(show({ id, code, start, end }, staying('compile itself goes elsewhere here')))

    const evaluator = new Evaluator(this.program.for(context))
    const edits = new Edits(code)
    const names = new Map<string, string>()
    for (const call of calls) {
      const outcome = await compileAhead(call, module, evaluator)
      if (outcome.is === 'unknown') listener.left(show(outcome.at, staying(outcome.sentence)))
      else if (outcome.is === 'refused') listener.refused(show(outcome.at, `compile: ${outcome.sentence}`))
      else if (outcome.is === 'compiled') {
        const { start, end } = call.node.callee
        const open = openingAfter(code, end)
        if (open === undefined || code.slice(start, end).includes('\n')) {
          listener.left(show({ id, code, start, end }, staying('this call is written in an unusual way')))
          continue
        }
        const name = outcome.hasVariants ? 'compiledVariantsAhead' : 'compiledAhead'
        if (!names.has(name)) names.set(name, freeName(name, code))
        edits.replace(start, end, names.get(name) as string)
        edits.replace(open + 1, open + 1, `${JSON.stringify(outcome.table)}, `)
      }
    }
    if (names.size === 0) return undefined
    const imported = [...names].map(([name, local]) => (name === local ? name : `${name} as ${local}`))
    edits.append(`import { ${imported.join(', ')} } from '${ENTRY}'`)
    return { code: edits.toString(), map: edits.map(id) }
  }
}

function staying(why: string): string {
  return `This loop is compiled when the program runs, and not ahead: ${why}.`
}

/** Where the arguments of a call begin; undefined where something else follows the name. */
function openingAfter(code: string, end: number): number | undefined {
  const [space] = /^(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*/.exec(code.slice(end)) as RegExpExecArray
  return code[end + space.length] === '(' ? end + space.length : undefined
}

/** A name that the module does not use. */
function freeName(name: string, code: string): string {
  let free = name
  while (code.includes(free)) free = `_${free}`
  return free
}
