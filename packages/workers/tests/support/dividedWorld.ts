// Gives a test a world with kernels of every kind, and random calls on it: the same calls make the same world, whatever runs the
// kernels.

import {
  type Entity,
  type World,
  type Workers,
  changed,
  component,
  createKernel,
  createWorld,
  digestWorld,
  f32,
  f64,
  createGroup,
  optional,
  resource,
  restoreWorld,
  snapshotWorld,
  sortRows,
  sparse,
  spawnMany,
  tag,
  toggle,
  u32,
  vec,
} from '../../../../bindings/index'
import { compile, read } from '../../../compile/src/compile/compile'
import { kernelsOf } from '../../../../tests/support/kernels'

/** Kernels of every kind. */
const kernels = await kernelsOf(`
const WAVE: StaticArray<f32> = [0, 0.5, 1, 0.5]
export function drift(rows: Lanes, x: Column<f32>, y: Column<f32>, vx: ReadonlyColumn<f32>, vy: ReadonlyColumn<f32>, dt: f32): void {
  for (let i = rows.start; i < rows.end; i++) {
    x[i] += vx[i] * dt
    y[i] += vy[i] * dt
  }
}
export function mix(rows: Rows, n: Column<u32>, who: Entities, salt: u32): Count {
  let odd: u32 = 0
  for (let i = rows.start; i < rows.end; i++) {
    n[i] = n[i] * 3 + who[i] + salt
    odd += n[i] & 1
  }
  return odd
}
export function wave(rows: Rows, x: Column<f32>, n: ReadonlyColumn<u32>): void {
  for (let i = rows.start; i < rows.end; i++) x[i] += WAVE[n[i] & 3]
}
export function smell(rows: Rows, x: Column<f32>, cells: ReadonlyResource<f32>): void {
  for (let i = rows.start; i < rows.end; i++) x[i] += cells[(<i32>abs(x[i]) * 7) & 63]
}
export function scatter(rows: Rows, x: ReadonlyColumn<f32>, cells: Resource<f32>): void {
  for (let i = rows.start; i < rows.end; i++) cells[(<i32>abs(x[i])) & 63] += x[i] * 0.01
}
export function total(rows: Rows, x: ReadonlyColumn<f32>): Sum<f64> {
  let sum: f64 = 0
  for (let i = rows.start; i < rows.end; i++) sum += <f64>x[i]
  return sum
}
export function totalOfFloats(rows: Rows, x: ReadonlyColumn<f32>): Sum<f32> {
  let sum: f32 = 0
  for (let i = rows.start; i < rows.end; i++) sum += x[i]
  return sum
}
export function least(rows: Rows, x: ReadonlyColumn<f32>): Min<f32> {
  let found = f32.MAX_VALUE
  for (let i = rows.start; i < rows.end; i++) found = min(found, x[i])
  return found
}
export function greatest(rows: Rows, x: ReadonlyColumn<f32>): Max<f32> {
  let found = f32.MIN_VALUE
  for (let i = rows.start; i < rows.end; i++) found = max(found, x[i])
  return found
}
export function heat(rows: Rows, h: Column<f64>, k: Column<u32>): void {
  for (let i = rows.start; i < rows.end; i++) {
    h[i] = h[i] * 0.75 + <f64>k[i]
    k[i]++
  }
}
`)

const Position = component('Position', { x: f32, y: f32 })
const Velocity = component('Velocity', { x: f32, y: f32 })
const Tracked = component('Tracked', { n: u32 }, { trackChanges: 'row' })
const Wide = component('Wide', { list: vec(f32, 16) })
const Heat = component('Heat', { h: f64 }, { storage: sparse })
const Kind = component('Kind', { k: u32 }, { storage: sparse })
const Frozen = tag('Frozen', { toggle })
const Marked = tag('Marked')
const Cells = resource('Cells', { cells: vec(f32, 64) })

/** The names of those of the kernels above that can be divided. */
export const DIVISIBLE = [
  'drift',
  'mix',
  'wave',
  'smell',
  'total',
  'totalOfFloats',
  'least',
  'greatest',
  'heat',
]

/** A world and what is done to it. */
export class DividedWorld {
  readonly world: World
  /** What runs returned, and what queries found, since `takeSeen`. */
  private seen: unknown[] = []
  private alive: Entity[] = []
  private kept: ReturnType<typeof snapshotWorld> | undefined
  private keptAlive: Entity[] = []
  readonly calls: ((a: number, b: number) => void)[]

  constructor(workers: Workers | undefined, initial = 2 ** 20) {
    const world = createWorld({ memory: { initial }, workers })
    this.world = world
    world.setResource(Cells, { cells: Array.from({ length: 64 }, (_, i) => i / 64) })
    createGroup(world, Heat, Kind)
    const moving = world.query(Position, Velocity)
    const all = world.query(Position)
    const thawed = world.query(Position, Velocity, Frozen)
    const tracked = world.query(Tracked, optional(Marked))
    const both = world.query(Position, Tracked)
    const grouped = world.query(Heat, Kind)
    const listed = world.query(Position, Velocity, Heat)
    const lately = world.query(Position, Velocity, changed(Position))
    const x = [Position, 'x'] as const
    const bind = (name: string, columns: object) =>
      createKernel(world, kernels[name] as never, columns as never)
    const drift = bind('drift', { x, y: [Position, 'y'], vx: [Velocity, 'x'], vy: [Velocity, 'y'] })
    const mix = bind('mix', { n: [Tracked, 'n'] })
    const wave = bind('wave', { x, n: [Tracked, 'n'] })
    const smell = bind('smell', { x, cells: [Cells, 'cells'] })
    const scatter = bind('scatter', { x, cells: [Cells, 'cells'] })
    const heat = bind('heat', { h: [Heat, 'h'], k: [Kind, 'k'] })
    const results = ['total', 'totalOfFloats', 'least', 'greatest'].map((name) => bind(name, { x }))
    const spin = compile([Position, read(Velocity)], { dt: f32 }, (position, velocity, { dt }) => {
      position.y = Math.fround(position.y * 0.5) + velocity.x * dt
    })
    const far = compile([read(Position)], (position) => position.x > 3, { result: 'count' })
    const sum = compile([read(Position)], (position) => position.x, { result: 'sum' })
    const see = (value: unknown) => void this.seen.push(value)
    const run = (query: unknown, kernel: unknown, values?: object) =>
      see((query as { run(kernel: unknown, values?: object): unknown }).run(kernel, values))
    const pick = (a: number) => this.alive[a % Math.max(1, this.alive.length)]
    const components = [Velocity, Tracked, Wide, Heat, Kind, Frozen, Marked] as const
    this.calls = [
      (a, b) => {
        const parts = components.filter((_, i) => (b >> i) & 1)
        const made = spawnMany(world, a % 900, [Position({ x: a / 7, y: b / 3 }), ...parts] as never)
        this.alive.push(...made)
      },
      (a, b) => {
        const doomed = this.alive.splice(a % Math.max(1, this.alive.length), b % 200)
        for (const entity of doomed) world.destroy(entity)
      },
      (a, b) => {
        const entity = pick(a)
        if (entity !== undefined) world.add(entity, components[b % components.length] as never)
      },
      (a, b) => {
        const entity = pick(a)
        if (entity !== undefined) world.remove(entity, components[b % components.length] as never)
      },
      (a, b) => {
        for (let i = 0; i < b % 40; i++) {
          const entity = pick(a * (i + 1))
          if (entity === undefined || !world.has(entity, Frozen)) continue
          if (((a + i) & 1) === 0) world.enable(entity, Frozen)
          else world.disable(entity, Frozen)
        }
      },
      (a) => {
        const entity = pick(a)
        if (entity !== undefined) world.set(entity, Position, { x: a, y: -a })
      },
      (a) => run(moving, drift, { dt: a / 1000 }),
      (a) => run(moving, drift, { dt: a / 1000 }),
      (a) => run(thawed, drift, { dt: a / 1000 }),
      (a) => run(listed, drift, { dt: a / 1000 }),
      (a) => run(moving.where(Position, 'x', '>', a), drift, { dt: 0.5 }),
      (a, b) => run(moving.slice(a % 2000, (a % 2000) + b), drift, { dt: 0.25 }),
      (a) => run(moving.partition(a % 3, 3), drift, { dt: 0.125 }),
      () => run(lately, drift, { dt: 0.0625 }),
      (a) => run(tracked, mix, { salt: a }),
      (a) => run(tracked.where(Tracked, 'n', '<', a * 1000), mix, { salt: a }),
      () => run(both, wave),
      () => run(all, smell),
      () => run(all, scatter),
      () => run(grouped, heat),
      () => results.forEach((kernel) => run(all, kernel)),
      () => results.forEach((kernel) => run(thawed, kernel)),
      (a) => results.forEach((kernel) => run(all.where(Position, 'x', '>', a), kernel)),
      (a) => run(moving, spin, { dt: a / 1000 }),
      (a) => run(moving.where(Position, 'x', '>', a), spin, { dt: a / 1000 }),
      () => run(all, far),
      () => run(all, sum),
      () => see(lately.count),
      () => see(world.query(changed(Tracked)).count),
      () => world.advanceTick(),
      () => sortRows(world, Kind, 'k'),
      () => {
        this.kept = snapshotWorld(world, this.kept === undefined ? {} : { into: this.kept })
        this.keptAlive = [...this.alive]
      },
      () => {
        if (this.kept === undefined) return
        restoreWorld(world, this.kept)
        this.alive = [...this.keptAlive]
      },
    ]
  }

  /** What was seen, and the state of now. */
  takeSeen(): unknown[] {
    const seen = [...this.seen, digestWorld(this.world), this.world.query(Position).entities().length]
    this.seen = []
    return seen
  }
}
