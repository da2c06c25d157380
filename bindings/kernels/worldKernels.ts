// Owns the kernels of one world, one instance for each module over the world's memory, and their release; and `kernelRuntime`,
// which brings this room into a bundle. What a module may do is checked in kernelModule.ts.

import { BLOCKS_MAXIMUM } from '../../build/layout'
import type { Definition } from '../components/definition'
import type { ResourceDeclaration } from '../components/resourceDeclaration'
import type { Plan } from '../queryPlan/plan'
import { fromBase64 } from '../memory/encodings'
import { checkOptions } from '../memory/arguments'
import { PAGE_BYTES } from '../memory/core'
import { SHARING } from '../memory/workerMemory'
import { resourcesOf } from '../resources/resources'
import type { WorldState } from '../state/worldState'
import { type Bindings, BoundKernel, bindParameters } from './boundKernel'
import type { DividedKernel, WorkerDivision, Division } from './workerDivision'
import { type Guard, guardOf } from './guardLink'
import { type InstanceFunction, KernelWindows, instantiateKernel } from './kernelInstance'
import { type KernelCode, type KernelDescription, checkKernel } from './kernel'
import { type KernelModule, checkKernelExport, checkKernelModule } from './kernelModule'
import { KernelRuntime, type WorldKernels } from './runtime'
import { Scalars } from './scalars'
import { slotOf } from './columnSlots'
import type { KernelOptions } from './kernelTypes'

const OPTIONS = ['divided']

/** Modules that were compiled and checked, for all worlds. */
const modules = /* @__PURE__ */ new WeakMap<KernelCode, KernelModule>()

/** The way to a kernel's code. The world cuts it at its end: an instance would keep the memory alive. */
export class LoadedKernel {
  constructor(
    public start: InstanceFunction,
    /** In worlds over a core that has one. */
    readonly guard: Guard | undefined,
    /** In worlds with workers, if its rows can be divided among them. */
    public divided: DividedKernel | undefined,
  ) {}
}

interface Instance {
  readonly exports: Readonly<Record<string, InstanceFunction>>
  /** By the kernel's name. */
  readonly kernels: Map<string, LoadedKernel>
  readonly guard: Guard | undefined
}

class Kernels implements WorldKernels {
  private readonly instances = new Map<KernelCode, Instance>()
  /** Made with the first kernel: a world without any need not look at page 0. */
  private windows: KernelWindows | undefined
  /** Cut at the end of the world, like the instances: it has the memory, too. */
  private division: Division | undefined

  constructor(
    private readonly state: WorldState,
    private readonly core: WebAssembly.Module,
  ) {
    const dividing = state.workers?.[SHARING] as WorkerDivision | undefined
    this.division = dividing?.begin(state.core.memory, state.parts.compile === undefined)
  }

  /**
   * Binds a kernel to columns and resources of this world. Resources that are missing are made.
   *
   * @throws StrataTypeError INVALID_KERNEL, INVALID_BINDING; LimitError for a component or a resource that is new
   */
  bind(kernel: unknown, given: unknown, options: unknown): BoundKernel {
    const description = checkKernel(kernel)
    checkOptions('createKernel', options, OPTIONS)
    const bindings = bindParameters(description, given)
    if ((options as KernelOptions | undefined)?.divided === true)
      this.division?.expectDivided(description, moduleOf(description.code))
    const loaded = this.loadedOf(description)
    this.makeReady(bindings)
    return new BoundKernel(this.state, description, loaded, bindings)
  }

  /** Makes components known, and resources that are not there: all of them, or none. */
  private makeReady({ columns, parents, resources }: Bindings): void {
    for (const column of columns) if (column !== undefined) this.state.register(column.definition)
    for (const { relation, definition } of parents) {
      this.state.register(relation)
      this.state.register(definition)
    }
    const held = resourcesOf(this.state)
    const made: ResourceDeclaration[] = []
    try {
      for (const { declaration } of resources) {
        if (held.has(declaration)) continue
        held.content(declaration)
        made.push(declaration)
      }
    } catch (error) {
      for (const declaration of made) held.remove(declaration)
      throw error
    }
  }

  private loadedOf(description: KernelDescription): LoadedKernel {
    const { code, kernel, result } = description
    const module = moduleOf(code)
    checkKernelExport(module, kernel, result !== 'none')
    const { exports, kernels, guard } = this.instanceOf(code, module)
    let loaded = kernels.get(kernel)
    if (loaded === undefined) {
      const start = exports[kernel] as InstanceFunction
      const divided = this.division?.add(description, module, start, guard !== undefined)
      loaded = new LoadedKernel(start, guard, divided)
      kernels.set(kernel, loaded)
    }
    return loaded
  }

  private instanceOf(code: KernelCode, module: KernelModule): Instance {
    const known = this.instances.get(code)
    if (known !== undefined) return known
    const { memory } = this.state.core
    const maximumPages = this.state.heap.word(BLOCKS_MAXIMUM) / PAGE_BYTES
    this.windows ??= new KernelWindows(memory)
    const form = this.division?.formOf(module, code) ?? module.module
    const exports = instantiateKernel(module, memory, maximumPages, this.windows, form)
    const guard = guardOf(this.core)?.(this.state, this.windows, module)
    const made = { exports, kernels: new Map<string, LoadedKernel>(), guard }
    this.instances.set(code, made)
    return made
  }

  /** Lets the instances go, and with them the memory that they hold. */
  dispose(): void {
    for (const { kernels } of this.instances.values())
      for (const loaded of kernels.values()) {
        loaded.start = () => this.state.refuseDisposed() as undefined
        loaded.divided = undefined
      }
    this.instances.clear()
    this.division?.dispose()
    this.division = undefined
  }
}

/**
 * The code that runs kernels. The modules that kernels are compiled to import it, and each kernel carries it to the world
 * as its `runtime`. A kernel that was kept as JSON or posted to a worker has lost it: add it.
 *
 * @example createKernel(world, { ...received, runtime: kernelRuntime }, columns)
 */
// Marked pure: a bundler drops it, with all it needs, where nothing imports it.
export const kernelRuntime: KernelRuntime = /* @__PURE__ */ new (class extends KernelRuntime {
  begin(state: WorldState, core: WebAssembly.Module): WorldKernels {
    return new Kernels(state, core)
  }

  scalars(kernel: KernelDescription): Scalars {
    return new Scalars(kernel)
  }

  expectColumns(
    kernel: KernelDescription,
    components: readonly (Definition | undefined)[],
    optional: readonly number[],
    plan: Plan,
  ): void {
    components.forEach((definition, k) => {
      if (definition === undefined) return
      const name = `${definition.componentName}.${definition.fieldNames[0]}`
      slotOf(kernel, name, definition, optional.includes(k), plan)
    })
  }
})()

function moduleOf(code: KernelCode): KernelModule {
  let module = modules.get(code)
  if (module === undefined) {
    module = checkKernelModule(decode(code.bytes), code.file)
    modules.set(code, module)
  }
  return module
}

/** The bytes behind base64. What is no base64 gives bytes that are no module. */
function decode(base64: string): Uint8Array {
  try {
    return fromBase64(base64)
  } catch {
    // An empty module is refused with a sentence of its own.
    return new Uint8Array(0)
  }
}
