// Owns the calls of a body: the functions of Math and Number that give the same bits in every engine, helpers that are given
// among the values, and the functions of the kernel library.

import { powerOf } from './constants'
import type { GraphValue } from './graph'
import type { Meaning } from './paths'
import { refuse } from './refusal'
import type { Node } from './tokens'
import type { ExpressionTracer } from './traceExpressions'

/** The functions of Math that are the same in wasm. */
const MATH = /^(?:sqrt|abs|floor|ceil|trunc|round|sign|fround|clz32|imul|min|max)$/

/** What to write instead of functions whose bits differ between engines. */
const INSTEAD: Readonly<Record<string, string>> = {
  hypot: 'write Math.sqrt(x * x + y * y).',
  pow: 'write x * x.',
  random:
    "give random or randomFloat of 'strata-ecs/kernel' among the values, which compute from a seed, and call that.",
}
const LIBRARY_NAMES = /^(?:sin|cos|exp)$/

/** What a call gives. */
export function callOf(tracer: ExpressionTracer, node: Node): Meaning {
  const callee = node.callee as Node
  const args = node.arguments as Node[]
  const meaning = tracer.meaning(callee)
  if (meaning.is === 'globalFunction')
    return tracer.of((meaning.of === 'Math' ? mathOf : numberOf)(tracer, node, meaning.name))
  const given = args.map((arg) => tracer.meaning(arg))
  if (meaning.is === 'function') return tracer.inline(meaning.shape.source, given)
  if (meaning.is === 'builtIn') return builtIn(tracer, meaning.name, given[0] as Meaning)
  return refuse(callee, 'only functions of Math and functions that are given among the values can be called.')
}

/** What reads or makes the bits of an f32, for the kernel library. */
function builtIn({ graph, of }: ExpressionTracer, name: 'bitsOf' | 'floatOf', given: Meaning): Meaning {
  const { value } = given as { readonly value: GraphValue }
  return of(name === 'bitsOf' ? graph.asBits(value) : graph.asFloat(value))
}

function numberOf(tracer: ExpressionTracer, node: Node, name: string): GraphValue {
  const { graph } = tracer
  const args = node.arguments as Node[]
  if (args.length !== 1 || (name !== 'isNaN' && name !== 'isFinite'))
    refuse(node, `Number.${name} is not supported.`)
  const value = tracer.numeric(args[0] as Node)
  if (name === 'isNaN') return graph.compare('ne', value, value)
  return graph.compare('lt', graph.abs(value), graph.constant(Infinity))
}

function mathOf(tracer: ExpressionTracer, node: Node, name: string): GraphValue {
  const { graph } = tracer
  if (!MATH.test(name) && name !== 'pow') refuse(node, notTheSame(name))
  const values = (node.arguments as Node[]).map((each) => tracer.numeric(each))
  if (name === 'pow') {
    const power = powerOf(values[0], values[1])
    return power === undefined ? refuse(node, notTheSame(name)) : graph.constant(power)
  }
  if (name === 'min' || name === 'max')
    return values.reduce(
      (a, b) => graph.extreme(name, a, b),
      graph.constant(name === 'min' ? Infinity : -Infinity),
    )
  // What is left out is undefined, which is NaN.
  const orNaN = (k: number): GraphValue => values[k] ?? graph.constant(NaN)
  const a = orNaN(0)
  if (name === 'imul') return graph.bits(name, a, orNaN(1))
  if (name === 'floor' || name === 'ceil' || name === 'trunc') return graph.rounded(name, a)
  return graph[name as 'sqrt' | 'abs' | 'round' | 'sign' | 'fround' | 'clz32'](a)
}

function notTheSame(name: string): string {
  if (!Object.hasOwn(Math, name)) return `Math has no ${name}.`
  if (name === 'random') return `Math.random cannot be repeated: ${INSTEAD.random}`
  const instead =
    INSTEAD[name] ??
    (LIBRARY_NAMES.test(name)
      ? `give ${name} of 'strata-ecs/kernel' among the values, and call that.`
      : 'compute it with + - * / and Math.sqrt.')
  return `the bits of Math.${name} differ between engines: ${instead}`
}
