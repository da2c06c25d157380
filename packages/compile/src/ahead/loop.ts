// Owns the way from a call of `compile` in a program to the table that takes its place: what the call is given is found in the
// program, checked as `compile` checks it, and compiled as it would be there.

import { runInThisContext } from 'node:vm'
import { type DeclaredLoop, declared } from '../compile/declared'
import { whyNotCompilable } from '../compile/form'
import { shapeOf } from '../compile/shape'
import { type AheadLoop, wordsOf, writtenIn } from '../compile/table'
import { trialOf } from '../compile/trial'
import * as functions from '../functions/functions'
import { makeOrRefuse } from '../loopCompiler/make'
import { Refusal, type Source } from '../loopCompiler/refusal'
import { StrataTypeError } from '../../../../bindings/memory/errors'
import type { Call } from './calls'
import { type FunctionText, KnownObject, type Scope, textOf } from './declarations'
import { type Evaluator, Unknown } from './evaluator'
import type { Module } from './module'
import type { Node } from './nodes'
import type { Stretch } from './places'
import { shadowIn } from './shadows'

/** What becomes of a call. */
export type Outcome =
  | { readonly is: 'compiled'; readonly table: AheadLoop; readonly hasVariants: boolean }
  /** It is to run as JavaScript. */
  | { readonly is: 'left' }
  /** It is compiled when the program runs. */
  | { readonly is: 'unknown'; readonly sentence: string; readonly at: Stretch }
  | { readonly is: 'refused'; readonly sentence: string; readonly at: Stretch }

/** The arguments of a call, found. */
interface Given {
  readonly components: unknown
  readonly values: Record<string, unknown> | undefined
  readonly body: object
  readonly options: Record<string, unknown> | undefined
  /** Whether `as` is only known when the program runs. */
  readonly isOpen: boolean
}

export async function compileAhead(
  { node, locals }: Call,
  module: Module,
  evaluator: Evaluator,
): Promise<Outcome> {
  const at = stretchOf(node.callee, module)
  try {
    const given = await argumentsOf(node, { module, locals }, evaluator)
    if (given.options?.mode === 'javascript') return { is: 'left' }
    const body = textOf(given.body) as FunctionText
    const called = Object.values(given.values ?? {}).flatMap((value) => textOf(value as object) ?? [])
    const texts = [...called, body]
    const why = whyNotCompilable(texts.map(({ source }) => source.text).join('\n'))
    if (why !== undefined) return { is: 'unknown', sentence: why, at }
    const outcome = refusedShadow(texts) ?? compileGiven(given, body, at)
    // It may be for a debugger, which takes any body.
    return outcome.is === 'refused' && given.isOpen ? { ...outcome, is: 'unknown' } : outcome
  } catch (error) {
    if (!(error instanceof Unknown)) throw error
    return { is: 'unknown', sentence: error.sentence, at: stretchOf(error.node, error.module) }
  }
}

async function argumentsOf(node: Node, scope: Scope, evaluator: Evaluator): Promise<Given> {
  const nodes = node.arguments
  const spread = nodes.find(({ type }) => type === 'SpreadElement')
  if (spread !== undefined)
    throw new Unknown('what is spread here is found when the program runs', scope.module, spread)
  const find = (at: number): Promise<unknown> | undefined => nodes[at] && evaluator.valueOf(nodes[at], scope)
  const components = await find(0)
  const second = await find(1)
  const hasValues = typeof second !== 'function'
  const values = hasValues ? second : undefined
  const body = hasValues ? await find(2) : second
  if (
    typeof body !== 'function' ||
    textOf(body) === undefined ||
    (values !== undefined && !(values instanceof KnownObject))
  )
    throw new Unknown(
      'this call is given neither values nor a function that can be followed',
      scope.module,
      node,
    )
  const at = hasValues ? 3 : 2
  const options = await find(at)
  if (options !== undefined && !(options instanceof KnownObject))
    throw new Unknown('the options are found when the program runs', scope.module, node)
  const { found, isOpen } = await optionsOf(options, nodes[at] as Node, scope, evaluator)
  return {
    components,
    values: values && (await evaluator.entriesOf(values, nodes[1] as Node, scope)),
    body,
    options: found,
    isOpen,
  }
}

async function optionsOf(
  options: KnownObject | undefined,
  node: Node,
  scope: Scope,
  evaluator: Evaluator,
): Promise<{ found: Record<string, unknown> | undefined; isOpen: boolean }> {
  if (options === undefined) return { found: undefined, isOpen: false }
  const entries = evaluator.inside(options, node, scope)
  const mode = entries.get('mode')
  const others = new Map([...entries].filter(([name]) => name !== 'mode'))
  const found = await evaluator.entriesOf(new KnownObject(others), node, scope)
  if (mode === undefined) return { found, isOpen: false }
  try {
    return { found: { ...found, mode: await evaluator.valueOf(mode.node, mode.scope) }, isOpen: false }
  } catch (error) {
    if (!(error instanceof Unknown)) throw error
    // Each form gives the same bytes, and the program chooses when it runs.
    return { found, isOpen: true }
  }
}

/** What a body calls Math is that of the language; run as JavaScript it would be what the module calls so. */
function refusedShadow(texts: readonly FunctionText[]): Outcome | undefined {
  for (const text of texts) {
    const node = shadowIn(text)
    if (node === undefined) continue
    const sentence = `a compiled function takes '${node.name}' from the language, and this module has one of its own: give that another name.`
    return { is: 'refused', sentence, at: stretchOf(node, text.module as Module) }
  }
  return undefined
}

function compileGiven(
  { components, values, body, options }: Given,
  text: FunctionText,
  at: Stretch,
): Outcome {
  const texts = new Map<Source | undefined, FunctionText>()
  const sourceOf = (given: object, name: string): Source => {
    const known = textOf(given) as FunctionText
    const source = known.module === undefined ? known.source : { ...known.source, name }
    texts.set(source, known)
    return source
  }
  try {
    const checked: DeclaredLoop =
      values === undefined ? declared(components, body, options) : declared(components, values, body, options)
    const source = sourceOf(body, text.source.name || 'the function')
    const made = makeOrRefuse(shapeOf(checked, source, sourceOf))
    const words = wordsOf(components as unknown[], values, checked.options.result)
    const hasVariants = made.variants.length > 1
    const trial = trialHere(components as unknown[], values, body, checked.options.result !== undefined)
    if (trial === undefined) return { is: 'unknown', sentence: 'the build could not run its functions', at }
    return { is: 'compiled', table: { for: words, trial, writes: writtenIn(made), ...made }, hasVariants }
  } catch (error) {
    if (error instanceof StrataTypeError)
      return { is: 'refused', sentence: error.message.replace(/^compile:? /, ''), at }
    if (!(error instanceof Refusal)) throw error
    const { sentence, place } = error
    const refused = texts.get(error.source)
    if (refused?.module === undefined) return { is: 'refused', sentence, at }
    const { module, start } = refused
    const { id, code } = module
    return { is: 'refused', sentence, at: { id, code, start: start + place.start, end: start + place.end } }
  }
}

/** The trial of a loop; undefined where its functions cannot be run here, which says nothing about the program. */
function trialHere(
  components: readonly unknown[],
  values: Given['values'],
  body: object,
  returns: boolean,
): number | undefined {
  try {
    const real = Object.entries(values ?? {}).map(([name, value]) => [name, functionOf(value as object)])
    const called = functionOf(body) as DeclaredLoop['body']
    return trialOf(components, values && (Object.fromEntries(real) as object), called, returns)
  } catch {
    return undefined
  }
}

/** What stands for a function as one, which uses nothing but what it is given: it has been compiled. All else as it is. */
function functionOf(given: object): unknown {
  const text = textOf(given)
  if (text === undefined) return given
  if (text.node === undefined) return functions[text.source.name as keyof typeof functions]
  const { source, node } = text
  // The text of a method is that of a property.
  return runInThisContext(
    node.method ? `Object.values({ ${source.text} })[0]` : `(${source.text})`,
  ) as unknown
}

function stretchOf({ start, end }: Node, { id, code }: Module): Stretch {
  return { id, code, start, end }
}
