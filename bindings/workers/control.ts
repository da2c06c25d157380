// Owns the layout of the memory by which a pool and its workers talk: one array of 32-bit numbers, which all threads share. Groups
// that are written at different times lie 64 bytes apart, so that they share no cache line.
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
//   failure  512  what a thread failed with, as a text

/** Words of the control array. */
export const CONTROL_WORDS = 1024

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
/** 0, or 1 + the number of the thread that failed. */
export const FAILED = 55

export const MAIL = 64

export const THREADS = 80
export const THREAD_WORDS = 16
/** Of a thread: the kernels that it knows, all below this number; and the blocks that it has run. */
export const KNOWN = 0
export const SHARE = 1

/** The kind of error, the length of its text, and its text in UTF-16. */
export const FAILURE_KIND = 512
export const FAILURE_LENGTH = 513
export const FAILURE_TEXT = 514
export const FAILURE_MOST = 400

/** What a kernel returns, as the number of its reduction. */
export const RETURNS = { none: 0, sum: 1, count: 1, min: 2, max: 3 } as const

/** The errors that a kernel ends with, by their number. */
export const FAILURE_KINDS = ['Error', 'RuntimeError', 'RangeError'] as const

/** The number of a word of a thread. */
export const wordOf = (thread: number, word: number) => THREADS + THREAD_WORDS * thread + word
