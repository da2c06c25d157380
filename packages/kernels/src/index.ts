// Owns the list of what `strata-ecs/compiler` exports. It must never hold code.

export type { CompileOptions } from './build'
export { compileKernels, type CompiledKernels } from './compileKernels'
export { KernelSourceError, type KernelSourceProblem } from '../../compile/src/ahead/sourceError'
export type { KernelDescription } from '../../../bindings/kernels/kernel'
