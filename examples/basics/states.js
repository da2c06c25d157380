// Shows states: of each entity by tags that exclude each other, and of the whole game by a resource.

import { component, createSchedule, createWorld, f32, onAdd, resource, tag, u8 } from 'strata-ecs'

const Hungry = tag('Hungry')
const Eating = tag('Eating')
const Sleeping = tag('Sleeping')
const Energy = component('Energy', { value: f32 })

const world = createWorld()
const cat = world.spawn(Energy({ value: 1 }), Hungry)

/** Goes from one state to another in one move; a query for each state visits just those that are in it. */
function become(entity, from, to) {
  world.exchange(entity, [from], [to])
}

const hungry = world.query(Energy, Hungry)
const eating = world.query(Energy, Eating)
const asleep = world.query(Energy, Sleeping)
// Whoever wants to know is told: a state is a component like any other.
for (const state of [Hungry, Eating, Sleeping])
  onAdd(world, state, () => console.log(state.componentName.toLowerCase()))

// The game itself has a state, too: systems run in the one that they are for.
const TITLE = 0
const PLAYING = 1
const Scene = resource('Scene', { now: u8.default(TITLE) })
const whilePlaying = { runIf: (world) => world.resource(Scene).now === PLAYING }

const schedule = createSchedule(world)
  .add(function feel() {
    hungry.each((entity) => become(entity, Hungry, Eating))
  }, whilePlaying)
  .add(function eat(world, dt) {
    eating.each((entity, energy) => {
      energy.value += dt
      if (energy.value >= 3) become(entity, Eating, Sleeping)
    })
  }, whilePlaying)
  .add(function sleep(world, dt) {
    asleep.each((entity, energy) => {
      energy.value -= 2 * dt
      if (energy.value <= 0) become(entity, Sleeping, Hungry)
    })
  }, whilePlaying)

schedule.run(1) // nothing: this is the title
world.setResource(Scene, { now: PLAYING })
for (let second = 0; second < 4; second++) schedule.run(1)
// output: eating
// output: sleeping
// output: hungry
// output: eating
console.log(world.get(cat, Energy)) // { value: 0 }
