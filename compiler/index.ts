// Owns the list of what `strata-ecs/compiler` exports. It must never hold code.

export { compileKernels, type CompiledKernels, type CompileOptions } from './compileKernels'
export { KernelSourceError, type KernelSourceProblem } from './sourceError'
export type { KernelDescription } from '../bindings/kernels/kernel'
