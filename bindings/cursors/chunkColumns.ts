// Owns the typed arrays of one component in one chunk, and the addresses of its change ticks.
// It must never outlive the chunk or the memory: their keeper checks first that the chunk is still the same one.

/** The arrays of one component in one chunk. Valid while the chunk has this address and layout. */
export class ChunkColumns {
  constructor(
    readonly data: number,
    readonly layoutKey: number,
    /** Index of the change tick in Heap.u32; 0 when the component is absent. */
    readonly tick: number,
    /** Typed arrays by field name; undefined when the component is absent. */
    readonly arrays: Record<string, unknown> | undefined,
    /** For each field the index of row 0 in the heap-wide array of its kind. */
    readonly indices: readonly number[],
    /** The last change of each row; undefined where rows are not tracked. */
    readonly rowTicks?: Uint32Array,
  ) {}
}

/** Of a component that a chunk does not have. */
export const NO_COLUMNS = /* @__PURE__ */ new ChunkColumns(-1, -1, 0, undefined, [])
