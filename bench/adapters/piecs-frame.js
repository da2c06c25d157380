// Owns piecs 0.4 in the mixed frame: prefabricated archetypes and seven registered systems, values in arrays by entity id.
// It must never run a system that is not registered.
import { World, createEntitySystem } from 'piecs/dist/index.mjs'
import { hasData, hasPosition, hasVelocity, isCharacter } from '../cases/frame.js'
import { FrameColumns, SYSTEMS } from './frame-columns.js'

function mixedFrame(size) {
  const world = new World()
  const columns = new FrameColumns(size)
  const names = ['position', 'velocity', 'data', 'player', 'health', 'damage', 'sprite']
  const component = Object.fromEntries(names.map((name) => [name, world.createComponentId()]))
  for (const [system, required] of SYSTEMS) {
    const execute = (entities) => system(entities, columns)
    const components = required.map((name) => component[name])
    world.registerSystem(createEntitySystem(execute, (query) => query.every(...components)))
  }
  world.initialize()
  const { position, velocity, data, player, health, damage, sprite } = component
  const ids = Array.from({ length: size }, (_, i) => {
    const components = [
      ...(hasPosition(i) ? [position] : []),
      ...(hasVelocity(i) ? [velocity] : []),
      ...(hasData(i) ? [data] : []),
      ...(isCharacter(i) ? [player, health, damage, sprite] : []),
    ]
    const id = world.createEntity(world.prefabricate(components))
    columns.start(id, i)
    return id
  })
  return {
    run() {
      columns.frame.clear()
      world.update()
    },
    result: () => [...ids.flatMap((id, i) => columns.row(id, i)), ...columns.frame.cells],
  }
}

export const frameWays = { 'mixed-frame': { systems: mixedFrame } }
