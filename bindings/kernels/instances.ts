// Owns the kernels of one world, one instance for each module over the world's memory, and their release; and
// `kernelRuntime`, which brings this room into a bundle.
// It must never know queries, nor what a module may do: see module.ts.

import { BLOCKS_MAXIMUM } from '../../build/layout'
import type { Definition } from '../components/definition'
import type { ResourceDeclaration } from '../components/resource'
import type { Plan } from '../matching/plan'
import { fromBase64 } from '../memory/base64'
import { checkOptions } from '../memory/arguments'
import { PAGE_BYTES } from '../memory/core'
import { SHARING } from '../memory/sharing'
import { resourcesOf } from '../rows/resources'
import type { WorldState } from '../rows/worldState'
import { type Bindings, BoundKernel, bindParameters } from './binding'
import type { DividedKernel, Dividing, Division } from './dividing'
import { type Guard, guardOf } from './guarding'
import { type KernelFunction, KernelWindows, instantiateKernel } from './instance'
import { type KernelCode, type KernelDescription, checkKernel } from './kernel'
import { type KernelModule, checkKernelExport, checkKernelModule } from './module'
import { KernelRuntime, type WorldKernels } from './runtime'
import { Scalars } from './scalars'
import { slotOf } from './slots'
import type { KernelOptions } from './types'

const OPTIONS = ['divided']

/** Modules that were compiled and checked, for all worlds. */
const modules = /* @__PURE__ */ new WeakMap<KernelCode, KernelModule>()

/** The way to a kernel's code. The world cuts it at its end: an instance would keep the memory alive. */
export class KernelEntry {
  constructor(
    public start: KernelFunction,
    /** In worlds over a core that has one. */
    readonly guard: Guard | undefined,
    /** In worlds with workers, if its rows can be divided among them. */
    public divided: DividedKernel | undefined,
  ) {}
}

interface Instance {
  readonly exports: Readonly<Record<string, KernelFunction>>
  /** By the kernel's name. */
  readonly entries: Map<string, KernelEntry>
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
    const dividing = state.workers?.[SHARING] as Dividing | undefined
    this.division = dividing?.begin(state.core.memory, state.parts.compile === undefined)
  }

  /**
   * Binds a kernel to columns and resources of this world. Resources that are missing are made.
   *
   * @throws StrataTypeError INVALID_KERNEL, INVALID_BINDING; LimitError for a component or a resource that is new
   */
  bind(kernel: unknown, given: unknown, options: unknown): BoundKernel {
    const description = checkKernel(kernel)
    checkOptions('world.kernel', options, OPTIONS)
    const bindings = bindParameters(description, given)
    if ((options as KernelOptions | undefined)?.divided === true)
      this.division?.expectDivided(description, moduleOf(description.code))
    const entry = this.entryOf(description)
    this.makeReady(bindings)
    return new BoundKernel(this.state, description, entry, bindings)
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

  private entryOf(description: KernelDescription): KernelEntry {
    const { code, kernel, result } = description
    const module = moduleOf(code)
    checkKernelExport(module, kernel, result !== 'none')
    const { exports, entries, guard } = this.instanceOf(code, module)
    let entry = entries.get(kernel)
    if (entry === undefined) {
      const start = exports[kernel] as KernelFunction
      const divided = this.division?.add(description, module, start, guard !== undefined)
      entry = new KernelEntry(start, guard, divided)
      entries.set(kernel, entry)
    }
    return entry
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
    const made = { exports, entries: new Map<string, KernelEntry>(), guard }
    this.instances.set(code, made)
    return made
  }

  /** Lets the instances go, and with them the memory that they hold. */
  dispose(): void {
    for (const { entries } of this.instances.values())
      for (const entry of entries.values()) {
        entry.start = () => this.state.refuseDisposed() as undefined
        entry.divided = undefined
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
 * @example world.kernel({ ...received, runtime: kernelRuntime }, columns)
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
