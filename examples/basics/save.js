// Shows a save that a later version of the program loads, although a component has changed meanwhile.

import { component, createWorld, entity, loadWorld, mergeWorld, saveWorld, text, u16 } from 'strata-ecs'

/** The game as it was when the file was written. */
function oldGame() {
  const Name = component('Name', { text })
  const Health = component('Health', { points: u16 })
  const Target = component('Target', { who: entity })
  const world = createWorld()
  const wolf = world.spawn(Name({ text: 'wolf' }), Health({ points: 30 }))
  world.spawn(Name({ text: 'hunter' }), Health({ points: 80 }), Target({ who: wolf }))
  return saveWorld(world) // a Uint8Array: for a file, IndexedDB or a server
}

/** The game today: other fields, one more component. */
const Name = component('Name', { text, title: text.default('the nameless') })
const Target = component('Target', { who: entity })
const Health = component(
  'Health',
  { hp: u16, max: u16 },
  { version: 2, migrate: { 1: (old) => ({ hp: old.points, max: 100 }) } },
)

const bytes = oldGame()
const { world, unknown } = loadWorld(bytes, { components: [Name, Target, Health] })
console.log(world.stats().entities, unknown) // 2 []

const hunter = world.query(Target).single()
console.log(world.get(hunter, Name)) // { text: 'hunter', title: 'the nameless' }
console.log(world.get(hunter, Health)) // { hp: 80, max: 100 }

// Entities have new handles, and fields of type `entity` follow them.
const wolf = world.get(hunter, Target).who
console.log(world.get(wolf, Name).text) // wolf

// A file can also be added to a world that runs: a level, a party, a prefab.
mergeWorld(world, bytes)
console.log(world.stats().entities) // 4
