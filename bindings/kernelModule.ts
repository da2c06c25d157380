// Owns the modules of kernels: decoded and compiled once, instantiated over the memory of a world.
// It must never run one.

import type { KernelCode } from './kernel'

/** Compiled modules, shared by all worlds. */
const modules = new WeakMap<KernelCode, WebAssembly.Module>()

/** A new instance of the module over a world's memory. */
export function instantiateKernel(code: KernelCode, memory: WebAssembly.Memory): WebAssembly.Exports {
  let module = modules.get(code)
  if (module === undefined) {
    module = new WebAssembly.Module(decode(code.bytes))
    modules.set(code, module)
  }
  const abort = (): never => {
    throw new Error('abort() was called')
  }
  return new WebAssembly.Instance(module, { env: { memory, abort, trace: () => {} } }).exports
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}
