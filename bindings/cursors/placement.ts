// Owns where the columns of one component lie in the chunks of one layout, and the typed arrays of these columns in one chunk.
// Code that keeps such arrays must check first that the chunk is still the same one.

/** Where a component's columns lie in chunks of one layout and size. */
export class Placement {
  /** Words from the first row's handle to the first field's column. */
  readonly first: number
  /** Words from one field's column to the next, where all values are equally wide and the columns thus equally far apart. */
  readonly distance: number

  constructor(
    /** Names the layout and the size of its chunks; NO_LAYOUT where the columns are not those of a layout. */
    readonly layoutKey: number,
    /** Whether the layout has the component at all. */
    readonly present = false,
    /** Byte offset of each field's column from the first row's handle. */
    readonly offsets = new Int32Array(0),
    /** Byte offset of the component's ChunkTicks from the first row: they lie in front of it. */
    readonly tickOffset = 0,
    /** Byte offset of the column with each row's last change; 0 where rows are not tracked. */
    readonly rowTickOffset = 0,
    /** Byte offset of the bits of rows that are switched off; 0 where none can be. */
    readonly toggleOffset = 0,
  ) {
    const [first = 0, second = first] = offsets
    this.first = first >> 2
    this.distance = (second - first) >> 2
  }
}

/** A key that no layout has. */
export const NO_LAYOUT = -1

/** Stands where no placement has been looked up yet. */
export const ABSENT = /* @__PURE__ */ new Placement(NO_LAYOUT)

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
