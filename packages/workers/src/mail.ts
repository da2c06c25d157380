// Owns what a pool and a worker send each other.

/** The first message to a worker. */
export interface Begin {
  readonly control: Int32Array
  readonly results: Float64Array
  readonly number: number
  /** How often it looks for more work before it sleeps. */
  readonly spins: number
}

/** A kernel that is to be divided from now on. */
export interface Hand {
  readonly id: number
  /** Name of its export, and of its source file. */
  readonly kernel: string
  readonly file: string
  /** The form of its module that writes no data when it is instantiated. */
  readonly module: WebAssembly.Module | undefined
  readonly memory: WebAssembly.Memory
  /** Numbers of both: an object that is sent twice arrives as two. */
  readonly moduleNumber: number
  readonly worldNumber: number
}

/** Exactly one of them is there. */
export interface Mail {
  readonly begin?: Begin
  readonly hand?: Hand
  /** A world that has ended: its number, and the bytes of its memory. */
  readonly forget?: { readonly worldNumber: number; readonly bytes: number }
}
