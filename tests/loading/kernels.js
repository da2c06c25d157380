// The program with a kernel that the plugin builds.
import { component, createKernel, createWorld, f32, spawnMany } from 'strata-ecs'
import { move, total } from './movement.kernel.ts'

const Drop = component('Drop', { x: f32, speed: f32 })

/** Moves by the kernel, sums by another: text, as the other program's. */
export function simulateWithKernels() {
  const world = createWorld()
  spawnMany(world, 1_001, [Drop({ speed: 2 })])
  const drops = world.query(Drop)
  const step = createKernel(world, move, { x: [Drop, 'x'], speed: [Drop, 'speed'] })
  for (let frame = 0; frame < 8; frame++) drops.run(step, { dt: 0.25 })
  return JSON.stringify({ total: drops.run(createKernel(world, total, { x: [Drop, 'x'] })) })
}
