// Shows who is told of what: components that come and go, entities that enter and leave a query, and readers of removals.

import {
  component,
  createWorld,
  object,
  onAdd,
  onEnter,
  onExit,
  onRemove,
  createRemovalReader,
  tag,
  u16,
} from 'strata-ecs'

const Health = component('Health', { hp: u16 })
const Poisoned = tag('Poisoned')

// A value of JavaScript on an entity. `dispose` is called when it goes, whatever the reason.
const Sound = object('Sound', { dispose: (sound) => console.log(`${sound.name} stops`) })

const world = createWorld()
const stop = onAdd(world, Health, (entity) => console.log('born with', world.get(entity, Health).hp))
// A listener of a removal is called before it is made: what goes can still be read.
onRemove(world, Health, (entity) => console.log('gone with', world.get(entity, Health).hp))

const ill = world.query(Health, Poisoned)
onEnter(ill, () => console.log('falls ill'))
onExit(ill, () => console.log('is well, or dead'))

const hero = world.spawn(Health({ hp: 9 }), Sound({ name: 'the hum' }))
// output: born with 9
world.add(hero, Poisoned)
// output: falls ill
world.remove(hero, Poisoned)
// output: is well, or dead

// Subscriptions end by the function that they return.
stop()
world.spawn(Health({ hp: 1 }))

// Changes of a block are made at its end, and what is undone within it is told to nobody.
world.batch(() => {
  world.add(hero, Poisoned)
  world.remove(hero, Poisoned)
})

// A reader is asked instead of called: it keeps what was removed until somebody takes it.
const lost = createRemovalReader(world, Health)
world.destroy(hero)
// output: gone with 9
// output: the hum stops
for (const { entity, died } of lost.read()) console.log(entity === hero, died) // true true
