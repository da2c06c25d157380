// Owns the difference between a list that a user has made and a view over the memory of a world: the second is empty once
// that memory grew, and to write it may be what lets it grow. It must never copy what is no such view.

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
