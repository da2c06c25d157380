// Owns the oecs side of the case `tag`: whole archetypes that a query finds. It must never keep ids for the change.
import { ECS } from '@oasys/oecs'
import { tagScene } from './scenes.js'

function tagByArchetype(size) {
  const world = new ECS({ initial_capacity: size })
  const Position = world.register_component({ x: 'f32' })
  const Frozen = world.register_tag()
  const [untagged, tagged] = [world.query(Position).not(Frozen), world.query(Frozen)]
  const ids = Array.from({ length: size }, (_, i) => {
    const id = world.create_entity()
    world.add_component(id, Position, { x: i })
    return id
  })
  return tagScene({
    tagged: () => tagged.count(),
    addToAll: () => untagged.for_each((archetype) => world.batch_add_component(archetype, Frozen)),
    removeFromAll: () => tagged.for_each((archetype) => world.batch_remove_component(archetype, Frozen)),
    values: () => ids.map((id) => world.get_field(id, Position, 'x')),
  })
}

export const tagWays = { tag: { 'batch by archetype': tagByArchetype } }
