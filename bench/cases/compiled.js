// Loops over two components of four floats, as a person writes them: row by row, by chunks, and compiled. Each body is said twice:
// over one row, and over plain arrays, which also say what must come of it, to the bit.
const { fround, sqrt } = Math
const DT = 1 / 64
const WALL = 90

/** Value k of row i: none is whole, and some lie beyond the walls. */
const valueOf = (i, k) => fround(((i * 7919 + k * 104729) % 2003) / 10 - 100)

/** By name: the body over one row, and over arrays. */
const WORK = {
  'pos += vel * dt': {
    row(a, b, { DT }) {
      a.x += b.x * DT
      a.y += b.y * DT
    },
    arrays(ax, ay, bx, by, from, to) {
      for (let i = from; i < to; i++) {
        ax[i] += bx[i] * DT
        ay[i] += by[i] * DT
      }
    },
  },
  'pos += vel * dt, rounded': {
    row(a, b, { DT }) {
      a.x += Math.fround(b.x * DT)
      a.y += Math.fround(b.y * DT)
    },
    arrays(ax, ay, bx, by, from, to) {
      for (let i = from; i < to; i++) {
        ax[i] += fround(bx[i] * DT)
        ay[i] += fround(by[i] * DT)
      }
    },
  },
  swap: {
    row(a, b) {
      const { x, y } = a
      a.x = b.x
      a.y = b.y
      b.x = x
      b.y = y
    },
    arrays(ax, ay, bx, by, from, to) {
      for (let i = from; i < to; i++) {
        const x = ax[i]
        const y = ay[i]
        ax[i] = bx[i]
        ay[i] = by[i]
        bx[i] = x
        by[i] = y
      }
    },
  },
  bounce: {
    row(a, b, { DT, WALL }) {
      a.x += Math.fround(b.x * DT)
      a.y += Math.fround(b.y * DT)
      if (a.x < -WALL || a.x > WALL) b.x = -b.x
      if (a.y < -WALL || a.y > WALL) b.y = -b.y
    },
    arrays(ax, ay, bx, by, from, to) {
      for (let i = from; i < to; i++) {
        ax[i] += fround(bx[i] * DT)
        ay[i] += fround(by[i] * DT)
        if (ax[i] < -WALL || ax[i] > WALL) bx[i] = -bx[i]
        if (ay[i] < -WALL || ay[i] > WALL) by[i] = -by[i]
      }
    },
  },
  attraction: {
    row(a, b, { DT }) {
      const square = a.x * a.x + a.y * a.y + 1
      const pull = DT / (square * Math.sqrt(square))
      b.x -= a.x * pull
      b.y -= a.y * pull
    },
    arrays(ax, ay, bx, by, from, to) {
      for (let i = from; i < to; i++) {
        const square = ax[i] * ax[i] + ay[i] * ay[i] + 1
        const pull = DT / (square * sqrt(square))
        bx[i] -= ax[i] * pull
        by[i] -= ay[i] * pull
      }
    },
  },
  'whole numbers': {
    row(a) {
      let seed = a.x | 0
      seed ^= seed << 13
      seed ^= seed >>> 17
      seed ^= seed << 5
      a.x = seed >> 8
    },
    arrays(ax, ay, bx, by, from, to) {
      for (let i = from; i < to; i++) {
        let seed = ax[i] | 0
        seed ^= seed << 13
        seed ^= seed >>> 17
        seed ^= seed << 5
        ax[i] = seed >> 8
      }
    },
  },
}

const columnsOf = (size) =>
  [0, 1, 2, 3].map((k) => Float32Array.from({ length: size }, (_, i) => valueOf(i, k)))
const listed = (columns) => columns.flatMap((column) => Array.from(column))

function reference({ arrays }, size, runs) {
  const columns = columnsOf(size)
  for (let run = 0; run < runs; run++) arrays(...columns, 0, size)
  return listed(columns)
}

function raw({ arrays }, size) {
  const columns = columnsOf(size)
  return { run: () => arrays(...columns, 0, size), result: () => listed(columns) }
}

/** A world with these rows, and what a way does with them: the library is imported by the ways alone. */
const over = (frameOf) =>
  async function create(work, size) {
    const ecs = { ...(await import('strata-ecs')), ...(await import('strata-ecs/compile')) }
    const { component, createWorld, f32 } = ecs
    const [A, B] = ['A', 'B'].map((name) => component(name, { x: f32, y: f32 }))
    const world = createWorld({ memory: { initial: 2 ** 26 } })
    const values = columnsOf(size)
    let done = 0
    world.spawnMany(size, [A, B], (chunk) => {
      const fields = [A, B].flatMap((one) => Object.values(chunk.write(one)))
      for (let i = chunk.start; i < chunk.end; i++)
        for (let k = 0; k < 4; k++) fields[k][i] = values[k][done + i - chunk.start]
      done += chunk.end - chunk.start
    })
    const query = world.query(A, B)
    const columns = () => [A, B].flatMap((one) => ['x', 'y'].map((field) => ecs.columnOf(query, one, field)))
    return { run: frameOf({ ...ecs, query, A, B }, work), result: () => listed(columns()) }
  }

const given = { DT, WALL }
const ways = {
  each({ query }, { row }) {
    const body = (entity, a, b) => row(a, b, given)
    return () => query.each(body)
  },
  'chunk views'({ query, A, B }, { arrays }) {
    return () => {
      for (const chunk of query) {
        const { x: ax, y: ay } = chunk.write(A)
        const { x: bx, y: by } = chunk.write(B)
        arrays(ax, ay, bx, by, chunk.start, chunk.end)
      }
    }
  },
  compiled({ compile, query, A, B }, { row }) {
    const step = compile([A, B], given, row)
    return () => query.run(step)
  },
}

export default Object.entries(WORK).map(([name, work]) => ({
  name: `compiled-${name.replace(/\W+/g, '-')}`,
  title: `Forms of a loop: ${name}`,
  sizes: [1_000, 10_000, 100_000, 1_000_000],
  runsPerSample: (size) => Math.max(1, Math.floor(64_000 / size)),
  reference: (size, runs) => reference(work, size, runs),
  ways: {
    raw: { 'arrays as parameters': (size) => raw(work, size) },
    strata: Object.fromEntries(
      Object.entries(ways).map(([way, frameOf]) => [way, (size) => over(frameOf)(work, size)]),
    ),
  },
}))
