// Owns the link from worlds and queries to the code that runs kernels. They do not import that code: every compiled kernel
// carries it as `runtime`, so only programs with kernels bundle it. It must never import the rest of this room except as types.

import type { Definition } from '../components/definition'
import type { Plan } from '../queryPlan/plan'
import { describe } from '../memory/describe'
import { StrataTypeError } from '../memory/errors'
import type { WorldParticipant } from '../state/worldParticipants'
import type { WorldState } from '../state/worldState'
import type { BoundKernel } from './boundKernel'
import type { KernelDescription } from './kernel'
import { BOUND } from './kernelFormat'
import type { Scalars } from './scalars'

/** The kernels of one world: see instances.ts. */
export interface WorldKernels extends WorldParticipant {
  bind(kernel: unknown, columns: unknown, options: unknown): BoundKernel
}

/**
 * What runs kernels. A compiled module hands it to the world with each of its kernels, as their `runtime`. It has no
 * properties, so that a kernel can be posted to a worker.
 */
export abstract class KernelRuntime {
  /**
   * @internal Begins the kernels of a world.
   *
   * @param core that of the world
   */
  abstract begin(state: WorldState, core: WebAssembly.Module): WorldKernels

  /** @internal The scalars of a kernel, for what takes them as kernels do and stands beside this module. */
  abstract scalars(kernel: KernelDescription): Scalars

  /**
   * @internal Throws unless a query has these components in columns, as `slotsOf` does.
   *
   * @param optional places of the ones that some chunks may lack
   */
  abstract expectColumns(
    kernel: KernelDescription,
    components: readonly (Definition | undefined)[],
    optional: readonly number[],
    plan: Plan,
  ): void
}

/**
 * The `runtime` that a kernel carries.
 *
 * @throws StrataTypeError INVALID_KERNEL
 */
export function runtimeOf(kernel: unknown): KernelRuntime {
  const { runtime } = (kernel ?? {}) as { readonly runtime?: unknown }
  if (runtime instanceof KernelRuntime) return runtime
  throw new StrataTypeError('INVALID_KERNEL', `world.kernel${whyNot(kernel as GivenKernel)}.`)
}

type GivenKernel = Partial<KernelDescription> | ((...parameters: never[]) => unknown) | undefined

function whyNot(kernel: GivenKernel): string {
  if (typeof kernel === 'function') {
    return `: ${kernel.name || 'the function'} is the source of a kernel, not compiled: use the plugin strata-ecs/rollup, or import what strata-kernels build writes`
  }
  if (typeof kernel?.kernel !== 'string') {
    return ` takes a kernel, as strata-ecs/rollup and strata-kernels build make them; got ${describe(kernel)}`
  }
  return `: the kernel ${kernel.kernel} (${kernel.code?.file}) comes without what runs it, or with that of another copy of strata-ecs: import the module that strata-ecs/rollup or strata-kernels makes, or add it, { ...kernel, runtime: kernelRuntime }`
}

/**
 * Throws unless a world has bound it.
 *
 * @throws StrataTypeError INVALID_BINDING
 */
export function requireBound(
  kernel: unknown,
  operation: string,
): asserts kernel is BoundKernel<unknown, unknown, boolean> {
  if ((kernel as Partial<BoundKernel> | undefined | null)?.[BOUND] === true) return
  throw notBound(describe(kernel), operation)
}

/** The error for something else than a kernel of the world. */
export function notBound(given: string, operation: string): StrataTypeError {
  return new StrataTypeError(
    'INVALID_BINDING',
    `${operation} takes a kernel that this world bound, world.kernel(kernel, { … }), not ${given}.`,
  )
}

/** What world.kernel binds with: `begun`, or the kernels of a world that has bound none yet. */
export function kernelsOf(
  state: WorldState,
  core: WebAssembly.Module,
  kernel: unknown,
  begun: WorldKernels | undefined,
): WorldKernels {
  state.refuseDisposed()
  state.refuseWhileLocked('world.kernel')
  const runtime = runtimeOf(kernel)
  if (begun !== undefined) return begun
  const kernels = runtime.begin(state, core)
  state.participants.add(kernels)
  return kernels
}

/** world.run */
export function runOnce(state: WorldState, kernel: unknown, scalars: unknown): unknown {
  state.refuseDisposed()
  requireBound(kernel, 'world.run')
  return kernel.once(kernel.check(state, 'world.run', scalars))
}
