// Compiles a kernel's source that is a text, and shows what lanes make of it.

import { assemble } from '../../src/assemble'
import { entryText } from '../../src/entry'
import { laneTwins } from '../../src/lanes'
import { readSignatures } from '../../src/signatures'
import { parseSource } from '../../src/syntax'

const FILE = '/kernels/lanes.kernel.ts'

/** The AssemblyScript that lanes make of a source. */
export function twinsOf(text: string): string {
  const source = parseSource(FILE, text)
  return laneTwins(source, readSignatures(source)).text
}

/** The module of a source, and its text. */
export async function compileText(text: string): Promise<{ bytes: Uint8Array; text: string }> {
  const source = parseSource(FILE, text)
  const signatures = readSignatures(source)
  const twins = laneTwins(source, signatures)
  return assemble({
    file: FILE,
    sources: new Map([[FILE, source]]),
    added: twins.text,
    entry: (kernelsPath) => entryText(signatures, kernelsPath, twins.callees),
    kernelAt: () => undefined,
    memoryBase: 1024,
    timeLimit: 60,
  })
}
