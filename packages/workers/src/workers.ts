// Owns the entry 'strata-ecs/workers': a pool of workers, threads that run kernels together with the one that calls. What it
// needs of the library comes from the entry 'strata-ecs', so that the package is in a program once.

import { StrataTypeError, type Workers } from '../../../bindings/index'
import { describe } from '../../../bindings/memory/describe'
import { type WorkerClass, defaultCount } from './host'
import { Pool } from './pool'
import { PoolOfWorlds } from './poolOfWorlds'

export type { DividedKernelStats, Workers, WorkersStats } from '../../../bindings/index'

/** Options of workers. */
export interface WorkersOptions {
  /** How many workers, beside the thread that calls: 0 to 15. Default: the processors of the machine less one, 7 at most. */
  readonly count?: number | undefined
  /**
   * Address of the file `strata-ecs/worker.js`, for pages whose content security policy allows no workers from blobs: whatever the
   * constructor of the host's class Worker takes, such as a string, a URL, or a TrustedScriptURL. Without it the program of a worker
   * is a text in this module.
   */
  readonly url?: string | object | undefined
  /** The class of node:worker_threads, for Node before 20.16, which must be given it. */
  readonly Worker?: unknown
}

const OPTIONS = ['count', 'url', 'Worker']
/** Each thread has a part of the room for arguments: the caller and so many. */
const MOST_WORKERS = 15

/**
 * Starts workers that run kernels and compiled loops beside the thread that calls. Pass the pool to createWorld: a run is divided,
 * by chunks, where that is faster, and every result is the same, bit by bit, with any number of workers. Nothing has to be
 * awaited, and no call changes. Where threads cannot be had, everything runs on the caller: `stats` says why.
 *
 * Cost: some milliseconds in the caller, and about 40 ms until the workers take part; 10 to 20 MB of memory for each. They sleep
 * while there is no work, and do not keep a process of Node alive.
 *
 * @param options `count`: how many
 * @throws StrataTypeError INVALID_OPTION
 * @example
 * const pool = workers()
 * const world = createWorld({ workers: pool })
 */
export function workers(options: WorkersOptions = {}): Workers {
  checkShape(options)
  const { count = defaultCount(), url, Worker } = options
  if (!Number.isInteger(count) || count < 0 || count > MOST_WORKERS)
    refuse(`count must be a whole number from 0 to ${MOST_WORKERS}, not ${describe(count)}`)
  if (url !== undefined && typeof url !== 'string' && (typeof url !== 'object' || url === null))
    refuse(`url must be the address of the file strata-ecs/worker.js, not ${describe(url)}`)
  if (Worker !== undefined && typeof Worker !== 'function')
    refuse(`Worker must be the class of node:worker_threads, not ${describe(Worker)}`)
  return new PoolOfWorlds(new Pool({ count, url, Worker: Worker as WorkerClass | undefined }))
}

function checkShape(options: unknown): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    refuse(`the options must be an object such as { count: 3 }, not ${describe(options)}`)
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name))
  if (unknown !== undefined) refuse(`there is no option '${unknown}': the options are ${OPTIONS.join(', ')}`)
}

function refuse(sentence: string): never {
  throw new StrataTypeError('INVALID_OPTION', `workers: ${sentence}.`)
}
