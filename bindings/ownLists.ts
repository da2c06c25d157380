// Owns the copies of lists that are views over a world's memory: such a view is empty once that memory has grown, and the
// write itself may make it grow. It must never copy a list that is no such view.

/** The memories that worlds have, and had before they grew. */
const memories = new WeakSet<ArrayBufferLike>()

/** From now on views over it are copied. */
export function knowMemory(buffer: ArrayBufferLike): void {
  memories.add(buffer)
}

/** The values with copies in place of views over a world's memory; the object itself when it has none. */
export function withOwnLists<V extends Record<string, unknown>>(values: V): V {
  let own: Record<string, unknown> = values
  for (const name in values) {
    const value: unknown = values[name]
    if (!ArrayBuffer.isView(value) || !memories.has(value.buffer)) continue
    if (own === values) own = { ...values }
    own[name] = (value as Uint8Array).slice()
  }
  return own as V
}
