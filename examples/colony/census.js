// Owns who is told of what: head counts of nests, the causes of deaths and the sentences of the chronicle follow events.
// It must never count by looping; a count that is right after every change needs no system of its own.

import { Bitten, Body, Famine, Forager, Larva, Load, Name, Nest, Nurse } from './components.js'
import { Chronicle, Time, Totals } from './resources.js'

export function keepCensus(world) {
  // Resources cannot be made in a listener, where the world is locked: they are made here.
  const totals = world.resource(Totals)
  const time = world.resource(Time)
  const { events } = world.resource(Chronicle)

  const bodies = world.accessor(Body)
  const larvae = world.accessor(Larva)
  const loads = world.accessor(Load)
  const nests = world.accessor(Nest)

  world.onAdd(Nurse, (ant) => nests.of(bodies.of(ant).nest).nurses++)
  world.onRemove(Nurse, (ant) => nests.of(bodies.of(ant).nest).nurses--)
  world.onAdd(Forager, (ant) => nests.of(bodies.of(ant).nest).foragers++)
  world.onRemove(Forager, (ant) => nests.of(bodies.of(ant).nest).foragers--)
  world.onAdd(Larva, (larva) => nests.of(larvae.of(larva).nest).larvae++)
  world.onRemove(Larva, (larva) => nests.of(larvae.of(larva).nest).larvae--)

  // An ant loses its body when it dies, and only then. Its values can still be read.
  world.onRemove(Body, (ant) => {
    if (world.has(ant, Load)) totals.lost += loads.of(ant).food
    if (bodies.of(ant).energy > 0) totals.aged++
    else if (world.has(ant, Bitten)) totals.bitten++
    else totals.starved++
  })

  const starving = world.query(Nest, Famine)
  world.onEnter(starving, (nest) => events.push(`Day ${time.day}: famine at ${nameOf(nest)}.`))
  world.onExit(starving, (nest) => events.push(`Day ${time.day}: the famine at ${nameOf(nest)} is over.`))

  function nameOf(entity) {
    return world.get(entity, Name).value
  }
}
