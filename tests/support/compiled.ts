// Compiles a piece of AssemblyScript in a test, with the options that kernels are compiled with, and runs it over a memory of its
// own.

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import asc from 'assemblyscript/asc'

const ROOT = resolve(import.meta.dirname, '../..')
const OPTIONS =
  '--runtime stub -O3 --noAssert --use abort= --importMemory --noExportMemory --memoryBase 1024 --lowMemoryLimit 65536 --enable simd'
const ENTRY = 'compiled.ts'

export interface Compiled {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The module in the text format. */
  readonly text: string
}

/** Compiles a source that lies, as it were, in `folder`; imports are read from there. Throws the compiler's messages. */
export async function compile(source: string, folder = ROOT): Promise<Compiled> {
  const written = new Map<string, string | Uint8Array>()
  const { error, stderr } = await asc.main(
    [ENTRY, ...OPTIONS.split(' '), '--outFile', 'out.wasm', '--textFile', 'out.wat', '--baseDir', folder],
    {
      readFile: (name) => (name === ENTRY ? source : read(resolve(folder, name))),
      writeFile: (name, contents) => void written.set(name, contents),
      listFiles: () => [],
    },
  )
  // The optimiser's remark about itself is no message about the source.
  const messages = stderr.toString().replace('Last converge was suboptimal.', '').trim()
  if (error !== null || messages !== '') throw new Error(messages, { cause: error })
  return {
    bytes: Uint8Array.from(written.get('out.wasm') as Uint8Array),
    text: String(written.get('out.wat')),
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

/** A memory of 16 pages and the functions of a compiled module that works on it. */
export function instantiate<F>({ bytes }: Compiled): { memory: WebAssembly.Memory; exports: F } {
  const memory = new WebAssembly.Memory({ initial: 16, maximum: 32768 })
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } })
  return { memory, exports: instance.exports as F }
}
