// Owns the bitECS side of the case `tag`. It must never keep ids of its own: they come from the query.
import { addComponent, addEntity, asBuffer, createWorld, query, removeComponent } from 'bitecs'
import { tagScene } from './scenes.js'

function tagPerCall(size) {
  const world = createWorld()
  const Position = { x: new Float32Array(size + 1) }
  const Frozen = {}
  const tagged = () => query(world, [Frozen], asBuffer).length
  const ids = []
  for (let i = 0; i < size; i++) {
    const id = addEntity(world)
    addComponent(world, id, Position)
    Position.x[id] = i
    ids.push(id)
  }
  return tagScene({
    tagged,
    addToAll() {
      const found = query(world, [Position], asBuffer)
      for (let i = 0; i < found.length; i++) addComponent(world, found[i], Frozen)
    },
    removeFromAll() {
      const found = query(world, [Frozen], asBuffer).slice()
      for (let i = 0; i < found.length; i++) removeComponent(world, found[i], Frozen)
    },
    values: () => ids.map((id) => Position.x[id]),
  })
}

export const tagWays = { tag: { 'per call': tagPerCall } }
