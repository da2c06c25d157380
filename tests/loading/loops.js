// The program with a loop that is compiled while it runs, or by the plugin ahead of that: in which form, and what comes of it.
import { component, createWorld, f32, spawnMany } from 'strata-ecs'
import { compile } from 'strata-ecs/compile'

const Drop = component('Drop', { x: f32, speed: f32 })

const fall = compile(
  [Drop],
  { dt: f32, FLOOR: 500 },
  (drop, { dt, FLOOR }) => {
    drop.x += drop.speed * dt
    if (drop.x > FLOOR) drop.speed = -drop.speed
    return drop.x
  },
  { result: 'sum' },
)

/** Eight frames of 1,001 drops; `options` are those of createWorld. The answer is text, as the other programs'. */
export function simulateWithLoops(options) {
  const world = createWorld(options)
  let next = 0
  spawnMany(world, 1_001, [Drop], (chunk) => {
    const { x, speed } = chunk.write(Drop)
    for (let i = chunk.start; i < chunk.end; i++) {
      x[i] = next++
      speed[i] = next / 7
    }
  })
  const drops = world.query(Drop)
  const sums = Array.from({ length: 8 }, () => drops.run(fall, { dt: 0.3 }))
  return JSON.stringify({ form: fall.mode, why: fall.reason, sums })
}
