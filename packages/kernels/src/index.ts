// Owns the list of what `strata-ecs/kernel-compiler` exports.

export type { CompileOptions } from './build'
export { compileKernels, type CompiledKernels } from './compileKernels'
export { KernelSourceError, type KernelSourceProblem } from '../../compile/src/ahead/sourceError'
export type { KernelDescription } from '../../../bindings/kernels/kernel'
