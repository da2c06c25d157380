// The simulation that the page shows: workers who take tasks, do them, and rest.

import {
  type Entity,
  NULL_ENTITY,
  component,
  createSchedule,
  createWorld,
  entity,
  f32,
  not,
  resource,
  tag,
  text,
  u32,
} from 'strata-ecs'

export const Task = component('Task', { title: text, effort: f32, done: f32 })
export const Done = tag('Done')
export const Worker = component('Worker', { name: text, task: entity })
export const Clock = resource('Clock', { hours: u32, running: u32.default(1) })

const NAMES = ['Ada', 'Ben', 'Cem', 'Dora', 'Eli', 'Fay']
const WORK = ['Mend the pump', 'Stack firewood', 'Sow barley', 'Bake bread', 'Card wool', 'Patch the roof']

/** A world with a crew and something to do. */
export function createCrew() {
  const world = createWorld()
  const free = world.query(Task, not(Done))
  const workers = world.query(Worker)
  world.setResource(Clock, { hours: 0 })
  for (const name of NAMES) world.spawn(Worker({ name }))

  let planned = 0
  const plan = (title = WORK[planned % WORK.length]): Entity =>
    world.spawn(Task({ title, effort: 2 + (planned++ % 4) }))
  for (let i = 0; i < 8; i++) plan()

  const schedule = createSchedule(world)
    .add(function takeTasks() {
      const taken = new Set(
        workers.entities().map((worker) => world.get(worker, Worker)?.task ?? NULL_ENTITY),
      )
      const open = [...free.entities()].filter((task) => !taken.has(task))
      for (const worker of workers.entities()) {
        const { task } = world.get(worker, Worker) ?? { task: NULL_ENTITY }
        if (world.isAlive(task) && !world.has(task, Done)) continue
        const next = open.shift() ?? NULL_ENTITY
        if (next !== task) world.set(worker, Worker, { task: next })
      }
    })
    .add(function work() {
      for (const worker of workers.entities()) {
        const task = world.get(worker, Worker)?.task ?? NULL_ENTITY
        const state = world.get(task, Task)
        if (state === undefined) continue
        world.set(task, Task, { done: Math.min(state.effort, state.done + 1) })
        if (state.done + 1 >= state.effort) world.add(task, Done)
      }
    })

  return {
    world,
    plan,
    /** One hour passes: all changes of it are one for those who listen. */
    pass(): void {
      world.batch(() => world.setResource(Clock, { hours: world.resource(Clock).hours + 1 }))
      schedule.run(1)
    },
  }
}

export type Crew = ReturnType<typeof createCrew>
