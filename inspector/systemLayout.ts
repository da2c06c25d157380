// Owns where the graph of systems puts everything: a band for each phase, in it rows of boxes by the longest path of constraints,
// and the ways of the lines between them. It must never touch the page: it takes widths and gives numbers.

/** Two systems, by their numbers in the order in which they run: the smaller number first. */
export type Pair = readonly [number, number]

/** What is to be laid out. Lengths are pixels. */
export interface GraphInput {
  /** In the order in which they run; those of a phase follow each other. */
  readonly systems: readonly { readonly phase: string; readonly width: number }[]
  /** Pairs of one phase, of which the first runs first. */
  readonly constraints: readonly Pair[]
  /** Pairs of one phase whose order nothing decides. */
  readonly undecided: readonly Pair[]
  /** A row takes as many boxes as fit into this, and one at least. */
  readonly width: number
}

/** A line from box to box: `path` is the `d` of an SVG path. */
export interface Line {
  readonly pair: Pair
  readonly path: string
}

export interface GraphLayout {
  readonly width: number
  readonly height: number
  readonly bands: readonly { readonly phase: string; readonly y: number; readonly height: number }[]
  /** For each system, the left upper corner of its box. */
  readonly boxes: readonly { readonly x: number; readonly y: number }[]
  /** One for each constraint that does not follow from others. It ends in the middle of the second box's upper edge. */
  readonly arrows: readonly Line[]
  /** One for each undecided pair; none where they are more than MOST_DASHES. */
  readonly dashes: readonly Line[]
  /** The lines of the undecided pairs of one system, where `dashes` are too many. */
  readonly dashesOf: (system: number) => Line[]
}

export const BOX_HEIGHT = 38
/** Pairs whose lines are led around boxes. Of more nobody could follow one line: those of a single system are drawn at a time. */
export const MOST_DASHES = 60

const PADDING = 12
const LABEL_HEIGHT = 24
const BAND_GAP = 8
const BOX_GAP = 20
/** Space below a row that lines cross, and below one that they do not. */
const LINE_GAP = 32
const ROW_GAP = 12
const DEEPEST_ARC = 24
const LANE_WIDTH = 2
/** Passes over the rows that sort them, and that move boxes. */
const SORTING_SWEEPS = 12
const SWAPPING_PASSES = 4
const MOVING_SWEEPS = 60

/** A place in a row: a box, or a lane through which a line passes to rows further down. */
interface Place {
  readonly system: number | undefined
  readonly row: number
  readonly width: number
  x: number
  readonly up: Set<Place>
  readonly down: Set<Place>
  /** Those of the same row that a dashed line leads to. */
  readonly beside: Set<Place>
}

interface Route {
  readonly pair: Pair
  readonly isDashed: boolean
  /** From the upper box to the lower one; two of one row where they stand beside each other. */
  readonly places: readonly Place[]
}

/** Lays out the whole graph. Cost: some milliseconds for a hundred systems. */
export function layOut(input: GraphInput): GraphLayout {
  const inner = Math.max(0, input.width - 2 * PADDING)
  const kept = reduced(input.constraints, input.systems.length)
  const phases = [...new Set(input.systems.map(({ phase }) => phase))]
  const boxes = input.systems.map(() => ({ x: 0, y: 0 }))
  const bands: { phase: string; y: number; height: number }[] = []
  const arrows: Line[] = []
  const dashes: Line[] = []
  const isCrowded = input.undecided.length > MOST_DASHES
  /** Of each system, where it stands and among what. */
  const standing = new Map<number, { place: Place; rows: readonly Place[][]; tops: readonly number[] }>()
  let y = 0
  let width = inner
  for (const phase of phases) {
    const isInside = ([first]: Pair) => input.systems[first]?.phase === phase
    const drawn = isCrowded ? [] : input.undecided.filter(isInside)
    const { rows, routes } = placesOf(input, phase, kept.filter(isInside), drawn)
    sortRows(rows)
    width = Math.max(width, spreadRows(rows, inner))
    const tops = topsOf(rows, routes, y + LABEL_HEIGHT, isCrowded)
    for (const place of rows.flat()) {
      const { system, x, row } = place
      if (system === undefined) continue
      boxes[system] = { x: x + PADDING, y: tops[row] as number }
      standing.set(system, { place, rows, tops })
    }
    for (const route of routes) {
      const path = pathOf(route, rows, tops)
      ;(route.isDashed ? dashes : arrows).push({ pair: route.pair, path })
    }
    const bottom = (tops[rows.length] as number) + PADDING
    bands.push({ phase, y, height: bottom - y })
    y = bottom + BAND_GAP
  }
  const dashBetween = (pair: Pair): Line[] => {
    const [from, to] = pair.map((system) => standing.get(system))
    if (from === undefined || to === undefined) return []
    const places = [from.place, to.place].sort((a, b) => a.row - b.row)
    return [{ pair, path: pathOf({ pair, isDashed: true, places }, from.rows, from.tops) }]
  }
  return {
    width: width + 2 * PADDING,
    height: Math.max(0, y - BAND_GAP),
    bands,
    boxes,
    arrows,
    dashes,
    dashesOf: (system) =>
      isCrowded ? input.undecided.filter((pair) => pair.includes(system)).flatMap(dashBetween) : [],
  }
}

/** The pairs without those that follow from others: a → c goes where a → b and b → c are there. */
export function reduced(pairs: readonly Pair[], count: number): Pair[] {
  const successors = Array.from({ length: count }, () => new Set<number>())
  for (const [first, second] of pairs) successors[first]?.add(second)
  const reached = successors.map(() => new Set<number>())
  const kept: Pair[] = []
  for (let first = count - 1; first >= 0; first--) {
    const far = reached[first] as Set<number>
    for (const second of [...(successors[first] as Set<number>)].sort((a, b) => a - b)) {
      if (far.has(second)) continue
      kept.push([first, second])
      far.add(second)
      for (const third of reached[second] as Set<number>) far.add(third)
    }
  }
  return kept.sort((a, b) => a[0] - b[0] || a[1] - b[1])
}

// ── rows ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** The boxes of a phase in rows, no constraint within a row, and the lanes of lines that pass rows. */
function placesOf(
  { systems, width }: GraphInput,
  phase: string,
  constraints: readonly Pair[],
  undecided: readonly Pair[],
): { rows: Place[][]; routes: Route[] } {
  const members = systems.flatMap((system, i) => (system.phase === phase ? i : []))
  const widthOf = (i: number) => (systems[i] as GraphInput['systems'][number]).width
  const { rowOf, rowCount } = rowsOf(members, constraints, widthOf, width - 2 * PADDING)
  const rows: Place[][] = Array.from({ length: rowCount }, () => [])
  const add = (system: number | undefined, row: number, width: number) => {
    const place: Place = { system, row, width, x: 0, up: new Set(), down: new Set(), beside: new Set() }
    rows[row]?.push(place)
    return place
  }
  const boxOf = new Map(members.map((i) => [i, add(i, rowOf.get(i) as number, widthOf(i))]))
  // Lines that leave one box share their lanes: they part only in the row above their ends.
  const lanes = new Map<string, Place>()
  const connect = (pair: Pair, isDashed: boolean): Route => {
    const ends = pair.map((i) => boxOf.get(i) as Place)
    const [from, to] = ends.sort((a, b) => a.row - b.row) as [Place, Place]
    if (from.row === to.row) {
      from.beside.add(to)
      to.beside.add(from)
      return { pair, isDashed, places: [from, to] }
    }
    const places = [from]
    for (let row = from.row + 1; row < to.row; row++) {
      const key = `${isDashed} ${from.system} ${row}`
      const lane = lanes.get(key) ?? add(undefined, row, LANE_WIDTH)
      lanes.set(key, lane)
      places.push(lane)
    }
    places.push(to)
    places.slice(1).forEach((lower, i) => {
      const upper = places[i] as Place
      upper.down.add(lower)
      lower.up.add(upper)
    })
    return { pair, isDashed, places }
  }
  const routes = [
    ...constraints.map((pair) => connect(pair, false)),
    ...undecided.map((pair) => connect(pair, true)),
  ]
  return { rows, routes }
}

/**
 * The row of each box: layer by layer, in as many rows as a layer needs. Systems without a constraint may stand in any row: they
 * fill those that have room.
 */
function rowsOf(
  members: readonly number[],
  constraints: readonly Pair[],
  widthOf: (system: number) => number,
  width: number,
): { rowOf: ReadonlyMap<number, number>; rowCount: number } {
  const rowOf = new Map<number, number>()
  /** Pixels that are left of each row. */
  const rooms: number[] = []
  const put = (i: number, row: number) => {
    rooms[row] = (rooms[row] ?? width + BOX_GAP) - widthOf(i) - BOX_GAP
    rowOf.set(i, row)
  }
  const fits = (i: number, row: number) => (rooms[row] as number) >= widthOf(i) + BOX_GAP
  const bound = new Set(constraints.flat())
  for (const layer of layersOf(
    members.filter((i) => bound.has(i)),
    constraints,
  )) {
    const first = rooms.length
    for (const i of layer)
      put(i, rooms.length > first && fits(i, rooms.length - 1) ? rooms.length - 1 : rooms.length)
  }
  for (const i of members.filter((i) => !bound.has(i))) {
    const row = rooms.findIndex((_, row) => fits(i, row))
    put(i, row < 0 ? rooms.length : row)
  }
  return { rowOf, rowCount: rooms.length }
}

/** Each system in the first layer below all that come before it. */
function layersOf(members: readonly number[], constraints: readonly Pair[]): number[][] {
  const layerOf = new Map(members.map((i) => [i, 0]))
  const layers: number[][] = []
  for (const i of members) {
    for (const [first, second] of constraints)
      if (second === i) layerOf.set(i, Math.max(layerOf.get(i) as number, (layerOf.get(first) as number) + 1))
    ;(layers[layerOf.get(i) as number] ??= []).push(i)
  }
  return layers
}

// ── order within rows ────────────────────────────────────────────────────────────────────────────────────────

/** Sorts each row by the middle of what its places lead to, downwards and upwards in turn; the best order stays. */
function sortRows(rows: Place[][]): void {
  let best = rows.map((row) => [...row])
  let fewest = tangle(rows)
  for (let sweep = 0; sweep < SORTING_SWEEPS && fewest > 0; sweep++) {
    const isDown = sweep % 2 === 0
    for (const row of isDown ? rows : [...rows].reverse()) sortRow(row, rows, isDown)
    const crossings = tangle(rows)
    if (crossings >= fewest) continue
    fewest = crossings
    best = rows.map((row) => [...row])
  }
  best.forEach((row, i) => (rows[i] = row))
  for (let pass = 0; pass < SWAPPING_PASSES && swapNeighbours(rows, fewest); pass++) fewest = tangle(rows)
}

/** Swaps neighbours of a row where that leaves less of a tangle than there is. Returns whether it did so. */
function swapNeighbours(rows: readonly Place[][], tangled: number): boolean {
  let fewest = tangled
  for (const row of rows)
    for (let i = 1; i < row.length && fewest > 0; i++) {
      const [left, right] = [row[i - 1] as Place, row[i] as Place]
      row.splice(i - 1, 2, right, left)
      const crossings = tangle(rows)
      if (crossings < fewest) fewest = crossings
      else row.splice(i - 1, 2, left, right)
    }
  return fewest < tangled
}

function sortRow(row: Place[], rows: readonly Place[][], isDown: boolean): void {
  const share = (place: Place) => {
    const all = rows[place.row] as Place[]
    return (all.indexOf(place) + 0.5) / all.length
  }
  const keys = new Map(
    row.map((place) => {
      const near = [...(isDown ? place.up : place.down), ...place.beside]
      return [place, mean(near.length > 0 ? near.map(share) : [share(place)])]
    }),
  )
  row.sort((a, b) => (keys.get(a) as number) - (keys.get(b) as number))
}

/** Lines that cross, and boxes between two of a row that a dashed line leads to. */
function tangle(rows: readonly Place[][]): number {
  let count = 0
  rows.forEach((row, r) => {
    const below = new Map((rows[r + 1] ?? []).map((place, i) => [place, i]))
    const arrived: number[] = []
    row.forEach((place, i) => {
      const ends = [...place.down].map((lower) => below.get(lower) as number)
      for (const end of ends) for (let k = end + 1; k < arrived.length; k++) count += arrived[k] ?? 0
      for (const end of ends) arrived[end] = (arrived[end] ?? 0) + 1
      for (const other of place.beside) count += Math.max(0, row.indexOf(other) - i - 1)
    })
  })
  return count
}

// ── coordinates ──────────────────────────────────────────────────────────────────────────────────────────────

/** Gives each place its x, as near to what it leads to as its row allows. Returns the width that is needed. */
function spreadRows(rows: readonly Place[][], width: number): number {
  const needed = Math.max(width, ...rows.map(widthOfRow))
  for (const row of rows) {
    let x = 0
    for (const place of row) {
      place.x = x
      x += place.width + BOX_GAP
    }
  }
  for (let sweep = 0; sweep < MOVING_SWEEPS; sweep++)
    for (const row of sweep % 2 === 0 ? rows : [...rows].reverse()) settleRow(row, needed)
  const places = rows.flat()
  const left = Math.min(...places.map(({ x }) => x))
  for (const place of places) place.x = Math.round(place.x - left)
  return Math.max(...places.map(({ x, width }) => x + width))
}

const widthOfRow = (row: readonly Place[]) => row.reduce((sum, { width }) => sum + width + BOX_GAP, -BOX_GAP)

const middle = ({ x, width }: Place) => x + width / 2

/**
 * Moves the places of a row to where they would like to be, without changing their order: neighbours that would overlap
 * become one block, which stands at the mean of its wishes.
 */
function settleRow(row: readonly Place[], width: number): void {
  const offsets: number[] = []
  let offset = 0
  for (const place of row) {
    offsets.push(offset)
    offset += place.width + BOX_GAP
  }
  const blocks: { sum: number; count: number }[] = []
  row.forEach((place, i) => {
    let block = { sum: wishOf(place) - (offsets[i] as number), count: 1 }
    for (let last = blocks.at(-1); last !== undefined; last = blocks.at(-1)) {
      if (last.sum / last.count <= block.sum / block.count) break
      block = { sum: block.sum + last.sum, count: block.count + last.count }
      blocks.pop()
    }
    blocks.push(block)
  })
  const most = width - (offset - BOX_GAP)
  let i = 0
  for (const { sum, count } of blocks)
    for (let k = 0; k < count; k++, i++)
      (row[i] as Place).x = Math.min(Math.max(sum / count, 0), most) + (offsets[i] as number)
}

/** Where a place would stand if it were alone. Long lines are kept straight: lanes pull lanes most. */
function wishOf(place: Place): number {
  let [sum, weights] = [0, 0]
  for (const other of [...place.up, ...place.down]) {
    const lanes = Number(place.system === undefined) + Number(other.system === undefined)
    const weight = [1, 2, 8][lanes] as number
    sum += middle(other) * weight
    weights += weight
  }
  return weights === 0 ? place.x : sum / weights - place.width / 2
}

/** The upper edge of each row, and the lower edge of the last one. */
function topsOf(
  rows: readonly Place[][],
  routes: readonly Route[],
  top: number,
  isCrowded: boolean,
): number[] {
  // Room for the lines of whichever system is pointed at.
  const isArc = rows.map(() => isCrowded)
  for (const { places } of routes) {
    const [from, to] = [places[0] as Place, places.at(-1) as Place]
    if (from.row === to.row && !areNeighbours(rows[from.row] as Place[], from, to)) isArc[from.row] = true
  }
  const isCrossed = (r: number) =>
    isArc[r] === true ||
    routes.some(({ places }) => (places[0] as Place).row <= r && (places.at(-1) as Place).row > r)
  const tops = [top]
  rows.forEach((_, r) => {
    const bottom = (tops[r] as number) + BOX_HEIGHT
    const isLast = r === rows.length - 1
    tops.push(bottom + (isLast ? (isArc[r] === true ? DEEPEST_ARC : 0) : isCrossed(r) ? LINE_GAP : ROW_GAP))
  })
  return tops
}

/** Whether no box stands between two of a row. */
function areNeighbours(row: readonly Place[], a: Place, b: Place): boolean {
  const [i, k] = [row.indexOf(a), row.indexOf(b)].sort((a, b) => a - b) as [number, number]
  return row.slice(i + 1, k).every(({ system }) => system === undefined)
}

function pathOf({ places, isDashed }: Route, rows: readonly Place[][], tops: readonly number[]): string {
  const [from, to] = [places[0] as Place, places.at(-1) as Place]
  const topOf = ({ row }: Place) => tops[row] as number
  if (from.row === to.row) return besidePath(from, to, rows[from.row] as Place[], topOf(from))
  // Dashed lines leave and arrive beside the middle, which is for arrows.
  const shift = isDashed ? (middle(to) < middle(from) ? -0.3 : 0.3) : 0
  let x = middle(from) + shift * from.width + PADDING
  let y = topOf(from) + BOX_HEIGHT
  let path = `M${x} ${y}`
  for (const place of places.slice(1)) {
    const isEnd = place === to
    const nextX = middle(place) + (isEnd ? -shift * place.width : 0) + PADDING
    const nextY = topOf(place)
    const bend = (nextY - y) / 2
    path += `C${x} ${y + bend} ${nextX} ${nextY - bend} ${nextX} ${nextY}`
    if (!isEnd) path += `V${nextY + BOX_HEIGHT}`
    ;[x, y] = [nextX, nextY + BOX_HEIGHT]
  }
  return path
}

/** A dashed line between two boxes of a row: straight if none stands between them, otherwise an arc below those. */
function besidePath(a: Place, b: Place, row: readonly Place[], top: number): string {
  const [left, right] = a.x < b.x ? [a, b] : [b, a]
  if (areNeighbours(row, left, right))
    return `M${left.x + left.width + PADDING} ${top + BOX_HEIGHT / 2}H${right.x + PADDING}`
  const [x1, x2] = [left.x + left.width * 0.8 + PADDING, right.x + right.width * 0.2 + PADDING]
  const bottom = top + BOX_HEIGHT
  const depth = Math.min(DEEPEST_ARC, 8 + (x2 - x1) / 20)
  // A cubic curve reaches three quarters of the way to its controls.
  const control = bottom + (depth * 4) / 3
  return `M${x1} ${bottom}C${x1} ${control} ${x2} ${control} ${x2} ${bottom}`
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
