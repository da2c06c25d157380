// The works of beside.js with strata-ecs, as its guide writes them. It takes the work, the number of entities and how many
// milliseconds to measure each way. As the native programs do, it prints a line for each way: its least time, and a number that
// shows that the work was done.
import { performance } from 'node:perf_hooks'
import * as ecs from 'strata-ecs'
import { compile, read } from 'strata-ecs/compile'
import { move as moveKernel } from '../../build/bench/compiled.kernel.js'
import { placePoints } from '../../build/bench/tree.kernel.js'

const {
  addMany,
  cascade,
  component,
  createAccessor,
  createKernel,
  createSpawner,
  createWorld,
  destroyMany,
  f32,
  getColumn,
  relation,
  removeMany,
  snapshotWorld,
  spawnMany,
  tag,
} = ecs

/** A power of two: products are exact, and all languages round the same sums. */
const DT = 1 / 64

const Position = component('Position', { x: f32, y: f32 })
const Velocity = component('Velocity', { x: f32, y: f32 })
const Extra = component('Extra', { value: f32 })
const ChildOf = relation('ChildOf', { exclusive: true })

const [, , work, count, milliseconds = '300'] = process.argv
const n = Number(count)
const world = createWorld({ memory: { initial: 2 ** 27 } })
const placed = world.query(Position)
const moving = world.query(Position, Velocity)
const all = new Uint32Array(n)

const nothing = () => {}
const create = (i) => world.spawn(Position({ x: i, y: 2 * i }), Velocity({ x: 1, y: 0.5 }))
const empty = () => destroyMany(placed)
function full() {
  empty()
  for (let i = 0; i < n; i++) all[i] = create(i)
}
const living = () => placed.count
const total = () =>
  ['x', 'y'].reduce((sum, field) => getColumn(placed, Position, field).reduce((a, b) => a + b, sum), 0)

/** Measures as harness.hpp does. */
function measure(way, units, prepare, run, check) {
  const end = performance.now() + Number(milliseconds)
  let best = Infinity
  for (let i = 0; i < 5 || performance.now() < end; i++) {
    prepare()
    const began = performance.now()
    run()
    best = Math.min(best, performance.now() - began)
  }
  console.log(JSON.stringify({ way, ns: (best * 1e6) / units, check: Number(check()) }))
}

function shuffle(list) {
  let seed = 1
  for (let i = list.length - 1; i > 0; i--) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    const other = seed % (i + 1)
    ;[list[i], list[other]] = [list[other], list[i]]
  }
}

const compiled = compile([Position, read(Velocity)], { DT }, (position, velocity, { DT }) => {
  position.x += Math.fround(velocity.x * DT)
  position.y += Math.fround(velocity.y * DT)
})

/** Each way to move all, and the sum after three times. */
function move() {
  const kernel = createKernel(world, moveKernel, {
    ...{ ax: [Position, 'x'], ay: [Position, 'y'] },
    ...{ bx: [Velocity, 'x'], by: [Velocity, 'y'] },
  })
  const ways = {
    each: () =>
      moving.each((entity, position, velocity) => {
        position.x += velocity.x * DT
        position.y += velocity.y * DT
      }),
    chunks() {
      for (const chunk of moving) {
        const { x, y } = chunk.write(Position)
        const { x: vx, y: vy } = chunk.read(Velocity)
        for (let i = chunk.start; i < chunk.end; i++) {
          x[i] += vx[i] * DT
          y[i] += vy[i] * DT
        }
      }
    },
    compiled: () => moving.run(compiled),
    kernel: () => moving.run(kernel),
  }
  const fresh = work === 'archetypes' ? inArchetypes : full
  for (const [way, run] of Object.entries(ways)) {
    fresh()
    for (let i = 0; i < 3; i++) run()
    const sum = total()
    measure(way, n, nothing, run, () => sum)
  }
}

const TAGS = Array.from({ length: 8 }, (_, i) => tag(`Tag${i}`))
function inArchetypes() {
  full()
  for (let i = 0; i < n; i++) world.add(all[i], ...TAGS.filter((_, bit) => (i >> bit) & 1))
}

const WORKS = {
  create() {
    const ship = createSpawner(world, [Position, 'x', 'y'], [Velocity, 'x', 'y'])
    const byLiterals = () => {
      for (let i = 0; i < n; i++) create(i)
    }
    const bySpawner = () => {
      for (let i = 0; i < n; i++) ship(i, 2 * i, 1, 0.5)
    }
    measure('spawn with values', n, empty, byLiterals, total)
    measure('createSpawner', n, empty, bySpawner, total)
  },
  'create in bulk'() {
    const values = [Position({ x: 1, y: 2 }), Velocity({ x: 1, y: 0.5 })]
    measure('spawnMany', n, empty, () => spawnMany(world, n, values), total)
  },
  destroy() {
    const singly = () => {
      for (let i = 0; i < n; i++) world.destroy(all[i])
    }
    measure('one by one', n, full, singly, living)
    measure('destroyMany', n, full, () => destroyMany(world, all), living)
  },
  'destroy all'() {
    measure('destroyMany of a query', n, full, empty, living)
  },
  move,
  archetypes: move,
  'add, remove'() {
    full()
    const extras = world.query(Extra)
    let added = 0
    const rest = () => added - extras.count
    const singly = () => {
      for (let i = 0; i < n; i++) world.add(all[i], Extra)
      added = extras.count
      for (let i = 0; i < n; i++) world.remove(all[i], Extra)
    }
    const list = () => {
      addMany(world, all, Extra)
      added = extras.count
      removeMany(world, all, Extra)
    }
    const byQuery = () => {
      addMany(moving, Extra)
      added = extras.count
      removeMany(moving, Extra)
    }
    measure('one by one', 2 * n, nothing, singly, rest)
    measure('addMany, removeMany', 2 * n, nothing, list, rest)
    measure('by query', 2 * n, nothing, byQuery, rest)
  },
  'spawn, destroy'() {
    const value = Position({ x: 1, y: 2 })
    const both = () => {
      for (let i = 0; i < n; i++) all[i] = world.spawn(value)
      for (let i = 0; i < n; i++) world.destroy(all[i])
    }
    measure('one by one', 2 * n, nothing, both, living)
  },
  get() {
    full()
    shuffle(all)
    let found = 0
    const at = createAccessor(world, Position)
    const x = at.field('x')
    const byGet = () => {
      let sum = 0
      for (let i = 0; i < n; i++) sum += world.get(all[i], Position).x
      found = sum
    }
    const byAccessor = () => {
      let sum = 0
      for (let i = 0; i < n; i++) sum += at.of(all[i]).x
      found = sum
    }
    const byField = () => {
      let sum = 0
      for (let i = 0; i < n; i++) sum += x.get(all[i])
      found = sum
    }
    for (const [way, run] of Object.entries({ get: byGet, accessor: byAccessor, field: byField })) {
      measure(way, n, nothing, run, () => found)
    }
  },
  set() {
    full()
    shuffle(all)
    const y = createAccessor(world, Position, 'y')
    const bySet = () => {
      for (let i = 0; i < n; i++) world.set(all[i], Position, { y: i })
    }
    const byField = () => {
      for (let i = 0; i < n; i++) y.set(all[i], i)
    }
    measure('set', n, nothing, bySet, total)
    measure('field', n, nothing, byField, total)
  },
  tree() {
    full()
    for (let i = 1; i < n; i++) world.add(all[i], ChildOf(all[(i - 1) >> 2]))
    const tree = world.query(Position, Velocity, cascade(ChildOf))
    const kernel = createKernel(world, placePoints, {
      ...{ x: [Position, 'x'], y: [Position, 'y'], dx: [Velocity, 'x'], dy: [Velocity, 'y'] },
      ...{ px: [ChildOf, Position, 'x'], py: [ChildOf, Position, 'y'] },
    })
    const at = createAccessor(world, Position)
    const byEach = () =>
      tree.each((entity, position, velocity) => {
        const parent = world.target(entity, ChildOf)
        const above = parent === ecs.NULL_ENTITY ? { x: 0, y: 0 } : at.of(parent)
        position.x = above.x + velocity.x
        position.y = above.y + velocity.y
      })
    measure('each, cascade', n, nothing, byEach, total)
    measure('kernel, cascade', n, nothing, () => tree.run(kernel), total)
  },
  snapshot() {
    full()
    const into = snapshotWorld(world)
    measure(
      'snapshot',
      n,
      nothing,
      () => snapshotWorld(world, { into }),
      () => into.entities === n,
    )
  },
}

WORKS[work]()
