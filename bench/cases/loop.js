// `position += velocity * dt` over three floats: over one archetype, and over 10,000 that tags tell apart which no
// system asks for. Values are such that f32 holds every sum exactly: any number of frames has one right answer.
import * as moving from './moving.js'

// An imported binding is read anew in every step; a constant of this module is not.
const dt = moving.DT

/** The largest integer below which an f32 counts every step exactly, in units of half a dt. */
const EXACT_STEPS = 2 ** 24
const HALVES = 2 / dt
const FASTEST = 2.5
const mostRuns = Math.floor((EXACT_STEPS - moving.startX(4) * HALVES) / (FASTEST * dt * HALVES))

/** x, y, z of every entity after so many frames, in order of creation. */
function reference(size, runs) {
  if (runs > mostRuns) {
    throw new RangeError(`${runs} frames leave the range in which f32 is exact; shorten --milliseconds.`)
  }
  const { startX, velocityX, velocityY, velocityZ } = moving
  const after = (start, velocity) => start + runs * velocity * dt
  const values = []
  for (let i = 0; i < size; i++) {
    values.push(after(startX(i), velocityX(i)), after(0, velocityY(i)), after(0, velocityZ(i)))
  }
  return values
}

// ---- by hand

function moveAll(px, py, pz, vx, vy, vz, count, dt) {
  for (let i = 0; i < count; i++) {
    px[i] += vx[i] * dt
    py[i] += vy[i] * dt
    pz[i] += vz[i] * dt
  }
}

const COLUMNS = [moving.startX, () => 0, () => 0, moving.velocityX, moving.velocityY, moving.velocityZ]
const columnsOf = (list) => COLUMNS.map((valueOf) => Float32Array.from(list, (i) => valueOf(i)))
const allOf = (size) => Array.from({ length: Math.max(0, size) }, (_, i) => i)
const placesIn = (columns, size) =>
  Array.from({ length: size * 3 }, (_, k) => columns[k % 3][Math.floor(k / 3)])

// The arrays are elements of a list, which V8 does not take for constants: only a program with one world, made once, has those.
function rawParameters(size) {
  const c = columnsOf(allOf(size))
  return {
    run: () => moveAll(c[0], c[1], c[2], c[3], c[4], c[5], size, dt),
    result: () => placesIn(c, size),
  }
}

/** Arrays of its own for each archetype: in one array there would be nothing fragmented. */
function rawTables(size, archetypes) {
  const membersOf = (number) =>
    allOf(Math.ceil((size - number) / archetypes)).map((row) => number + row * archetypes)
  const tables = allOf(archetypes).map((number) => columnsOf(membersOf(number)))
  return {
    run() {
      for (let k = 0; k < tables.length; k++) {
        const c = tables[k]
        moveAll(c[0], c[1], c[2], c[3], c[4], c[5], c[0].length, dt)
      }
    },
    result: () =>
      allOf(size).flatMap((i) => [0, 1, 2].map((f) => tables[i % archetypes][f][Math.floor(i / archetypes)])),
  }
}

/** As C compiles it, called from JavaScript once a sample; there is none where native/build.js has built nothing. */
async function c(size) {
  // Named late: a page has no such file, and no bundler should look for it.
  const file = '../native/build.js'
  const native = (await import(/* @vite-ignore */ file)).loadNative()
  const columns = columnsOf(allOf(size))
  native.bind(...columns)
  return {
    run: () => native.run(1, dt),
    runMany: (frames) => native.run(frames, dt),
    result: () => placesIn(columns, size),
  }
}

// ---- the libraries: what a frame is, over a stage that then gets its entities, in so many archetypes

const over = (createStage, frameOf) =>
  async function create(size, archetypes, tags) {
    const stage = await createStage(size, tags)
    const run = await frameOf(stage)
    stage.fillMoving(archetypes)
    return { run, result: () => moving.places(stage) }
  }

const strataColumns = ({ moving, Position, Velocity }) =>
  function run() {
    for (const chunk of moving) {
      const { x, y, z } = chunk.write(Position)
      const { x: vx, y: vy, z: vz } = chunk.read(Velocity)
      for (let i = chunk.start; i < chunk.end; i++) {
        x[i] += vx[i] * dt
        y[i] += vy[i] * dt
        z[i] += vz[i] * dt
      }
    }
  }

function strataEach({ moving }) {
  const moveOne = (entity, p, v) => {
    p.x += v.x * dt
    p.y += v.y * dt
    p.z += v.z * dt
  }
  return () => moving.each(moveOne)
}

/** A frame as a kernel. */
export async function strataKernel({ library, world, moving, Position, Velocity }) {
  const { move } = await import('../../build/bench/loop.kernel.js')
  const fields = Object.entries({ p: Position, v: Velocity }).flatMap(([letter, one]) =>
    ['x', 'y', 'z'].map((axis) => [letter + axis, [one, axis]]),
  )
  const step = library.createKernel(world, move, Object.fromEntries(fields))
  return () => moving.run(step, { dt })
}

async function strataCompiled({ moving, Position, Velocity }) {
  const [{ f32 }, { compile }] = await Promise.all([import('strata-ecs'), import('strata-ecs/compile')])
  const step = compile([Position, Velocity], { dt: f32 }, (p, v, { dt }) => {
    p.x += v.x * dt
    p.y += v.y * dt
    p.z += v.z * dt
  })
  return () => moving.run(step, { dt })
}

function bitecs({ query, asBuffer, world, Position, Velocity }) {
  const { x: px, y: py, z: pz } = Position
  const { x: vx, y: vy, z: vz } = Velocity
  return () => {
    const moving = query(world, [Position, Velocity], asBuffer)
    for (let i = 0; i < moving.length; i++) {
      const id = moving[i]
      px[id] += vx[id] * dt
      py[id] += vy[id] * dt
      pz[id] += vz[id] * dt
    }
  }
}

// Functions are made once, as the README advises.
function moveStores([p, v], entities) {
  const { x: px, y: py, z: pz } = p
  const { x: vx, y: vy, z: vz } = v
  for (let i = 0; i < entities.length; i++) {
    const id = entities[i].id()
    px[id] += vx[id] * dt
    py[id] += vy[id] * dt
    pz[id] += vz[id] * dt
  }
}

function kootaStores({ world, moving }) {
  return () => world.query(moving).useStores(moveStores)
}

const miniplex = (listOf) =>
  function frame({ moving }) {
    return () => {
      for (const { position, velocity } of listOf(moving)) {
        position.x += velocity.x * dt
        position.y += velocity.y * dt
        position.z += velocity.z * dt
      }
    }
  }

function piecs(stage) {
  const { createEntitySystem, world } = stage
  const { x: px, y: py, z: pz } = stage.Position
  const { x: vx, y: vy, z: vz } = stage.Velocity
  const move = createEntitySystem(
    (entities) => {
      for (let i = 0, l = entities.length; i < l; i++) {
        const id = entities[i]
        px[id] += vx[id] * dt
        py[id] += vy[id] * dt
        pz[id] += vz[id] * dt
      }
    },
    (query) => query.prefabricated(stage.moving),
  )
  world.registerSystem(move).initialize()
  return () => world.update()
}

function wolf({ moving, Position, Velocity }) {
  const { x: px, y: py, z: pz } = Position
  const { x: vx, y: vy, z: vz } = Velocity
  return () => {
    for (let i = 0; i < moving.a.length; i++) {
      const entities = moving.a[i].e
      for (let j = entities.length - 1; j >= 0; j--) {
        const id = entities[j]
        px[id] += vx[id] * dt
        py[id] += vy[id] * dt
        pz[id] += vz[id] * dt
      }
    }
  }
}

const ways = {
  strata: {
    'chunk views, columns as locals': over(moving.strata, strataColumns),
    each: over(moving.strata, strataEach),
    compiled: over(moving.strata, strataCompiled),
    kernel: over(moving.strata, strataKernel),
  },
  bitecs: { 'query + SoA': over(moving.bitecs, bitecs) },
  piecs: { system: over(moving.piecs, piecs) },
  koota: { useStores: over(moving.koota, kootaStores) },
  miniplex: {
    'for...of': over(
      moving.miniplex,
      miniplex((query) => query),
    ),
    'query.entities': over(
      moving.miniplex,
      miniplex((query) => query.entities),
    ),
  },
  wolf: { 'nested loops': over(moving.wolf, wolf) },
}

const loop = {
  name: 'loop',
  title: 'Loop: position += velocity * dt, 3 x f32',
  sizes: [1_000, 10_000, 100_000, 1_000_000],
  // A frame of 1,000 entities is shorter than a microsecond: several are timed together.
  runsPerSample: (size) => Math.max(1, Math.floor(64_000 / size)),
  /** Measuring ends before values would be rounded. */
  mostRuns: () => mostRuns,
  reference,
  ways: {
    raw: { 'arrays as parameters': rawParameters },
    c: { 'restrict, -O3 -msse4.2': c },
    ...ways,
  },
}

/** With 10,000 entities one in each. */
const [ARCHETYPES, TAGS] = [10_000, 14]
const inArchetypes = (make) => (size) => make(size, ARCHETYPES, TAGS)
const waysOf = (own) =>
  Object.fromEntries(Object.entries(own).map(([way, make]) => [way, inArchetypes(make)]))
// piecs looks for each new archetype among all others: 10,000 take half a minute.
const { piecs: _, ...others } = ways
const all = Object.entries({ raw: { 'arrays of each archetype': rawTables }, ...others })

const fragmented = {
  ...loop,
  name: 'fragmented-10000',
  title: 'Fragmented: position += velocity * dt, 3 x f32, over 10,000 archetypes told apart by tags',
  sizes: [10_000, 100_000],
  ways: Object.fromEntries(all.map(([library, own]) => [library, waysOf(own)])),
}

export default [loop, fragmented]
