// Owns the layout of the memory by which a pool and its workers talk: one array of 32-bit numbers, which all threads share.
// Groups that are written at different times lie 64 bytes apart, so that they share no cache line.
//
//   EPOCH      0  grows with each run and each mail: a worker without work waits for it to change
//   SLEEPERS   1  how many workers wait
//   WAKE       2  how many more of them are to be woken for this run: each that is awake wakes others
//   TICKET    16  number of the run << 16 | blocks that no thread has taken
//   DONE      32  blocks that are done
//   LISTENS   33  1 while the caller waits for DONE to change
//   the run   48  written by the caller before TICKET, and read by each thread that has taken a block of it
//   MAIL      64  messages sent to each worker
//   threads   80  16 words each; 0 is the caller
//   failures 512  what each thread failed with, as a text

/** Words of the control array. */
export const CONTROL_WORDS = 8192

export const EPOCH = 0
export const SLEEPERS = 1
export const WAKE = 2
export const TICKET = 16
export const DONE = 32
export const LISTENS = 33

/** Number of the kernel. */
export const KERNEL = 48
/** Index in the world's u32 of the first block. The numbers of the run lie before it. */
export const FIRST_BLOCK = 50
export const BLOCK_WORDS = 51
export const BLOCKS = 52
/** What the kernel returns: one of RETURNS. */
export const RETURNED = 53
/** Above 0: a claim takes the n-th part of what is left; below 0: so many blocks. */
export const PARTS = 54
/** 0, or what `failureOf` makes of the first failure in the order of the rows. */
export const FAILED = 55

export const MAIL = 64

export const THREADS = 80
export const THREAD_WORDS = 16
/** Of a thread: the kernels that it knows, all below this number; and the blocks that it has run. */
export const KNOWN = 0
export const SHARE = 1
/** 1 while a worker may have blocks that are not counted in DONE. */
export const HOLDS = 2
/** What it failed with: the kind of error, and the length of its text. */
export const FAILURE_KIND = 3
export const FAILURE_LENGTH = 4

/** The texts, in UTF-16. */
const FAILURE_TEXTS = 512
export const FAILURE_MOST = 400
export const textOf = (thread: number) => FAILURE_TEXTS + FAILURE_MOST * thread

/** What a kernel returns, as the number of its reduction. */
export const RETURNS = { none: 0, sum: 1, count: 1, min: 2, max: 3 } as const

/** The errors that a kernel ends with, by their number. */
export const FAILURE_KINDS = ['Error', 'RuntimeError', 'RangeError'] as const

/** A failure of a thread while it ran blocks from this one on: the lowest number is that of the lowest block. */
export const failureOf = (block: number, thread: number) => 1 + ((block << 4) | thread)
export const failedThread = (failure: number) => (failure - 1) & 15

/** The number of a word of a thread. */
export const wordOf = (thread: number, word: number) => THREADS + THREAD_WORDS * thread + word
