// Shows which values of object components a schedule calls, and in which order, while they come and go.

import { describe, expect, it } from 'vitest'
import {
  component,
  createSchedule,
  f32,
  tag,
  type UpdatableComponent,
  type Entity,
  type Schedule,
  type World,
} from '../../bindings/index'
import { ObjectSystem, type UpdatedValues } from '../../bindings/schedule/objectSystem'
import { watchedWorld } from '../support/watched'

const Position = component('Position', { x: f32 })
const Mark = tag('Mark')

/** Values by entity, in the order they were given. */
class Values implements UpdatedValues {
  readonly map = new Map<Entity, unknown>()

  each(callback: (entity: Entity, value: unknown) => void): void {
    for (const [entity, value] of this.map) callback(entity, value)
  }

  valueOf(entity: Entity): unknown {
    return this.map.get(entity)
  }
}

interface Calls {
  readonly world: World
  readonly values: Values
  readonly entities: Entity[]
  readonly drive: ObjectSystem
  readonly schedule: Schedule
  readonly calls: string[]
  /** Gives an entity a value that notes its call, and then does something. */
  give(entity: Entity, name: string, then?: () => void): void
}

function driven(count: number, method = 'tick'): Calls {
  const world = watchedWorld()
  const values = new Values()
  const calls: string[] = []
  const entities = Array.from({ length: count }, () => world.spawn())
  const give = (entity: Entity, name: string, then = () => {}) => {
    const call = () => {
      calls.push(name)
      then()
    }
    values.map.set(entity, { [method]: call })
  }
  entities.forEach((entity, i) => give(entity, `${i}`))
  const drive = new ObjectSystem('Sprite.tick', values, method)
  return { world, values, entities, drive, schedule: createSchedule(world).add(drive), calls, give }
}

describe('the system of an object component', () => {
  it('calls the method of each value on it, with dt, entity and world', () => {
    const { world, values, schedule } = driven(0)
    const calls: unknown[] = []
    class Sprite {
      tick(...args: unknown[]) {
        calls.push([this, ...args])
      }
    }
    const [a, b] = [new Sprite(), new Sprite()]
    const [first, second] = [world.spawn(), world.spawn()]
    values.map.set(first, a).set(second, b)
    schedule.run(0.5)
    expect(calls).toEqual([
      [a, 0.5, first, world],
      [b, 0.5, second, world],
    ])
  })

  it.each([0, 1, 63, 64, 65])('calls all of %d values, every time', (count) => {
    const { schedule, calls } = driven(count)
    const expected = Array.from({ length: count }, (_, i) => `${i}`)
    schedule.run(0)
    schedule.run(0)
    expect(calls).toEqual([...expected, ...expected])
  })

  it('may call another method', () => {
    const { schedule, calls } = driven(2, 'update')
    schedule.run(0)
    expect(calls).toEqual(['0', '1'])
  })

  it('calls no value that was removed in the same pass, before or after the one that removes it', () => {
    const { values, entities, schedule, calls, give } = driven(4)
    give(entities[1], 'remover', () => {
      for (const i of [0, 1, 2]) values.map.delete(entities[i])
    })
    schedule.run(0)
    expect(calls.splice(0)).toEqual(['0', 'remover', '3'])
    schedule.run(0)
    expect(calls).toEqual(['3'])
  })

  it('calls a value that is added from the next pass on', () => {
    const { world, entities, schedule, calls, give } = driven(2)
    give(entities[0], 'giver', () => give(world.spawn(), 'new'))
    schedule.run(0)
    expect(calls.splice(0)).toEqual(['giver', '1'])
    schedule.run(0)
    expect(calls).toEqual(['giver', '1', 'new'])
  })

  it('calls neither the old nor the new value if one is replaced in the pass', () => {
    const { entities, schedule, calls, give } = driven(2)
    give(entities[0], 'replacer', () => {
      if (calls.length === 1) give(entities[1], 'new')
    })
    schedule.run(0)
    expect(calls).toEqual(['replacer'])
    schedule.run(0)
    expect(calls).toEqual(['replacer', 'replacer', 'new'])
  })

  it('does not lock the world: the next called value sees a change', () => {
    const { world, entities, schedule, calls, give } = driven(2)
    give(entities[0], 'adder', () => world.add(entities[1], Mark))
    give(entities[1], 'asker', () => calls.push(String(world.has(entities[1], Mark))))
    schedule.run(0)
    expect(calls).toEqual(['adder', 'asker', 'true'])
  })

  it('goes on in the next run if a value threw, and reports it under its own name', () => {
    const { entities, schedule, calls, give } = driven(3)
    let fail = true
    give(entities[1], 'thrower', () => {
      if (fail) throw new Error('boom')
    })
    expect(() => schedule.run(0)).toThrow(/'Sprite.tick'.*boom/)
    expect(calls.splice(0)).toEqual(['0', 'thrower'])
    fail = false
    schedule.run(0)
    expect(calls).toEqual(['0', 'thrower', '2'])
  })

  it.each([{}, null, 5, 'text', { tick: true }])('refuses a value without the method: %s', (value) => {
    const { values, entities, schedule } = driven(1)
    values.map.set(entities[0], value)
    expect(() => schedule.run(0)).toThrow(/no method 'tick'/)
  })

  it('refuses a method that is async', () => {
    const { values, entities, schedule } = driven(1)
    values.map.set(entities[0], { tick: async () => {} })
    expect(() => schedule.run(0)).toThrow(expect.objectContaining({ code: 'ASYNC_SYSTEM' }))
  })

  it('holds no value between passes', () => {
    const { drive, world } = driven(3)
    drive.run(world, 0)
    expect((drive as unknown as { values: unknown[] }).values).toEqual([undefined, undefined, undefined])
  })
})

describe('schedule.addObjects', () => {
  /** A component that says of itself that it is an object component; no entity has a value of it. */
  const fake = (name: string) =>
    Object.assign(tag(name), { kind: 'object' }) as unknown as UpdatableComponent<{ tick(): void }>

  it('uses the order given for each type, then the order of addition, next to the systems of the phase', () => {
    const schedule = createSchedule(watchedWorld())
    schedule.addObjects(fake('Late'), { order: 2 })
    schedule.addObjects(fake('A'))
    schedule.add(() => {}, { name: 'system', before: 'Early.tick' })
    schedule.addObjects(fake('B'))
    schedule.addObjects(fake('Early'), { order: -1 })
    schedule.addObjects(fake('Post'), { order: -5, phase: 'post', name: 'posted' })
    const expected = ['system', 'Early.tick', 'A.tick', 'B.tick', 'Late.tick', 'posted']
    expect(schedule.order()).toEqual(expected)
    schedule.run(0)
    expect(schedule.stats().systems.map(({ runs }) => runs)).toEqual([1, 1, 1, 1, 1, 1])
  })

  it('finds a cycle between the order and constraints on names', () => {
    const schedule = createSchedule(watchedWorld())
    schedule.addObjects(fake('A'), { order: 1 }).addObjects(fake('B'), { order: 2, before: 'A.tick' })
    expect(() => schedule.order()).toThrow(/A\.tick -> B\.tick -> A\.tick/)
  })

  it('writes its component, unless something else is declared', () => {
    const schedule = createSchedule(watchedWorld())
    const A = fake('A')
    schedule.addObjects(A).addObjects(A, { name: 'reader', reads: [A as never], writes: [] })
    expect(schedule.ambiguities()).toEqual([{ systems: ['A.tick', 'reader'], components: ['A'] }])
  })

  it('refuses an order that is not a number', () => {
    const schedule = createSchedule(watchedWorld())
    for (const order of [NaN, 'first']) {
      expect(() => schedule.addObjects(fake('A'), { order: order as never })).toThrow(
        /order must be a number/,
      )
    }
  })

  it.each([
    ['a component', Position, 'Position'],
    ['a tag', Mark, 'Mark'],
    ['anything else', 'Sprite', "'Sprite'"],
  ])('refuses %s', (_, wrong, named) => {
    const schedule = createSchedule(watchedWorld())
    expect(() => schedule.addObjects(wrong as never)).toThrow(
      expect.objectContaining({ code: 'NOT_A_COMPONENT', message: expect.stringContaining(named) }),
    )
    expect(schedule.order()).toEqual([])
  })
})
