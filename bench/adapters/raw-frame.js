// Owns the yardstick of the mixed frame: arrays by id, and for each system a list of the ids that it is for. It must never
// visit an entity only to find that it lacks something.
import { hasData, hasPosition, hasVelocity, isCharacter } from '../cases/frame.js'
import { FrameColumns, SYSTEMS } from './frame-columns.js'

const HAS = {
  position: hasPosition,
  velocity: hasVelocity,
  data: hasData,
  player: isCharacter,
  health: isCharacter,
  damage: isCharacter,
  sprite: isCharacter,
}

function mixedFrame(size) {
  const columns = new FrameColumns(size)
  for (let i = 0; i < size; i++) columns.start(i, i)
  const all = Array.from({ length: size }, (_, i) => i)
  const lists = SYSTEMS.map(([, names]) =>
    Uint32Array.from(all.filter((i) => names.every((name) => HAS[name](i)))),
  )
  return {
    run() {
      columns.frame.clear()
      for (let k = 0; k < SYSTEMS.length; k++) SYSTEMS[k][0](lists[k], columns)
    },
    result: () => [...all.flatMap((i) => columns.row(i, i)), ...columns.frame.cells],
  }
}

export const frameWays = { 'mixed-frame': { 'arrays and lists of ids': mixedFrame } }
