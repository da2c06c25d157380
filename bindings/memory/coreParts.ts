// Owns the parts of the core that a program carries only if something it imports calls them. The base is instantiated with the
// world; a part at the first call that needs it, over the same memory, with what it imports from the base. scripts/split-core.js
// has the list of parts and makes their texts. A whole core, such as the checked one, has all functions already. What every
// program carries must never import this file.

import { heldText } from '../../build/held'
import { manyText } from '../../build/many'
import { orderText } from '../../build/order'
import { rareText } from '../../build/rare'
import { textsText } from '../../build/texts'
import type { HeldExports, ManyExports, OrderExports, RareExports, TextsExports } from './core'
import type { CompilePart } from './coreText'
import type { Handles } from './handles'

/** What groups, resources, looks at changes, given handles and the end of a frame need. */
export function rareOf(state: Handles): RareExports {
  return (state.parts.rare ??= partOf<RareExports>(state, 'resourceMake', rareText))
}

/** What holds memory for the change of an entity while listeners are called before it. */
export function heldOf(state: Handles): HeldExports {
  return (state.parts.held ??= partOf<HeldExports>(state, 'entityPrepare', heldText))
}

/** What sorts rows and sums up values. */
export function orderOf(state: Handles): OrderExports {
  return (state.parts.order ??= partOf<OrderExports>(state, 'querySort', orderText))
}

/** What copies entities, and changes those of a list. */
export function manyOf(state: Handles): ManyExports {
  return (state.parts.many ??= partOf<ManyExports>(state, 'listChange', manyText))
}

/** What looks over texts, and handles in fields. */
export function textsOf(state: Handles): TextsExports {
  return (state.parts.texts ??= partOf<TextsExports>(state, 'textFind', textsText))
}

/** By what compiles them, and by the functions that return their texts. */
const compiled = /* @__PURE__ */ new WeakMap<CompilePart, Map<() => string, WebAssembly.Module>>()

/** Functions of the core: its own if it has one that is named `name`, which is in the part with this text. */
function partOf<Part>(state: Handles, name: keyof Part & string, text: () => string): Part {
  const { core } = state
  if (name in core) return core as unknown as Part
  const compile = state.parts.compile as CompilePart
  let modules = compiled.get(compile)
  if (modules === undefined) compiled.set(compile, (modules = new Map<() => string, WebAssembly.Module>()))
  let module = modules.get(text)
  if (module === undefined) modules.set(text, (module = compile(text())))
  const { exports } = new WebAssembly.Instance(module, { env: { memory: core.memory }, c: core as never })
  return exports as unknown as Part
}
