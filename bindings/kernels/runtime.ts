// Owns createKernel, and the link from worlds and queries to the code that runs kernels. They do not import that code: every compiled kernel
// carries it as `runtime`, so only programs with kernels bundle it. It must never import the rest of this room except as types.

import type { Definition } from '../components/definition'
import type { Plan } from '../queryPlan/plan'
import { describe } from '../memory/describe'
import { StrataTypeError } from '../memory/errors'
import type { WorldParticipant } from '../state/worldParticipants'
import { type WorldState, stateOf } from '../state/worldState'
import type { World } from '../world/world'
import type { BoundKernel } from './boundKernel'
import type { AnyKernel, KernelDescription, KernelFunction } from './kernel'
import type { BoundSources, ColumnBindings, HasRows, KernelOptions, ResultOf, ScalarsOf } from './kernelTypes'
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

/** The kernels of each world that has bound any. */
const begun = /* @__PURE__ */ new WeakMap<WorldState, WorldKernels>()

/**
 * The `runtime` that a kernel carries.
 *
 * @throws StrataTypeError INVALID_KERNEL
 */
export function runtimeOf(kernel: unknown): KernelRuntime {
  const { runtime } = (kernel ?? {}) as { readonly runtime?: unknown }
  if (runtime instanceof KernelRuntime) return runtime
  throw new StrataTypeError('INVALID_KERNEL', `createKernel${whyNot(kernel as GivenKernel)}.`)
}

type GivenKernel = Partial<KernelDescription> | ((...parameters: never[]) => unknown) | undefined

function whyNot(kernel: GivenKernel): string {
  if (typeof kernel === 'function') {
    return `: ${kernel.name || 'the function'} is the source of a kernel, not compiled: use the plugin strata-ecs/vite, or import what strata-kernels build writes`
  }
  if (typeof kernel?.kernel !== 'string') {
    return ` takes a kernel, as strata-ecs/vite and strata-kernels build make them; got ${describe(kernel)}`
  }
  return `: the kernel ${kernel.kernel} (${kernel.code?.file}) comes without what runs it, or with that of another copy of strata-ecs: import the module that strata-ecs/vite or strata-kernels makes, or add it, { ...kernel, runtime: kernelRuntime }`
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
    `${operation} takes a kernel that this world bound, createKernel(world, kernel, { … }), not ${given}.`,
  )
}

/**
 * Binds a compiled kernel to components and resources of a world. Run the result over the rows of a query, `query.run(step)`, or
 * by itself if the kernel takes no rows, `step.run()`. Everything is checked here, once, and missing resources are created. Keep
 * the result and reuse it: it works for every query that has the columns, and also after a reset, once its resources exist again.
 *
 * @param kernel what you import from a compiled `.kernel.ts` file
 * @param columns for each parameter that is a column or a resource: the component or resource, and the name of a
 *   field of the same kind
 * @param options `divided: true` if its rows must be able to run on several threads; without `workers` it says nothing
 * @throws StrataTypeError INVALID_KERNEL for what is not a kernel or must not share the memory, INVALID_BINDING for
 *   a parameter without a fitting field, and for a kernel that is to be divided and cannot be; StrataError WORLD_LOCKED inside
 *   a loop; LimitError. Nothing changes then.
 * @example const step = createKernel(world, move, { px: [Position, 'x'], vx: [Velocity, 'x'] })
 */
export function createKernel<K extends AnyKernel | KernelFunction, C extends BoundSources<K>>(
  world: World,
  kernel: K,
  columns: ColumnBindings<K, C>,
  options?: KernelOptions,
): BoundKernel<ScalarsOf<K>, ResultOf<K>, HasRows<K>>
export function createKernel(world: World, kernel: unknown, columns: unknown, options?: unknown): unknown {
  const state = stateOf(world, 'createKernel')
  state.refuseDisposed()
  state.refuseWhileLocked('createKernel')
  const runtime = runtimeOf(kernel)
  let kernels = begun.get(state)
  if (kernels === undefined) {
    kernels = runtime.begin(state, world.core)
    state.participants.add(kernels)
    begun.set(state, kernels)
  }
  return kernels.bind(kernel, columns, options)
}
