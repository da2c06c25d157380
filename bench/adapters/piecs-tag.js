// Owns the piecs side of the case `tag`: prefabricated archetypes, and a query's list of entities, walked backwards as
// its members leave. It must never keep ids of its own for the change.
import { createEntitySystem, World } from 'piecs/dist/index.mjs'
import { tagScene } from './scenes.js'

function tagByTransform(size) {
  const world = new World()
  const Position = world.createComponentId()
  const Frozen = world.createComponentId()
  const plain = world.prefabricate([Position])
  const frozen = world.prefabricate([Position, Frozen])
  const x = new Float32Array(size)
  for (const archetype of [plain, frozen]) {
    world.registerSystem(
      createEntitySystem(
        () => {},
        (query) => query.prefabricated(archetype),
      ),
    )
  }
  world.initialize()
  const ids = []
  for (let i = 0; i < size; i++) {
    const id = world.createEntity(plain)
    x[id] = i
    ids.push(id)
  }
  const moveAll = (from, to) => {
    const { entities } = from
    for (let i = entities.length - 1; i >= 0; i--) world.transformEntity(entities[i], to)
  }
  return tagScene({
    tagged: () => frozen.entities.length,
    addToAll: () => moveAll(plain, frozen),
    removeFromAll: () => moveAll(frozen, plain),
    values: () => ids.map((id) => x[id]),
  })
}

export const tagWays = { tag: { transformEntity: tagByTransform } }
