// Owns the types of the definition of a run: what a module may write, and what its run is given and gives back.

/** What a parameter can be. */
export type ParameterValue = number | string | boolean

/** Values of parameters, by their names. */
export type ParameterValues = Record<string, ParameterValue>

/** The kinds of columns, by their names. */
export type Kinds = Record<string, ColumnKind>

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

/** What a run says of itself in a checkpoint: what that is, only the run knows, which reads it again. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type State = any

/** What a checkpoint keeps: the save file of a world, and what else a run has to know to go on. */
export interface Checkpoint {
  /** `saveWorld(world)` */
  save?: Uint8Array
  /** Numbers, texts, lists, plain objects, maps, sets, dates and typed arrays; it comes back to the bit. */
  state?: State
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
  readonly resumed?: { save: Uint8Array; state: State } | undefined
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
