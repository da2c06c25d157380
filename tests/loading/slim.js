// A program of the entry without a core. It is bundled.
import { component, createWorld, f32, forkWorld, loadWorld, saveWorld, spawnMany } from 'strata-ecs/slim'

const Position = component('Position', { x: f32 })

/** A world, its fork and its way through a file, over one core. */
export function simulateSlim(core) {
  const world = createWorld({ core })
  spawnMany(world, 100, [Position({ x: 2 })])
  const { world: loaded } = loadWorld(saveWorld(world), { components: [Position], core })
  return JSON.stringify([world, forkWorld(world), loaded].map((one) => one.query(Position).count))
}
