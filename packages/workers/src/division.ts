// Owns the kernels of one world that may be divided: which of their calls are, what became of them, and when workers get
// them. The choice depends on time and decides who does the work, never what comes of it.

import { KERNEL_ARGUMENTS_ADDRESS } from '../../../build/layout'
import { StrataTypeError } from '../../../bindings/index'
import type { DividedKernel, Division } from '../../../bindings/kernels/workerDivision'
import type { InstanceFunction } from '../../../bindings/kernels/kernelInstance'
import { type KernelCode, type KernelDescription, nameOf } from '../../../bindings/kernels/kernel'
import type { KernelModule } from '../../../bindings/kernels/kernelModule'
import { kindOf } from '../../../bindings/memory/realms'
import type { DividedKernelStats } from '../../../bindings/memory/workerMemory'
import { GUARDED, NO_MEMORY, OWN_CORE, whyWhole } from './reasons'
import type { Threads } from './run'
import { bytesOf } from './moduleBytes'
import { countMemory } from './pressure'
import { sharedForm } from './sharedForm'
import { type KnownKernel, knownKernel } from './thread'

/** A kernel that is left to the caller times one call of so many. */
const SEEN_TICKS_MASK = 15
/** One that takes fewer microseconds than this is timed less often: a look at the clock would be a part of it. */
const SMALL = 10
const SELDOM_MASK = 255
/** The first calls are long: code is compiled, and another program may have had the processor. The shortest of so many counts. */
const FIRST_SEEN_TICKS = 4
/** A measurement moves the average by the n-th part of the difference. */
const AVERAGE = 8
/** One that is longer than so many times the average counts as that. */
const OUTLIER = 4
/** After a division that did not pay, so many calls at most are left to the caller. */
const LONGEST_REST = 64
/** Of so many divided calls in a row, one more is left to the caller, which measures it. */
const CHECKED = 32
/** Microseconds of work that are worth waking a worker for. */
const WORTH_WAKING = 50

/** The forms of a module over a shared memory: for the thread that owns the world, and for workers. */
class SharedModule {
  private static numbers = 0
  readonly number = SharedModule.numbers++
  readonly owner: WebAssembly.Module
  private silent: WebAssembly.Module | undefined

  constructor(private readonly code: KernelCode) {
    this.owner = new WebAssembly.Module(sharedForm(bytesOf(code)))
  }

  /** Instantiated in the middle of a run, it must not write the tables of kernels again. */
  get forWorkers(): WebAssembly.Module {
    return (this.silent ??= new WebAssembly.Module(sharedForm(bytesOf(this.code), false)))
  }
}

/** By the plain module, for all worlds. */
const sharedModules = /* @__PURE__ */ new WeakMap<WebAssembly.Module, SharedModule>()

let worlds = 0

/** What a kernel has done. It outlives the kernel: nothing of its world is in it. */
class KernelFigures {
  calls = 0
  divided = 0
  /** Microseconds for a block, as the caller has measured it now and then; 0 before. */
  cost = 0

  /** @param why why it is never divided in this world */
  constructor(
    private readonly kernel: KernelDescription,
    readonly why: string | undefined,
  ) {}

  /** @param whyNone why nothing is divided in the pool */
  stats(whyNone: string | undefined): DividedKernelStats {
    const { calls, divided, cost } = this
    const { kernel, code } = this.kernel
    const why = this.why ?? whyNone
    return { kernel, file: code.file, why, calls, divided, chunkMicroseconds: cost }
  }
}

/** A world as its pool keeps it. It must never lead to the world's memory: a world that a program drops is collected. */
export interface WorldInPool {
  readonly number: number
  readonly kernels: KernelFigures[]
  /** Whether workers have kernels of it. */
  isHanded: boolean
  /** Size of its memory. */
  bytes: number
}

export class WorldDivision implements Division {
  readonly world: WorldInPool = { number: worlds++, kernels: [], isHanded: false, bytes: 0 }
  private readonly isShared: boolean
  /** Why nothing is divided in this world. */
  private readonly whyNot: string | undefined

  /** @param forget called when the world has ended */
  constructor(
    readonly threads: Threads,
    readonly memory: WebAssembly.Memory,
    isOwnCore: boolean,
    private readonly forget: (world: WorldInPool) => void,
  ) {
    this.isShared = kindOf(memory.buffer) === 'SharedArrayBuffer'
    if (!this.isShared && threads.needsSharing)
      this.whyNot = threads.why ?? (isOwnCore ? OWN_CORE : NO_MEMORY)
  }

  formOf({ module }: KernelModule, code: KernelCode): WebAssembly.Module {
    if (!this.isShared) return module
    let shared = sharedModules.get(module)
    if (shared === undefined) sharedModules.set(module, (shared = new SharedModule(code)))
    return shared.owner
  }

  expectDivided(kernel: KernelDescription, module: KernelModule): void {
    const why = whyWhole(kernel, module)
    if (why === undefined) return
    throw new StrataTypeError(
      'INVALID_BINDING',
      `createKernel: ${nameOf(kernel)} ${why}, so its rows cannot be divided: leave out divided, or change the kernel.`,
    )
  }

  add(
    kernel: KernelDescription,
    module: KernelModule,
    start: InstanceFunction,
    isGuarded: boolean,
  ): DividedKernel | undefined {
    const why = whyWhole(kernel, module) ?? (isGuarded ? GUARDED : undefined) ?? this.whyNot
    const figures = new KernelFigures(kernel, why)
    this.world.kernels.push(figures)
    if (why !== undefined) return undefined
    return new KernelInWorld(this, kernel, sharedModules.get(module.module), start, figures)
  }

  dispose(): void {
    this.count()
    this.forget(this.world)
  }

  /** Makes a kernel known to the workers. Returns its number in the pool. */
  hand(kernel: string, file: string, shared: SharedModule | undefined): number {
    const { threads, memory, world } = this
    this.count()
    world.isHanded = true
    const module = shared?.forWorkers
    const moduleNumber = shared?.number ?? -1
    return threads.hand({ kernel, file, module, memory, moduleNumber, worldNumber: world.number })
  }

  /** Notes how large the memory is, at each divided run: a world that is dropped can no longer say it. */
  count(): void {
    const { world, memory } = this
    const bytes = memory.buffer.byteLength
    if (bytes === world.bytes) return
    world.bytes = bytes
    if (this.isShared) countMemory(memory)
  }
}

class KernelInWorld implements DividedKernel {
  /** Number in the pool, once it was handed to the workers: a world of small runs never sends them anything. */
  private id = -1
  private known: KnownKernel | undefined
  private isKnown = false
  /** How many of the first looks are still to come. */
  private unseen: number
  /** Which calls are timed: at first every one. */
  private looksMask = 0
  private readonly worth: number
  /** Calls that the caller takes alone, because other programs seem to have the processors; and how many next time. */
  private rest = 0
  private nextRest = 1

  constructor(
    private readonly division: WorldDivision,
    private readonly kernel: KernelDescription,
    private readonly shared: SharedModule | undefined,
    private readonly start: InstanceFunction,
    private readonly figures: KernelFigures,
  ) {
    this.worth = division.threads.worth
    // A pool that divides everything need not know what it costs.
    this.unseen = this.worth === 0 ? 0 : FIRST_SEEN_TICKS
  }

  run(blocks: number, sofar: number, firstBlock: number, blockWords: number): number | undefined {
    const { figures } = this
    figures.calls++
    const alone = figures.cost * blocks
    // First what small runs need: they take a fraction of a microsecond.
    if (alone < this.worth || blocks < 2 || blockWords === 0) {
      return (figures.calls & this.looksMask) === 0
        ? this.measure(blocks, sofar)
        : this.start(KERNEL_ARGUMENTS_ADDRESS, blocks, sofar)
    }
    return this.isReady() && this.unseen === 0 && --this.rest < 0
      ? this.divide(blocks, sofar, firstBlock, blockWords, alone)
      : this.measure(blocks, sofar)
  }

  private measure(blocks: number, sofar: number): number | undefined {
    const before = performance.now()
    const result = this.start(KERNEL_ARGUMENTS_ADDRESS, blocks, sofar)
    const took = (performance.now() - before) * 1000
    this.learn(took / blocks)
    if (this.unseen === 0) this.looksMask = took < SMALL ? SELDOM_MASK : SEEN_TICKS_MASK
    return result
  }

  private isReady(): boolean {
    const { division } = this
    const { threads } = division
    if (threads.why !== undefined) return false
    if (this.isKnown) return true
    const { kernel, code } = this.kernel
    if (this.id < 0) this.id = division.hand(kernel, code.file, this.shared)
    this.isKnown = threads.knows(this.id)
    return this.isKnown
  }

  private divide(
    blocks: number,
    sofar: number,
    firstBlock: number,
    blockWords: number,
    alone: number,
  ): number {
    const { division, id, start } = this
    const { threads } = division
    const { result } = this.kernel
    division.count()
    this.known ??= knownKernel(start, division.memory)
    this.figures.divided++
    const before = performance.now()
    // A pool that divides everything wakes all.
    const helpers = threads.worth === 0 ? threads.count : Math.ceil(alone / WORTH_WAKING)
    const total = threads.run({
      id,
      kernel: this.known,
      result,
      blocks,
      sofar,
      firstBlock,
      blockWords,
      helpers,
    })
    const took = (performance.now() - before) * 1000
    if (threads.worth === 0) return total
    if (took > alone) {
      this.rest = this.nextRest
      this.nextRest = Math.min(LONGEST_REST, 2 * this.nextRest)
    } else {
      // Now and then the caller takes one alone: what a chunk costs while others work says nothing about that.
      this.rest = this.figures.divided % CHECKED === 0 ? 1 : 0
      this.nextRest = 1
    }
    return total
  }

  private learn(one: number): void {
    const { figures } = this
    const { cost } = figures
    if (this.unseen > 0) {
      figures.cost = this.unseen-- === FIRST_SEEN_TICKS ? one : Math.min(cost, one)
      return
    }
    figures.cost = cost === 0 ? one : cost + (Math.min(one, OUTLIER * cost) - cost) / AVERAGE
  }
}
