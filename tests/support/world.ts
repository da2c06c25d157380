// Gives a test a world over the core that this run of the suite is about.

import { inject } from 'vitest'
import {
  clearWorld,
  createWorld,
  resetWorld,
  type Workers,
  type World,
  type WorldOptions,
} from '../../bindings/index'
import { checkedCore } from '../../bindings/checked'

declare module 'vitest' {
  interface ProvidedContext {
    /** Which core this run of the suite is about; vitest.config.js says it. */
    core: 'release' | 'checked' | 'stress' | 'small'
    /**
     * What worlds have of workers: `none`; shared memories and workers that never come, `sharing`; or workers that take part in
     * every run that can be divided, `divided`.
     */
    workers: 'none' | 'sharing' | 'divided'
  }
}

const core = inject('core')

/** Whether kernels run on several threads, over memories that these share, wherever they can. */
export const isDivided = inject('workers') === 'divided'
/** Whether worlds have memories of which other threads could be given a view. */
export const isShared = inject('workers') !== 'none'
let workers: Workers | undefined

/** Gives all worlds from now on these workers; withWorkers.ts does, in the runs that are about them. */
export function giveWorkers(given: Workers): void {
  workers = given
}

const checked = core === 'release' ? undefined : checkedCore({ stress: core === 'stress' })

/**
 * Whether memory grows and is used as a program asks for it: what a test says about that holds for no stress core, which
 * grows by the least and moves what it has.
 */
export const isSteady = core !== 'stress'

/** Whether this run is about the small core, whose chunks, pages and tables are as small as they can be. */
export const isSmall = core === 'small'

/** Whether this run is about a core that checks itself. */
export const isChecked = checked !== undefined

/** The option that names the core under test, for what makes worlds by itself. */
export const CORE: WorldOptions = checked === undefined ? {} : { core: checked }

/**
 * The memory of a world that asks for none. Memories make V8 collect garbage by their size, and for the 16 MiB of a
 * program's world that took a quarter of the time of all tests. A page must collect often: it can have about 120.
 */
const MEMORY = typeof document === 'undefined' ? { initial: 2 ** 20 } : {}

/**
 * A world over the release core, whatever this run is about: its cursors store what typed arrays store, where those of a checked
 * world refuse what does not fit.
 */
export function plainWorld(): World {
  return createWorld({ memory: MEMORY })
}

/** A world over the core under test. */
export function testWorld(given: WorldOptions = {}): World {
  const options = { workers, ...given }
  const memory = { ...MEMORY, ...options.memory }
  return createWorld({ ...options, memory, ...CORE })
}

/** What ends all entities of a world. */
export const ENDS = { clearWorld, resetWorld, dispose: (world: World) => world.dispose() }
