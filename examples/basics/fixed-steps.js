// Shows a simulation in fixed steps beside a picture of any rate, and what to draw between two steps.

import { component, createSchedule, createWorld, f32 } from 'strata-ecs'

const Position = component('Position', { x: f32, before: f32 })
const Velocity = component('Velocity', { x: f32 })

const world = createWorld()
const ball = world.spawn(Position, Velocity({ x: 8 }))
const moving = world.query(Position, Velocity)

function move(world, dt) {
  for (const chunk of moving) {
    const { x, before } = chunk.write(Position)
    const velocity = chunk.read(Velocity)
    for (let i = chunk.start; i < chunk.end; i++) {
      before[i] = x[i]
      x[i] += velocity.x[i] * dt
    }
  }
}

function draw() {
  // How far time is between the last step and the next one, from 0 to 1.
  const alpha = schedule.alpha('physics')
  const { x, before } = world.get(ball, Position)
  console.log(`at ${x}, drawn at ${before + (x - before) * alpha}`)
}

// At most four steps run at once, and at most 0.25 s of steps wait: after a minute in a hidden tab the ball goes on where it was.
const schedule = createSchedule(world)
  .phase('physics', { after: 'pre', fixedStep: 0.25, maxSteps: 4 })
  .add(move, { phase: 'physics' })
  .add(draw, { phase: 'last' })

for (const seconds of [0.25, 0.125, 0.5, 0.125]) schedule.run(seconds)
// output: at 2, drawn at 0
// output: at 2, drawn at 1
// output: at 6, drawn at 5
// output: at 8, drawn at 6
