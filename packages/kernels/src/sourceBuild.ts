// Owns what the plugin fetches once it meets a kernel: all of this needs AssemblyScript.

export { compileSources } from './compileKernels'
export { readSources } from './sources'
