// Owns the loops over positions and velocities in strata-ecs, in the forms that the documentation shows: README.md,
// docs/kernels.md, docs/cheat-sheet.md. It must never make an entity: the cases do.
import { move } from '../../build/bench/loop.kernel.js'
import { component, f32 } from '../../dist/index.js'
import { DT } from '../cases/loop.js'

// An imported binding is read anew in every step; a constant of this module is not.
const dt = DT

export const Position = component('Position', { x: f32, y: f32, z: f32 })
export const Velocity = component('Velocity', { x: f32, y: f32, z: f32 })

export const byViews = (moving) => () => {
  for (const chunk of moving) {
    const { x, y, z } = chunk.write(Position)
    const velocity = chunk.read(Velocity)
    for (let i = chunk.start; i < chunk.end; i++) {
      x[i] += velocity.x[i] * dt
      y[i] += velocity.y[i] * dt
      z[i] += velocity.z[i] * dt
    }
  }
}

export const byColumns = (moving) => () => {
  for (const chunk of moving) {
    const { x, y, z } = chunk.write(Position)
    const { x: vx, y: vy, z: vz } = chunk.read(Velocity)
    for (let i = chunk.start; i < chunk.end; i++) {
      x[i] += vx[i] * dt
      y[i] += vy[i] * dt
      z[i] += vz[i] * dt
    }
  }
}

export const byIndex = (moving) => () => {
  for (const chunk of moving) {
    const heap = chunk.heap.f32
    const x = chunk.index(Position, 'x')
    const y = chunk.index(Position, 'y')
    const z = chunk.index(Position, 'z')
    const vx = chunk.index(Velocity, 'x')
    const vy = chunk.index(Velocity, 'y')
    const vz = chunk.index(Velocity, 'z')
    for (let i = chunk.start; i < chunk.end; i++) {
      heap[x + i] += heap[vx + i] * dt
      heap[y + i] += heap[vy + i] * dt
      heap[z + i] += heap[vz + i] * dt
    }
    chunk.touch(Position)
  }
}

export function byEach(moving) {
  const moveOne = (entity, p, v) => {
    p.x += v.x * dt
    p.y += v.y * dt
    p.z += v.z * dt
  }
  return () => moving.each(moveOne)
}

export function byKernel(moving, world) {
  const step = world.kernel(move, {
    px: [Position, 'x'],
    py: [Position, 'y'],
    pz: [Position, 'z'],
    vx: [Velocity, 'x'],
    vy: [Velocity, 'y'],
    vz: [Velocity, 'z'],
  })
  return () => moving.run(step, { dt })
}
