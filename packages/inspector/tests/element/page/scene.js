// The world that the tests of the inspector look at: one of everything, and small enough to know each value. `?agents=1000000`
// adds that many more entities.

import * as ecs from '/dist/index.js'
import {
  bool,
  component,
  createHistory,
  createSchedule,
  createWorld,
  entity,
  f32,
  object,
  onSet,
  relation,
  resource,
  sparse,
  spawnMany,
  tag,
  text,
  toggle,
  u16,
  vec,
} from '/dist/index.js'
import { inspect } from '/dist/inspect.js'
import { StrataInspector, installInspector } from '/dist/inspector.js'

const parameters = new URLSearchParams(location.search)

const Position = component('Position', { x: f32, y: f32 })
const Velocity = component('Velocity', { x: f32, y: f32 })
const Heat = component('Heat', { value: f32 })
const Health = component('Health', { hp: u16, immortal: bool }, { storage: sparse })
const Name = component('Name', { value: text })
const Target = component('Target', { who: entity })
const Matrix = component('Matrix', { m: vec(f32, 4) })
const Engine = component('Engine', { thrust: f32 }, { toggle })
const Frozen = tag('Frozen')
const Sprite = object('Sprite')
const ChildOf = relation('ChildOf', { exclusive: true })
const Likes = relation('Likes', { weight: f32 })
const Time = resource('Time', { dt: f32, elapsed: f32 })
const Settings = resource('Settings')

const world = createWorld()
world.setResource(Time, { dt: 1 / 60 })
world.setResource(Settings, { difficulty: 'hard' })
const ann = world.spawn(
  Name({ value: 'Ann' }),
  Position({ x: 1, y: 2 }),
  Velocity({ x: 1 }),
  Heat({ value: 0.25 }),
)
const bob = world.spawn(
  Name({ value: 'Bob' }),
  Position({ x: 3 }),
  Health({ hp: 7 }),
  Target({ who: ann }),
  Matrix({ m: [1, 2, 3, 4] }),
  Engine({ thrust: 5 }),
  Frozen,
  Sprite({ image: 'bob.png', size: 12 }),
  ChildOf(ann),
  Likes(ann, { weight: 0.5 }),
)
world.disable(bob, Engine)
const cid = world.spawn(Name({ value: 'Cid' }), Position, Heat({ value: 0.75 }), ChildOf(bob))
for (let i = 0; i < 200; i++) world.spawn(Position({ x: i }), Velocity({ x: -1 }), Heat({ value: i / 1000 }))
const agents = Number(parameters.get('agents') ?? 0)
if (agents > 0) spawnMany(world, agents, [Position, Velocity, Heat])

const moving = world.query(Position, Velocity)
const warm = world.query(Heat)
const schedule = createSchedule(world, { timing: false })
  .add(
    () => {
      for (const chunk of moving) {
        const { x } = chunk.write(Position)
        const { x: speed } = chunk.read(Velocity)
        for (let i = chunk.start; i < chunk.end; i++) x[i] += speed[i]
      }
    },
    { name: 'move', queries: [moving], writes: [Position] },
  )
  .add(() => warm.count, { name: 'cool', queries: [warm], writes: [Heat] })
  .add(() => warm.count, { name: 'glow', queries: [warm], writes: [Heat] })
  .add(() => {}, { name: 'draw', phase: 'last', reads: [Position] })
const history = createHistory(world, { frames: agents > 0 ? 2 : 120 })
const heard = []
onSet(world, Health, (entity) => heard.push(entity))

/** Frames of the program: a step of the schedule, and a save when it has run. */
function step(times = 1) {
  for (let i = 0; i < times; i++) {
    schedule.run(1 / 60)
    if (!schedule.paused) history.save()
  }
}

const main = document.querySelector('main')
let inspector
let installed
if (parameters.has('install')) {
  installed = installInspector(world, { schedule, history, theme: parameters.get('theme') ?? undefined })
  inspector = installed.element
} else {
  inspector = document.createElement('strata-inspector')
  if (parameters.has('theme')) inspector.setAttribute('theme', parameters.get('theme'))
  main.append(inspector)
  inspector.attach(world, { schedule, history })
}

globalThis.scene = {
  world,
  schedule,
  history,
  inspector,
  installed,
  ecs,
  inspect,
  createWorld,
  component,
  f32,
  StrataInspector,
  installInspector,
  step,
  heard,
  entities: { ann, bob, cid },
  components: {
    Position,
    Velocity,
    Heat,
    Health,
    Name,
    Target,
    Matrix,
    Engine,
    Frozen,
    Sprite,
    ChildOf,
    Likes,
    Time,
  },
}
