// Owns bitECS 0.4 in the mixed frame: components of typed arrays and `query`, as its docs recommend for speed. It must
// never leave a query out of a frame.
import { addComponents, addEntity, asBuffer, createWorld, query } from 'bitecs'
import { hasData, hasPosition, hasVelocity, isCharacter } from '../cases/frame.js'
import { FrameColumns, SYSTEMS } from './frame-columns.js'

function mixedFrame(size) {
  const world = createWorld()
  const columns = new FrameColumns(size + 1)
  const { position, velocity, data, player, health, damage, sprite } = columns
  const terms = SYSTEMS.map(([, names]) => names.map((name) => columns[name]))
  const ids = Array.from({ length: size }, (_, i) => {
    const id = addEntity(world)
    if (hasPosition(i)) addComponents(world, id, position)
    if (hasVelocity(i)) addComponents(world, id, velocity)
    if (hasData(i)) addComponents(world, id, data)
    if (isCharacter(i)) addComponents(world, id, player, health, damage, sprite)
    columns.start(id, i)
    return id
  })
  return {
    run() {
      columns.frame.clear()
      for (let k = 0; k < SYSTEMS.length; k++) SYSTEMS[k][0](query(world, terms[k], asBuffer), columns)
    },
    result: () => [...ids.flatMap((id, i) => columns.row(id, i)), ...columns.frame.cells],
  }
}

export const frameWays = { 'mixed-frame': { 'query + SoA': mixedFrame } }
