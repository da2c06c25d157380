// Owns the types of the public names of the package.

import type { Table } from 'apache-arrow'

/** What a parameter can be. */
export type ParameterValue = number | string | boolean

type Widen<T> = T extends number ? number : T extends string ? string : T extends boolean ? boolean : never

/** The parameters of a run, typed as their default values are. */
export type Parameters<P> = { [Name in keyof P]: Widen<P[Name]> }

/** A column: a kind of field of strata-ecs (`f64`, `u32`, `text`, …) or its name. */
export type Column =
  { readonly kind: string; readonly length: number; readonly defaultValue: unknown } | ColumnKind
export type ColumnKind = 'i8' | 'u8' | 'i16' | 'u16' | 'i32' | 'u32' | 'f32' | 'f64' | 'bool' | 'text'

type ValueOf<C> = C extends 'bool'
  ? boolean
  : C extends 'text'
    ? string
    : C extends ColumnKind
      ? number
      : C extends { readonly defaultValue: infer Value }
        ? Value
        : never

/** One row of results. */
export type Row<C> = { [Name in keyof C]: ValueOf<C[Name]> }

/** What a run may return or yield. */
export type Rows<C> = Row<C> | Iterable<Row<C>> | AsyncIterable<Row<C>> | Promise<Row<C> | Iterable<Row<C>>>

/** What a checkpoint keeps: the save file of a world, and what else a run has to know to go on. */
export interface Checkpoint {
  /** `world.save()` */
  save?: Uint8Array
  /** Numbers, texts, lists, plain objects, maps, sets, dates and typed arrays; it comes back to the bit. */
  state?: any
}

/** What a run is given. */
export interface RunContext<P> {
  /** 32 random bits that belong to `index`: the same in every ensemble. Make all random numbers of it. */
  readonly seed: number
  /** What was asked for as a seed: 0, 1, 2, … */
  readonly index: number
  /** A copy that is the run's own. */
  readonly parameters: Parameters<P>
  /** Aborted when the run is told to end; looked at in `progress` and after each row that is yielded. */
  readonly signal: AbortSignal
  /** What the last checkpoint kept, when the run goes on from one. The rows yielded up to then are there already. */
  readonly resumed?: { save: Uint8Array; state: any }
  /** Says how far the run is, from 0 to 1. Costs nanoseconds. Throws, and so ends the run, when it is told to end. */
  progress(fraction: number): void
  /** Adds a line to the log, which is shown when the run fails. `console.log` does the same. */
  log(...values: unknown[]): void
  /**
   * Keeps a checkpoint if the last one is longer ago than `checkpointSeconds`, or if the run is to stop here: then this
   * throws. `take` is called only if so.
   */
  checkpoint(take: () => Checkpoint): void
}

/** The definition of a run. */
export interface RunDefinition<P, C> {
  /** Names and default values. */
  parameters?: P
  /** What a row has, beside `key`, `index`, `seed` and the parameters, which every row has. */
  columns: C
  /** The column that counts the rows of a run, such as a day: charts are drawn along it. */
  axis?: keyof C & string
  /** Change it when something changes that is in no file that the module imports by a path. */
  version?: string | number
  /** A checkpoint is taken no more often than this; 10 without. */
  checkpointSeconds?: number
  /** One run. Returns a row, or returns or yields rows. */
  run(context: RunContext<P>): Rows<C>
}

/**
 * Defines a run; a module exports it as its default. Checked when the module is loaded.
 *
 * @returns the definition as it is given
 * @throws EnsembleError BAD_DEFINITION
 */
export function defineRun<
  const P extends Record<string, ParameterValue>,
  const C extends Record<string, Column>,
>(definition: RunDefinition<P, C>): RunDefinition<P, C>

/** A run that is done or has failed. */
export interface RunEntry {
  /** 32 hexadecimal digits: the same for the same text, versions, parameters and index. */
  key: string
  index: number
  seed: number
  parameters: Record<string, ParameterValue>
  /** How often it was run, in the call that did it. */
  attempts: number
  /** How long the last time took. */
  ms: number
  /** Of a run that is done. */
  rows?: number
  /** Of a run that failed. */
  failed?: { code?: string; message: string; stack: string; log: string }
}

export interface EnsembleOptions {
  /** The folder of the results. */
  out: string
  /** Which seeds, by their indices; 0 to 99 without. */
  seeds?: Iterable<number>
  /** Values of parameters; those that are not named have their defaults. */
  grid?: Record<string, readonly ParameterValue[]>
  /** How many threads; without, as many as there are processor cores. */
  threads?: number
  /** How often a run that failed is tried again; 1 without. */
  retries?: number
  /** After so many seconds a run is ended, and counts as failed; 3600 without. */
  limitSeconds?: number
  /** Makes `Math.random`, `crypto` and clocks errors in runs. */
  strict?: boolean
  /** Of a hundred runs, how many are done twice and compared; 1 without. Those that take over 10 s only with 100. */
  verify?: number
  /** Hands the runs to workers by a Redis, which needs the packages bullmq and ioredis. */
  queue?: string | { url: string; patienceSeconds?: number }
  /** When it is aborted, no further run begins; those under way end, or stop at their next checkpoint. */
  finish?: AbortSignal
  /** When it is aborted, those under way are ended. */
  stop?: AbortSignal
  onProgress?: (progress: EnsembleProgress) => void
  /** Called with sentences that people should read meanwhile, such as that no worker is connected. */
  onNotice?: (sentence: string) => void
}

export interface EnsembleProgress {
  total: number
  /** Those of earlier calls included. */
  done: number
  failed: number
  running: number
  /** How much of those that run is done, in runs. */
  underWay: number
  /** How many were done before this call. */
  began: number
}

export interface EnsembleOutcome {
  total: number
  done: number
  alreadyDone: number
  /** Neither done nor failed: the call was stopped. */
  missing: number
  failedCount: number
  /** By index, with all that is known of them; of more than a thousand, a thousand. */
  failed: RunEntry[]
  /** Done by workers that write to another folder, so `missing` here until their parts are copied into this one. */
  elsewhere: number
  /** Of the runs that were done twice, those that gave other results: the model is not deterministic. */
  differing?: { count: number; first: RunEntry; how: string }
  /** Sentences about the folder, such as that it holds runs of another text, which are left out. */
  remarks: string[]
}

/**
 * Runs what is missing of an ensemble. What is done is written down as it ends: a call that is interrupted in any way is
 * gone on with by the same call.
 *
 * @param module a path or a file URL; its default export is the definition
 * @throws EnsembleError BAD_OPTION, NO_MODULE, BAD_DEFINITION, OTHER_ENSEMBLE, DISK_FULL, CANNOT_WRITE, REDIS_LOST,
 * REDIS_FULL, REDIS_REFUSED, OTHER_COLLECTOR, NO_QUEUE_LIBRARY, STOPPED
 * @example await runEnsemble(new URL('epidemic.run.js', import.meta.url), { seeds: range(1000), out: 'runs' })
 */
export function runEnsemble(module: string | URL, options: EnsembleOptions): Promise<EnsembleOutcome>

/**
 * What an ensemble has found so far, in memory, sorted by parameters, then by index; failed runs by index, the first thousand.
 *
 * @throws EnsembleError BAD_FOLDER
 */
export function readResults(folder: string): {
  runs: RunEntry[]
  failed: RunEntry[]
  failedCount: number
  /** Sentences about the folder, such as that lines of its journals are damaged. */
  remarks: string[]
  table: Table
}

/** The numbers from `first` on, `count` of them. */
export function range(count: number, first?: number): number[]

/** An error that a user can mend: `code` is stable, the sentence says what to do. */
export class EnsembleError extends Error {
  constructor(code: string, message: string, options?: ErrorOptions)
  readonly code: string
}
