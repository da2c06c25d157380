// The world of the page: its bodies, the kernels that move them, and the change of a body's parent.

import { type Entity, ancestors, cascade, createKernel, createWorld } from 'strata-ecs'
import { Body, ChildOf, Global, Local, Orbit, Places } from './components.ts'
import { place, show, turn } from './orrery.kernel.ts'
import { circleThrough } from './circle.ts'
import { populate } from './population.ts'

export function createOrrery() {
  const world = createWorld()
  /** By slot. */
  const bodies = populate(world)
  world.resource(Places)
  const all = world.query(Orbit, Local, Global, Body)
  const levels = world.query(Local, Global, cascade(ChildOf))
  const [matrix, own] = [[Global, 'm'] as const, [Local, 'm'] as const]
  const turning = createKernel(world, turn, {
    local: own,
    phase: [Orbit, 'phase'],
    speed: [Orbit, 'speed'],
    tilt: [Orbit, 'tilt'],
    radius: [Orbit, 'radius'],
    before: [Orbit, 'before'],
    since: [Orbit, 'since'],
  })
  const placing = createKernel(world, place, { world: matrix, local: own, parent: [ChildOf, Global, 'm'] })
  const showing = createKernel(world, show, { world: matrix, slot: [Body, 'slot'], places: [Places, 'xyz'] })
  const moment = { time: 0 }

  return {
    world,
    bodies,
    /** Moves all bodies to where they are at a time, in seconds. Returns x, y, z and 1 of each, by slot. */
    step(time: number): Float32Array {
      moment.time = time
      all.run(turning, moment)
      levels.run(placing)
      all.run(showing)
      return world.resource(Places).xyz
    },
    bodyOf: (entity: Entity) => world.get(entity, Body)!,
    orbitOf: (entity: Entity) => world.get(entity, Orbit)!,
    parentOf: (entity: Entity) => world.target(entity, ChildOf),
    childrenOf: (entity: Entity) => world.sourceCount(entity, ChildOf),
    /** Whether a body may circle around another one: not around itself, nor around what circles around it. */
    canHang: (entity: Entity, parent: Entity) =>
      entity !== parent && !ancestors(world, parent, ChildOf).includes(entity),
    /** Lets a body circle around another one, beginning where it is. All that circles around it comes along. */
    hang(entity: Entity, parent: Entity, time: number): void {
      const above = world.get(parent, Global)!.m
      const { speed } = world.get(entity, Orbit)!
      const { size } = world.get(entity, Body)!
      const around = world.get(parent, Body)!.size
      const circle = circleThrough(above, world.get(entity, Global)!.m, speed * time)
      const radius = around * 1.7 + size * 2.2 + 0.1
      world.add(entity, ChildOf(parent))
      world.set(entity, Orbit, { ...circle, radius, since: time })
    },
  }
}

export type Orrery = ReturnType<typeof createOrrery>
