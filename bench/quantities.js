// Owns what the main figure of a case is, by which its rows are ordered, drawn and compared: a time, short or
// long, or memory, held or left as garbage. It must never be asked for two at once: a case is about one of them.

const MEGABYTE = 2 ** 20

/** What objects on the heap and memory outside of it grew by, in bytes. */
const held = ({ before, after }) => after.heap - before.heap + after.external - before.external

const QUANTITIES = {
  time: {
    scaleOf: ({ unit }) => `ns/${unit}`,
    valuesOf: ({ nanoseconds }, size) => nanoseconds.map((value) => value / size),
  },
  /** Of a run as a whole, among however many. */
  milliseconds: {
    scaleOf: () => 'ms',
    valuesOf: ({ nanoseconds }) => nanoseconds.map((value) => value / 1e6),
  },
  memory: {
    scaleOf: () => 'MB',
    valuesOf: ({ memory }) => memory.map((one) => held(one) / MEGABYTE),
  },
  garbage: {
    scaleOf: () => 'bytes/frame',
    // What a counter leaves can be less than nothing: memory that was in use before.
    valuesOf: ({ garbage }) => garbage.map(({ bytes, outside }) => Math.max(0, bytes + outside)),
  },
}

/** Whether the figures are times, short or long. */
export const isAboutTime = ({ quantity = 'time' }) => quantity === 'time' || quantity === 'milliseconds'

export const isAboutMemory = (work) => work.quantity === 'memory'

export const isAboutGarbage = (work) => work.quantity === 'garbage'

const quantityOf = (work) => QUANTITIES[work.quantity ?? 'time']

/** What the figures of a case are in. */
export const scaleOf = (work) => quantityOf(work).scaleOf(work)

/** The figures of a row, one for each process. */
export const valuesOf = (work, row, size) => quantityOf(work).valuesOf(row, size)
