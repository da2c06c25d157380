// The program that every page, bundle, worker and Node runs, with the same answer everywhere. It uses the package alone.
import {
  changed,
  component,
  createSchedule,
  createWorld,
  f32,
  not,
  sparse,
  spawnMany,
  tag,
  text,
  u32,
} from 'strata-ecs'

const Position = component('Position', { x: f32, y: f32 })
const Velocity = component('Velocity', { x: f32, y: f32 })
const Score = component('Score', { points: u32 }, { storage: sparse })
const Name = component('Name', { value: text })
const Frozen = tag('Frozen')

/** A hundred frames of a small world; `options` are those of createWorld. The answer is text, to be sent anywhere. */
export function simulate(options) {
  const world = createWorld(options)
  const moving = world.query(Position, Velocity, not(Frozen))
  const scored = world.query(changed(Score))
  const handles = spawnMany(world, 2_000, [Position, Velocity({ x: 0.5, y: 0.25 })])
  for (let i = 0; i < handles.length; i += 7) world.add(handles[i], Frozen)
  let frame = 0
  const move = () => {
    for (const chunk of moving) {
      const { x, y } = chunk.write(Position)
      const velocity = chunk.read(Velocity)
      for (let i = chunk.start; i < chunk.end; i++) {
        x[i] += velocity.x[i]
        y[i] += velocity.y[i]
        if (x[i] === 25)
          world.add(chunk.entities[i], Score({ points: frame }), Name({ value: `ship ${frame}` }))
      }
    }
  }
  const sink = () => world.destroy(handles[frame])
  // Named by the functions themselves: a minifier gives them other names, or none.
  const schedule = createSchedule(world).add(sink, { after: move }).add(move)
  for (; frame < 100; frame++) schedule.run(1)
  let sum = 0
  for (const chunk of world.query(Position)) {
    const { x, y } = chunk.read(Position)
    for (let i = chunk.start; i < chunk.end; i++) sum += x[i] * 3 + y[i]
  }
  const first = scored.first()
  const answer = { sum, moving: moving.count, scored: scored.count, first, name: world.get(first, Name) }
  world.dispose()
  return JSON.stringify(answer)
}
