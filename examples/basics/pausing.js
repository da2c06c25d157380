// Shows a game that pauses: what stands still, what goes on, and time that is slower than that of the page.

import { component, createSchedule, createWorld, f32, resource } from 'strata-ecs'

const Position = component('Position', { x: f32 })
const Game = resource('Game', { speed: f32.default(1) })

const world = createWorld()
const ball = world.spawn(Position)
const moving = world.query(Position)

const schedule = createSchedule(world)
  .add(
    function move(world, dt) {
      const step = dt * world.resource(Game).speed
      moving.each((entity, position) => {
        position.x += step
      })
    },
    { runIf: (world) => world.resource(Game).speed > 0 },
  )
  .add(function menu() {
    console.log(`x ${world.get(ball, Position).x}, speed ${world.resource(Game).speed}`)
  })

schedule.run(1)
// output: x 1, speed 1

// Slow motion is a number in the world, so a save and a rollback know of it.
world.setResource(Game, { speed: 0.5 })
schedule.run(1)
// output: x 1.5, speed 0.5

// At speed 0 the systems of the game rest, and those of the menu go on.
world.setResource(Game, { speed: 0 })
schedule.run(1)
// output: x 1.5, speed 0

// One system can be switched off by itself, and everything at once.
world.setResource(Game, { speed: 1 })
schedule.disable('move')
schedule.run(1)
// output: x 1.5, speed 1
schedule.enable('move')
schedule.paused = true
schedule.run(1)
schedule.paused = false
schedule.run(1)
// output: x 2.5, speed 1
