// Shows undo and redo: the whole state of a world is one memory, and a history keeps its last states.

import {
  clearWorld,
  component,
  createHistory,
  createWorld,
  restoreWorld,
  snapshotWorld,
  spawnMany,
  tag,
  u8,
} from 'strata-ecs'

const Tile = component('Tile', { kind: u8 })
const Marked = tag('Marked')

const world = createWorld()
const tiles = spawnMany(world, 3, [Tile])
const history = createHistory(world, { frames: 100 })
history.save()

function act(name, action) {
  action()
  history.save(name)
}
const show = () => Array.from(tiles, (tile) => world.get(tile, Tile)?.kind ?? '-').join(' ')

act('paint', () => world.set(tiles[0], Tile, { kind: 7 }))
act('erase', () => world.destroy(tiles[1]))
act('mark', () => world.add(tiles[2], Marked))
console.log(show(), '|', history.nameOf(history.frame)) // 7 - 0 | mark

history.goTo(history.frame - 2)
console.log(show(), world.has(tiles[2], Marked)) // 7 0 0 false

// What was destroyed is the same entity again: handles that were kept elsewhere still name it.
console.log(world.isAlive(tiles[1]), history.newest - history.frame) // true 2

history.goTo(history.frame + 1)
console.log(show()) // 7 - 0

// The next action forgets what could have been done again.
act('fill', () => world.set(tiles[2], Tile, { kind: 9 }))
console.log(show(), history.newest === history.frame) // 7 - 9 true

// A single copy serves for a quick save, or for a look ahead.
const before = snapshotWorld(world)
clearWorld(world)
restoreWorld(world, before)
console.log(show()) // 7 - 9
