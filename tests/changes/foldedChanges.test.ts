// Shows that a change that folding keeps is never mistaken for another one, however many others were folded before it.

import { describe, expect, it } from 'vitest'
import {
  component,
  createCommands,
  onAdd,
  onRemove,
  onSet,
  createRemovalReader,
  onChange,
  tag,
  u8,
  type Commands,
  type Entity,
  type Tag,
  type World,
} from '../../bindings/index'
import { watchedWorld } from '../support/watched'

const ROUNDS = 100
const TAGS = Array.from({ length: 24 }, (_, k) => tag(`Unheard ${k}`))
const Health = component('Health', { hp: u8 })

/** One entity has it, so that a loop over it runs once. */
const Visited = tag('Visited')

const unheard = (k: number): Tag => TAGS[k % TAGS.length] as Tag

/** Ways in which two commands of one entity become one change. */
const WAYS: Record<string, (world: World, change: (to: Target) => void) => void> = {
  block: (world, change) => world.batch(() => change(world)),
  loop: (world, change) => world.query(Visited).each(() => change(world)),
  buffer: (world, change) => {
    const commands = createCommands(world)
    change(commands)
    commands.apply()
  },
}

type Target = World | Commands

describe('a folded change', () => {
  it.each(Object.keys(WAYS))('of a %s is reported, whatever unobserved changes came before it', (way) => {
    const apply = WAYS[way] as (typeof WAYS)[string]
    const world = watchedWorld()
    const other = world.spawn(Visited)
    const told = { added: 0, set: 0, removed: 0, results: 0 }
    onAdd(world, Health, () => told.added++)
    onSet(world, Health, () => told.set++)
    onRemove(world, Health, () => told.removed++)
    onChange(world.query(Health), () => told.results++)
    const lost = createRemovalReader(world, Health)
    let read = 0
    for (let k = 1; k <= ROUNDS; k++) {
      // Tags that nobody listens for come and go.
      apply(world, (target) => {
        target.remove(other, unheard(k))
        target.add(other, unheard(k * 7 + 3))
      })
      let entity: Entity | undefined
      apply(world, (target) => {
        entity = target.spawn(unheard(k * 5 + 1))
        target.add(entity, Health({ hp: 9 }))
      })
      apply(world, (target) => {
        target.remove(entity as Entity, Health)
        target.add(entity as Entity, unheard(k * 11 + 2))
      })
      read += lost.read().length
      expect({ round: k, ...told, read }).toEqual({
        round: k,
        added: k,
        set: k,
        removed: k,
        results: 2 * k,
        read: k,
      })
    }
  })

  it('of more components than are kept leaves the kept ones as they are', () => {
    const world = watchedWorld()
    const fold = (entity: Entity, components: readonly Tag[]) =>
      world.batch(() => components.forEach((each) => world.add(entity, each)))
    const pairs = TAGS.map((each, k) => [each, unheard(k + 1)])
    const long = TAGS.slice(0, 20)
    for (let round = 0; round < 3; round++) {
      for (const pair of pairs) {
        const [large, small, doomed] = [world.spawn(), world.spawn(), world.spawn()]
        fold(large, long)
        fold(small, pair)
        // A chain that comes to nothing takes back nothing of the one before.
        world.batch(() => {
          world.add(doomed, unheard(3))
          world.destroy(doomed)
        })
        const again = world.spawn()
        fold(again, pair)
        expect(TAGS.filter((each) => world.has(large, each))).toEqual(long)
        for (const entity of [small, again])
          expect(TAGS.filter((each) => world.has(entity, each)).sort(byNumber)).toEqual(pair.sort(byNumber))
      }
    }
  })
})

const byNumber = (a: Tag, b: Tag): number => TAGS.indexOf(a) - TAGS.indexOf(b)
