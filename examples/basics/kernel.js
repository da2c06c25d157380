// Shows an inner loop that runs in WebAssembly on the memory of the world, four rows at a time.

import { fileURLToPath } from 'node:url'
import { component, createKernel, createWorld, f32, kernelRuntime, spawnMany } from 'strata-ecs'
import { compileKernels } from 'strata-ecs/kernel-compiler'

const Position = component('Position', { x: f32 })
const Velocity = component('Velocity', { x: f32 })

const world = createWorld()
spawnMany(world, 100_000, [Position, Velocity({ x: 2 })])
const moving = world.query(Position, Velocity)

// A program that ships builds its kernels beforehand: by `npx strata-kernels build`, or by the plugin for Vite and Rollup.
const { kernels } = await compileKernels(fileURLToPath(new URL('drift.kernel.ts', import.meta.url)))
const [drift, total] = kernels.map((kernel) => ({ ...kernel, runtime: kernelRuntime }))

const step = createKernel(world, drift, { x: [Position, 'x'], vx: [Velocity, 'x'] })
const sum = createKernel(world, total, { x: [Position, 'x'] })

for (let i = 0; i < 4; i++) moving.run(step, { dt: 0.25 })
console.log(moving.run(sum), world.get(moving.first(), Position)) // 200000 { x: 2 }

// It is the same as this loop, which a profile would have to show first.
for (const chunk of moving) {
  const { x } = chunk.write(Position)
  const velocity = chunk.read(Velocity)
  for (let i = chunk.start; i < chunk.end; i++) x[i] += velocity.x[i] * 0.25
}
console.log(moving.run(sum)) // 250000
