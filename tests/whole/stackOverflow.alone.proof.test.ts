// Shows that an endless recursion, caught outside, closes every loop, block and report on its way out, so that the world is not
// left locked.

import { describe, expect, it } from 'vitest'
import {
  clearWorld,
  component,
  destroyMany,
  f32,
  createGroup,
  onSet,
  resetWorld,
  sparse,
  tag,
  type World,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { proofLength } from '../support/proofs'
import { testWorld } from '../support/world'

const Position = component('Position', { x: f32 })
const Left = component('Left', { x: f32 }, { storage: sparse })
const Right = component('Right', { x: f32 }, { storage: sparse })
const Marked = tag('Marked')

/** Recursions: each calls itself inside of what would stay open. */
const RECURSIONS: Record<string, (world: World) => () => void> = {
  each: (world) => {
    const query = world.query(Position)
    const again = (): void => query.each(again)
    return again
  },
  'each over a group': (world) => {
    const query = createGroup(world, Left, Right)
    const again = (): void => query.each(again)
    return again
  },
  'each over a condition': (world) => {
    const query = world.query(Position).where(Position, 'x', '<', 9)
    const again = (): void => query.each(again)
    return again
  },
  'a loop over chunks': (world) => {
    const query = world.query(Position)
    const again = () => {
      for (const _ of query) again()
    }
    return again
  },
  'a loop over a page': (world) => {
    const query = world.query(Position).slice(0, 5)
    const again = () => {
      for (const _ of query) again()
    }
    return again
  },
  'a loop over a group': (world) => {
    const query = createGroup(world, Left, Right)
    const again = () => {
      for (const _ of query) again()
    }
    return again
  },
  'a loop that spawns': (world) => {
    const query = world.query(Position)
    let steps = 0
    const again = () => {
      for (const _ of query) {
        if (steps++ % 50 === 0) world.spawn(Marked)
        again()
      }
    }
    return again
  },
  defer: (world) => {
    const again = (): void => world.batch(again)
    return again
  },
  count: (world) => {
    const query = world.query(Position).where(Position, 'x', '<', 9)
    const again = (): void => (query.count >= 0 ? again() : undefined)
    return again
  },
  'reading a list of handles': (world) => {
    const again = (): void => {
      const list = [0]
      Object.defineProperty(list, 0, { get: () => again() })
      world.batch(() => destroyMany(world, list))
    }
    return again
  },
  'reading values': (world) => {
    const entity = world.query(Position).first() ?? world.spawn(Position)
    const again = (): number => {
      world.set(entity, Position, {
        get x() {
          return again()
        },
      })
      return 1
    }
    return again
  },
  'a listener that loops': (world) => {
    const entity = world.query(Position).first() ?? world.spawn(Position)
    const query = world.query(Position)
    onSet(world, Position, () => query.each(() => {}))
    const again = (): void => {
      world.set(entity, Position, { x: 1 })
      again()
    }
    return again
  },
}

/** Starts so many calls further down the stack. */
function deeper(calls: number, action: () => void): void {
  if (calls === 0) action()
  else deeper(calls - 1, action)
}

/** From how many depths of the stack each recursion starts, so that it ends at another place in our code each time. */
const STARTS = proofLength(24)

describe('a recursion without end', () => {
  it.each(Object.keys(RECURSIONS))('in %s leaves no lock behind', (name) => {
    for (let padding = 0; padding < STARTS; padding++) {
      const world = testWorld()
      world.spawn(Position, Left, Right)
      const before = world.stats().entities
      const recursion = RECURSIONS[name]?.(world) as () => void
      expect(() => deeper(padding * 3, recursion)).toThrow(RangeError)
      // What was queued on the way is done by the end of the next loop at the latest.
      world.batch(() => {})
      const entity = world.spawn(Position)
      expect(world.has(entity, Position)).toBe(true)
      expect(world.query(Position).count).toBe(2)
      expect(world.stats().entities).toBeGreaterThan(before)
      checkInvariants(world)
      resetWorld(world)
      world.dispose()
    }
  })

  it('is not confused with another error of a block: an iterator taken by hand stays open', () => {
    const world = testWorld()
    world.spawn(Position)
    const iterator = world.query(Position)[Symbol.iterator]()
    const fail = () => {
      iterator.next()
      throw new Error('no')
    }
    expect(() => world.batch(fail)).toThrow('no')
    expect(() => clearWorld(world)).not.toThrow()
    expect(world.query().count).toBe(1)
    iterator.return?.()
    expect(world.query().count).toBe(0)
  })

  it('in a block leaves open what was taken by hand inside, and nothing else', () => {
    const world = testWorld()
    world.spawn(Position)
    const query = world.query(Position)
    let left: Iterator<unknown> | undefined
    const again = (): void => world.batch(again)
    const takeAndFail = () => {
      left = query[Symbol.iterator]()
      again()
    }
    expect(() => world.batch(takeAndFail)).toThrow(RangeError)
    expect(() => resetWorld(world)).toThrow(expect.objectContaining({ code: 'WORLD_LOCKED' }))
    left?.return?.()
    expect(world.has(world.spawn(Marked), Marked)).toBe(true)
    expect([...query].length).toBe(1)
  })

  it('is not looked for in an error: a block rethrows what was thrown, even a hostile object', () => {
    const world = testWorld()
    const trap = () => {
      throw new Error('trap')
    }
    const hostile: unknown = new Proxy({}, { get: trap, getPrototypeOf: trap })
    let caught: unknown
    try {
      world.batch(() => {
        throw hostile
      })
    } catch (error) {
      caught = error
    }
    expect(Object.is(caught, hostile)).toBe(true)
    expect(world.has(world.spawn(Marked), Marked)).toBe(true)
  })
})
