// What the page shows of a crew, and what its buttons do.

import { memo, useState, type FormEvent } from 'react'
import { type Entity, destroyMany, inCreationOrder, not } from 'strata-ecs'
import { useComponent, useCount, useHas, useQuery, useResource, useWorld } from 'strata-ecs/react'
import { Clock, Done, Task, Worker, type Crew } from './crew.ts'

/** How often each kind of component was rendered: the page shows it. */
export const renders = { clock: 0, summary: 0, worker: 0, task: 0 }

function Hours() {
  renders.clock++
  const clock = useResource(useWorld(), Clock)
  return <output>hour {clock?.hours}</output>
}

function Summary() {
  renders.summary++
  const world = useWorld()
  const open = useCount(world.query(Task, not(Done)))
  const done = useCount(world.query(Task, Done))
  return (
    <p className="summary">
      <b>{open}</b> to do, <b>{done}</b> done
    </p>
  )
}

const WorkerRow = memo(function WorkerRow({ worker }: { worker: Entity }) {
  renders.worker++
  const world = useWorld()
  const state = useComponent(world, worker, Worker)
  const task = useComponent(world, state?.task, Task)
  return (
    <li>
      <b>{state?.name}</b> <span>{task ? task.title : 'rests'}</span>
    </li>
  )
})

const TaskRow = memo(function TaskRow({ task }: { task: Entity }) {
  renders.task++
  const world = useWorld()
  const state = useComponent(world, task, Task)
  const done = useHas(world, task, Done)
  if (state === undefined) return null
  const toggle = () => {
    if (done) world.remove(task, Done)
    else world.add(task, Done)
    world.set(task, Task, { done: done ? 0 : state.effort })
  }
  return (
    <li className={done ? 'done' : ''}>
      <label>
        <input type="checkbox" checked={done} onChange={toggle} /> {state.title}
      </label>
      <progress max={state.effort} value={state.done} aria-label={`${state.title}: progress`} />
      <button type="button" onClick={() => world.destroy(task)} aria-label={`Drop: ${state.title}`}>
        ×
      </button>
    </li>
  )
})

export function Panel({ crew }: { crew: Crew }) {
  const world = useWorld()
  const tasks = useQuery(world.query(Task, inCreationOrder()))
  const workers = useQuery(world.query(Worker))
  const running = useResource(world, Clock)?.running === 1
  const [title, setTitle] = useState('')
  const add = (event: FormEvent) => {
    event.preventDefault()
    crew.plan(title.trim() || undefined)
    setTitle('')
  }
  return (
    <main>
      <header>
        <h1>Panel</h1>
        <Hours />
        <button type="button" onClick={() => world.setResource(Clock, { running: running ? 0 : 1 })}>
          {running ? 'Pause' : 'Go on'}
        </button>
      </header>
      <Summary />
      <section className="card" aria-label="Crew">
        <h2>Crew</h2>
        <ul>
          {Array.from(workers, (worker) => (
            <WorkerRow key={worker} worker={worker} />
          ))}
        </ul>
      </section>
      <section className="card" aria-label="Tasks">
        <h2>Tasks</h2>
        <form onSubmit={add}>
          <input
            value={title}
            onChange={(event) => setTitle(event.target.value)}
            placeholder="What is to be done?"
            aria-label="A new task"
          />
          <button type="submit">Add</button>
          <button type="button" onClick={() => void destroyMany(world.query(Task, Done))}>
            Clear done
          </button>
        </form>
        <ul>
          {Array.from(tasks, (task) => (
            <TaskRow key={task} task={task} />
          ))}
        </ul>
      </section>
    </main>
  )
}
