// Shows what command buffers and listeners see of a restore: no event of a single entity.

import { describe, expect, it } from 'vitest'
import {
  createCommands,
  onAdd,
  onEnter,
  onExit,
  onRemove,
  onRestore,
  onSet,
  resetWorld,
  restoreWorld,
  snapshotWorld,
  spawnMany,
  onChange,
} from '../../bindings/index'
import { checkInvariants } from '../support/invariants'
import { Name, Position, Red } from '../support/kinds'
import { restoreChecked } from '../support/restoring'
import { testWorld } from '../support/world'

describe('buffers and listeners', () => {
  it('A buffer that was recorded before a restore is stale, until it is cleared', () => {
    const world = testWorld()
    const e = world.spawn(Position)
    const commands = createCommands(world)
    const before = snapshotWorld(world)
    const reserved = commands.spawn(Position)
    commands.destroy(e)
    restoreChecked(world, before)
    const other = world.spawn(Red)
    expect(other).toBe(reserved)
    for (const use of [
      () => commands.apply(),
      () => commands.destroy(e),
      () => commands.add(e, Red),
      () => commands.spawn(),
      () => commands.set(e, Position, { x: 1 }),
    ]) {
      expect(use).toThrow(expect.objectContaining({ code: 'STALE_COMMANDS' }))
    }
    expect(commands.size).toBe(2)
    expect([world.isAlive(e), world.isAlive(other)]).toEqual([true, true])
    commands.clear()
    expect([commands.size, world.isAlive(other)]).toEqual([0, true])
    commands.destroy(other)
    commands.apply()
    expect(world.isAlive(other)).toBe(false)
  })

  it('An empty buffer goes on, and a reset still empties one', () => {
    const world = testWorld()
    const commands = createCommands(world)
    restoreWorld(world, snapshotWorld(world))
    commands.spawn(Red)
    commands.apply()
    expect(world.query(Red).count).toBe(1)
    commands.spawn(Red)
    resetWorld(world)
    expect(commands.size).toBe(0)
    commands.apply()
    expect(world.query(Red).count).toBe(0)
  })

  it('Listeners of entities are not called, whatever appeared and disappeared', () => {
    const world = testWorld()
    const told: string[] = []
    onAdd(world, Position, () => void told.push('add'))
    onRemove(world, Position, () => void told.push('remove'))
    onSet(world, Position, () => void told.push('set'))
    onEnter(world.query(Position, Red), () => void told.push('enter'))
    onExit(world.query(Position, Red), () => void told.push('exit'))
    const e = world.spawn(Position, Red)
    const before = snapshotWorld(world)
    world.destroy(e)
    spawnMany(world, 3, [Position, Red])
    told.length = 0
    restoreChecked(world, before)
    expect(told).toEqual([])
    // They listen still, and to the entities of now.
    world.set(e, Position, { x: 1 })
    world.remove(e, Red)
    expect(told).toEqual(['set', 'exit'])
  })

  it('onRestore listeners are called once everything is done, in the order of subscription, until they unsubscribe', () => {
    const world = testWorld()
    const told: string[] = []
    const e = world.spawn(Position({ x: 1 }), Name({ value: 'e' }))
    const before = snapshotWorld(world)
    const stop = onRestore(world, (told_) => {
      told.push(`first ${told_.get(e, Position)?.x} ${told_.query(Position).count}`)
    })
    onRestore(world, () => void told.push('second'))
    world.set(e, Position, { x: 2 })
    restoreChecked(world, before)
    expect(told).toEqual(['first 1 1', 'second'])
    stop()
    stop()
    restoreChecked(world, before)
    expect(told).toEqual(['first 1 1', 'second', 'second'])
    expect(() => onRestore(world, 3 as never)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
  })

  it('A listener subscribed in an onRestore listener is called from the next restore on', () => {
    const world = testWorld()
    const before = snapshotWorld(world)
    let calls = 0
    let stop = () => {}
    const again = () => {
      stop()
      if (++calls < 100) stop = onRestore(world, again)
    }
    stop = onRestore(world, again)
    restoreChecked(world, before)
    expect(calls).toBe(1)
    restoreChecked(world, before)
    expect(calls).toBe(2)
  })

  it('Changes made by a listener of onRestore are applied afterwards, and its error is thrown at the end', () => {
    const world = testWorld()
    const before = snapshotWorld(world)
    onRestore(world, () => {
      throw new Error('renderer')
    })
    onRestore(world, (inside) => void inside.spawn(Red))
    expect(() => restoreWorld(world, before)).toThrow('renderer')
    expect(world.query(Red).count).toBe(1)
    checkInvariants(world)
  })

  it('Subscribers of queries are called once', () => {
    const world = testWorld()
    let told = 0
    const ships = world.query(Position)
    onChange(ships, () => void told++)
    const before = snapshotWorld(world)
    const { version } = ships
    world.spawn(Position)
    world.spawn(Position)
    expect(told).toBe(2)
    restoreChecked(world, before)
    expect(told).toBe(3)
    expect(ships.version).not.toBe(version)
    world.spawn(Red)
    expect(told).toBe(3)
  })
})
