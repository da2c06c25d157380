// Ten thousand ticks of a world in which everything happens that changes linear memory, without a clock, Math.random or a
// function that engines round differently: the bytes at the end are the same in every engine.
import { changed, component, createKernel, createSchedule, createWorld, destroyMany, entity, f32, not, removeMany, resource, sparse, spawnMany, stable, sweepReferences, sweepTexts, tag, text, toggle, u16, u32 } from 'strata-ecs' // prettier-ignore
import { random } from 'strata-ecs/kernel'
import { drift, weigh } from './drift.kernel.ts'

const Position = component('Position', { x: f32, y: f32 })
const Speed = component('Speed', { value: f32 })
const Age = component('Age', { ticks: u16 })
const Parent = component('Parent', { of: entity }, { storage: sparse })
const Heat = component('Heat', { degrees: f32 }, { toggle })
const Slot = component('Slot', { visits: u32 }, { storage: stable })
const Name = component('Name', { value: text })
const Frozen = tag('Frozen')
const Wind = resource('Wind', { angle: f32, gusts: u32 })

const POPULATION = 3_000

/** Runs the ticks and gives what is left: how many, and a checksum of all linear memory. */
export function runScenario(ticks, seed) {
  const world = createWorld({ memory: { initial: 8 * 2 ** 20 } })
  const moving = world.query(Position, Speed, not(Frozen))
  const everyone = world.query(Position)
  const old = world.query(Age).where(Age, 'ticks', '>', 600)
  const frozen = world.query(Frozen)
  const hot = world.query(Heat, Position)
  const moved = world.query(changed(Position), Slot)
  const step = createKernel(world, drift, { x: [Position, 'x'], y: [Position, 'y'], speed: [Speed, 'value'] })
  const weight = createKernel(world, weigh, { x: [Position, 'x'] })
  let tick = 0
  let draws = 0
  /** A whole number below `limit`. */
  const draw = (limit) => random(seed, draws++) % limit
  world.resource(Wind)

  function blow() {
    const wind = world.resource(Wind)
    wind.angle += 0.015625
    if (draw(10) === 0) wind.gusts++
    moving.run(step, { wind: wind.angle })
  }

  function bear() {
    for (let count = draw(12); count > 0 && everyone.count < POPULATION; count--) {
      const place = { x: draw(100), y: draw(100) }
      const child = world.spawn(Position(place), Speed({ value: draw(8) / 8 }), Age)
      const kind = draw(6)
      if (kind === 0) world.add(child, Heat({ degrees: draw(50) }))
      if (kind === 1) world.add(child, Slot, Name({ value: `child ${draw(40)}` }))
      if (kind === 2) world.add(child, Parent({ of: everyone.at(draw(everyone.count)) }))
    }
    if (tick % 50 === 0) spawnMany(world, draw(60), [Position, Speed({ value: 0.5 }), Age])
  }

  function grow() {
    for (const chunk of world.query(Age)) {
      const { ticks } = chunk.write(Age)
      for (let i = chunk.start; i < chunk.end; i++) {
        ticks[i]++
        if (random(seed + 1, chunk.entities[i] + tick) % 900 === 0) world.destroy(chunk.entities[i])
      }
    }
    destroyMany(old)
  }

  function freeze() {
    const victim = everyone.count > 0 ? everyone.at(draw(everyone.count)) : undefined
    if (victim !== undefined) world.add(victim, Frozen)
    if (tick % 40 === 0) removeMany(frozen, Frozen)
    hot.each((who, heat) => {
      heat.degrees -= 0.25
      if (heat.degrees < 0) world.disable(who, Heat)
    })
    moved.each((who, position, slot) => {
      slot.visits += 1
    })
    if (tick % 1_000 === 0) {
      sweepReferences(world)
      sweepTexts(world)
    }
  }

  const schedule = createSchedule(world).add(blow).add(bear).add(grow).add(freeze)
  for (; tick < ticks; tick++) schedule.run(1)
  const { entities, archetypes } = world.stats()
  return { entities, archetypes, weight: everyone.run(weight), checksum: checksumOf(everyone) }
}

/** FNV-1a over the words of all linear memory. */
function checksumOf(query) {
  let hash = 0x811c9dc5
  for (const chunk of query) {
    const words = chunk.heap.u32
    for (let i = 0; i < words.length; i++) hash = Math.imul(hash ^ words[i], 0x01000193)
    break
  }
  return hash >>> 0
}
