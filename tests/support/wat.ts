// Gives a test the bytes of a module that is written as text.

import binaryen from 'assemblyscript/binaryen'

/** A module from WAT, with every feature that a host may know. */
export function wat(text: string): Uint8Array<ArrayBuffer> {
  const module = binaryen.parseText(text)
  module.setFeatures(binaryen.Features.All)
  const bytes = Uint8Array.from(module.emitBinary())
  module.dispose()
  return bytes
}
