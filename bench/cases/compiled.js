// Loops over two components, as a person writes them: row by row, by chunks, compiled, and as a kernel. Each body is said twice: over
// one row, and over plain arrays, which also say what must come of it, to the bit. Kernels are in compiled.kernel.ts.
const { fround, sqrt } = Math
const DT = 1 / 64
const WALL = 90

/** Value k of row i: none is whole, and some lie beyond the walls. */
const valueOf = (i, k) => fround(((i * 7919 + k * 104729) % 2003) / 10 - 100)
/** A turn about an axis: what it is applied to grows and shrinks by roundings alone. */
const TURN = [0.6, 0.8, 0, 0, -0.8, 0.6, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1].map(fround)

/** Of each component its fields, by how many values they have. */
const PAIRS = { A: { x: 1, y: 1 }, B: { x: 1, y: 1 } }
const MATRIX = { A: { m: 16 }, B: { v: 4 } }

/** By name: the kernel, and the body over one row and over arrays; over pairs of floats where nothing else is said. */
const WORK = {
  'pos += vel * dt': {
    kernel: 'move',
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
    kernel: 'move',
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
    kernel: 'swap',
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
    kernel: 'bounce',
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
    kernel: 'attract',
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
    kernel: 'shuffle',
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
  'matrix * vector': {
    kernel: 'turn',
    fields: MATRIX,
    row({ m }, { v }) {
      const x = v[0]
      const y = v[1]
      const z = v[2]
      const w = v[3]
      for (let k = 0; k < 4; k++) {
        const sum = Math.fround(Math.fround(m[k] * x) + Math.fround(m[k + 4] * y))
        v[k] = Math.fround(sum + Math.fround(m[k + 8] * z)) + Math.fround(m[k + 12] * w)
      }
    },
    arrays(m, v, from, to) {
      for (let i = from; i < to; i++) {
        const [x, y, z, w] = [v[4 * i], v[4 * i + 1], v[4 * i + 2], v[4 * i + 3]]
        for (let k = 0; k < 4; k++) {
          const at = 16 * i + k
          const sum = fround(fround(m[at] * x) + fround(m[at + 4] * y))
          v[4 * i + k] = fround(sum + fround(m[at + 8] * z)) + fround(m[at + 12] * w)
        }
      }
    },
  },
}

/** The values of all rows, an array for each field. */
function columnsOf({ fields = PAIRS }, size) {
  const lengths = Object.values(fields).flatMap((lengthOf) => Object.values(lengthOf))
  return lengths.map((length, k) =>
    Float32Array.from({ length: size * length }, (_, i) => (length === 16 ? TURN[i % 16] : valueOf(i, k))),
  )
}

/** All values but those of matrices, which nothing changes. */
const listed = (columns) =>
  columns.slice(columns.length === 2 ? 1 : 0).flatMap((column) => Array.from(column))

function raw(work, size) {
  const columns = columnsOf(work, size)
  return { run: () => work.arrays(...columns, 0, size), result: () => listed(columns) }
}

function reference(work, size, runs) {
  const { run, result } = raw(work, size)
  for (let done = 0; done < runs; done++) run()
  return result()
}

/** A world with these rows, and what a way does with them: the library is imported by the ways alone. */
const over = (frameOf) =>
  async function create(work, size) {
    const ecs = { ...(await import('strata-ecs')), ...(await import('strata-ecs/compile')) }
    const { component, createWorld, f32, getColumn, spawnMany, vec } = ecs
    const fieldOf = ([name, length]) => [name, length === 1 ? f32 : vec(f32, length)]
    const [A, B] = Object.entries(work.fields ?? PAIRS).map(([name, fields]) =>
      component(name, Object.fromEntries(Object.entries(fields).map(fieldOf))),
    )
    const fields = [A, B].flatMap((one) => one.fieldNames.map((name) => [one, name]))
    const world = createWorld({ memory: { initial: 2 ** 26 } })
    const values = columnsOf(work, size)
    let done = 0
    spawnMany(world, size, [A, B], (chunk) => {
      const { start, end } = chunk
      fields.forEach(([one, name], k) => {
        const length = values[k].length / size
        const those = values[k].subarray(done * length, (done + end - start) * length)
        chunk.write(one)[name].set(those, start * length)
      })
      done += end - start
    })
    const query = world.query(A, B)
    const columns = () => fields.map(([one, name]) => getColumn(query, one, name))
    return { run: await frameOf({ ...ecs, world, query, A, B }, work), result: () => listed(columns()) }
  }

const given = { DT, WALL }
const ways = {
  each({ query }, { row }) {
    const body = (entity, a, b) => row(a, b, given)
    return () => query.each(body)
  },
  'chunk views'({ query, A, B }, { arrays, fields }) {
    if (fields === MATRIX)
      return () => {
        for (const chunk of query) arrays(chunk.read(A).m, chunk.write(B).v, chunk.start, chunk.end)
      }
    return () => {
      for (const chunk of query) {
        const { x: ax, y: ay } = chunk.write(A)
        const { x: bx, y: by } = chunk.write(B)
        arrays(ax, ay, bx, by, chunk.start, chunk.end)
      }
    }
  },
  compiled({ compile, query, A, B }, { row }) {
    const step = compile([A, B], given, row, { mode: 'compiled' })
    return () => query.run(step)
  },
  async kernel({ createKernel, world, query, A, B }, { kernel: name }) {
    const kernel = (await import('../../build/bench/compiled.kernel.js'))[name]
    const columns = kernel.parameters.map(({ name }) => [name, [name[0] === 'a' ? A : B, name[1]]])
    const step = createKernel(world, kernel, Object.fromEntries(columns))
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
