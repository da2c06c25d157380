// Shows a plain function over the fields of a row that runs as SIMD code, with the bytes of JavaScript.

import { component, createWorld, f32, resource, spawnMany } from 'strata-ecs'
import { compile, read } from 'strata-ecs/compile'

const Position = component('Position', { x: f32, y: f32 })
const Velocity = component('Velocity', { x: f32, y: f32 })
const Walls = resource('Walls', { left: f32, right: f32 })

/** Flies on, falls, and bounces off the ground and the walls. */
const fly = compile(
  [Position, Velocity],
  { dt: f32, GRAVITY: 9.81, walls: Walls },
  (position, velocity, { dt, GRAVITY, walls }) => {
    velocity.y -= GRAVITY * dt
    position.x += velocity.x * dt
    position.y += velocity.y * dt
    if (position.y < 0) {
      position.y = -position.y
      velocity.y = -velocity.y
    }
    if (position.x < walls.left || position.x > walls.right) velocity.x = -velocity.x
  },
)
const fastest = compile([read(Velocity)], (v) => Math.sqrt(v.x * v.x + v.y * v.y), { result: 'max' })

const world = createWorld()
Object.assign(world.resource(Walls), { left: -100, right: 100 })
spawnMany(world, 100_000, [Position({ y: 10 }), Velocity({ x: 20 })])
const flying = world.query(Position, Velocity)

for (let frame = 0; frame < 600; frame++) flying.run(fly, { dt: 1 / 60 })
console.log(fly.mode, flying.run(fastest).toFixed(3)) // compiled 24.262

// The same function, row by row, for a debugger: set a breakpoint in it. It leaves the same bytes.
const slowly = compile([read(Velocity)], (v) => Math.sqrt(v.x * v.x + v.y * v.y), {
  mode: 'javascript',
  result: 'max',
})
console.log(slowly.mode, flying.run(slowly) === flying.run(fastest)) // javascript true
