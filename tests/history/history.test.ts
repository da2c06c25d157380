// Shows which frames a history holds, which it has dropped, and what a rewind gives.

import { describe, expect, it } from 'vitest'
import {
  component,
  createHistory,
  createSchedule,
  digestWorld,
  f32,
  onRestore,
  resource,
  snapshotWorld,
  spawnMany,
} from '../../bindings/index'
import { testWorld } from '../support/world'

const Position = component('Position', { x: f32 })

/** A world of one entity, whose x is the number of the frame. */
function counted(frames: number) {
  const world = testWorld()
  const e = world.spawn(Position)
  const history = createHistory(world, { frames })
  const x = () => world.get(e, Position)?.x
  return {
    world,
    history,
    x,
    save(times = 1) {
      for (let i = 0; i < times; i++) {
        world.set(e, Position, { x: history.frame + 1 })
        history.save()
      }
    },
  }
}

describe('a history', () => {
  it('Before the first save there is no frame', () => {
    const { history } = counted(3)
    expect([history.frame, history.oldest, history.rewind(0)]).toEqual([-1, -1, false])
  })

  it.each([1, 2, 3, 9])('With room for %s, it goes back to each of its frames and to no other', (frames) => {
    const { history, save, x } = counted(frames)
    for (let frame = 0; frame < 3 * frames; frame++) {
      save()
      const oldest = Math.max(0, frame - frames + 1)
      expect([history.frame, history.oldest]).toEqual([frame, oldest])
      expect(history.rewind(frame - oldest + 1)).toBe(false)
      expect(x()).toBe(frame)
    }
    for (let back = 0; back < frames; back++) {
      expect(history.rewind(back)).toBe(true)
      expect(x()).toBe(history.frame)
      save(back)
    }
    expect(history.frame).toBe(3 * frames - 1)
  })

  it('goTo moves back and forward among all frames, and the next save forgets the later ones', () => {
    const { history, save, x } = counted(5)
    save(8)
    for (const frame of [3, 7, 5, 6, 4]) {
      expect(history.goTo(frame)).toBe(true)
      expect([x(), history.frame, history.oldest, history.newest]).toEqual([frame, frame, 3, 7])
    }
    for (const frame of [2, 8, -1, 4.5, NaN]) expect(history.goTo(frame)).toBe(false)
    expect([x(), history.frame]).toEqual([4, 4])
    save()
    expect([history.frame, history.oldest, history.newest]).toEqual([5, 3, 5])
    expect(history.goTo(6)).toBe(false)
    save(3)
    expect([history.oldest, history.newest]).toEqual([4, 8])
  })

  it('cut and rewind forget the frames that goTo left, and change no value', () => {
    const { world, history, save, x } = counted(5)
    save(5)
    history.goTo(3)
    history.cut()
    expect([x(), history.frame, history.newest, history.goTo(4)]).toEqual([3, 3, 3, false])
    history.goTo(2)
    expect(history.rewind(1)).toBe(true)
    expect([x(), history.newest, history.goTo(2)]).toEqual([1, 1, false])
    world.dispose()
  })

  it('After a rewind the later frames are forgotten, the earlier ones are not', () => {
    const { history, save, x } = counted(5)
    save(8)
    expect(history.rewind(3)).toBe(true)
    expect([x(), history.frame, history.oldest]).toEqual([4, 4, 3])
    expect(history.rewind(2)).toBe(false)
    expect(history.rewind(1)).toBe(true)
    expect([x(), history.frame]).toEqual([3, 3])
    save(2)
    expect([history.frame, history.oldest]).toEqual([5, 3])
    expect(history.rewind(2)).toBe(true)
    expect(x()).toBe(3)
  })

  it('A frame has the name that it was saved with, until another frame takes its place', () => {
    const { history } = counted(3)
    const names = () => [-1, 0, 1, 2, 3, 4, 5, 0.5, NaN].map((frame) => history.nameOf(frame))
    expect(names().every((name) => name === undefined)).toBe(true)
    history.save()
    history.save('Paint')
    history.save('Fill')
    expect(names().slice(0, 5)).toEqual([undefined, undefined, 'Paint', 'Fill', undefined])
    history.save()
    history.save('Erase')
    const last = ['Fill', undefined, 'Erase']
    expect(names()).toEqual([undefined, undefined, undefined, ...last, undefined, undefined, undefined])
  })

  it('Names disappear and return with their frames', () => {
    const { history } = counted(4)
    for (const name of ['New', 'Paint', 'Fill', 'Erase']) history.save(name)
    history.goTo(1)
    expect([history.nameOf(history.frame), history.nameOf(history.frame + 1)]).toEqual(['Paint', 'Fill'])
    history.save()
    expect([history.nameOf(1), history.nameOf(2), history.nameOf(3)]).toEqual(['Paint', undefined, undefined])
    history.rewind(1)
    expect([history.nameOf(1), history.nameOf(2)]).toEqual(['Paint', undefined])
  })

  it('byteLength is what the frames take, and stays constant when the ring is full', () => {
    const { world, history, save } = counted(3)
    expect(history.byteLength).toBe(0)
    const { byteLength } = snapshotWorld(world)
    save()
    expect(history.byteLength).toBe(byteLength)
    save(7)
    expect(history.byteLength).toBe(3 * byteLength)
    history.rewind(2)
    expect(history.byteLength).toBe(3 * byteLength)
    spawnMany(world, 100_000, [Position])
    save()
    expect(history.byteLength).toBe(2 * byteLength + snapshotWorld(world).byteLength)
  })

  it('A rewind by 0 undoes what happened since the last save', () => {
    const { world, history, save, x } = counted(2)
    save()
    world.query(Position).each((_, position) => void (position.x = 99))
    expect(history.rewind(0)).toBe(true)
    expect(x()).toBe(0)
  })

  it('The program of a rollback game has the same result as with the right inputs from the start', () => {
    const inputs = Array.from({ length: 60 }, (_, i) => Math.sin(i * 7))
    const simulate = (world: ReturnType<typeof testWorld>) => {
      let input = 0
      const schedule = createSchedule(world, { timing: false }).phase('physics', {
        after: 'pre',
        fixedStep: 1 / 50,
      })
      schedule.add((_, dt) => world.query(Position).each((__, p) => void (p.x += input * dt)), {
        phase: 'physics',
      })
      return (value: number) => {
        input = value
        schedule.run(1 / 60)
      }
    }
    const straight = testWorld()
    straight.spawn(Position)
    const run = simulate(straight)
    for (const input of inputs) run(input)

    const world = testWorld()
    world.spawn(Position)
    const step = simulate(world)
    const history = createHistory(world, { frames: 9 })
    history.save()
    for (let frame = 0; frame < inputs.length; frame++) {
      // The input of this frame is not known yet; those of the last five were guessed wrong.
      step(0)
      history.save()
      if (frame % 5 !== 4) continue
      history.rewind(5)
      for (let again = frame - 4; again <= frame; again++) {
        step(inputs[again] as number)
        history.save()
      }
    }
    expect(history.frame).toBe(inputs.length)
    expect(digestWorld(world)).toBe(digestWorld(straight))
  })

  it('Inside a loop neither a save nor a rewind changes the history', () => {
    const { world, history, save } = counted(3)
    save(2)
    world.batch(() => {
      expect(() => history.save()).toThrow(expect.objectContaining({ code: 'WORLD_LOCKED' }))
      expect(() => history.rewind(1)).toThrow(expect.objectContaining({ code: 'WORLD_LOCKED' }))
    })
    expect(history.frame).toBe(1)
    expect(history.rewind(1)).toBe(true)
  })

  it.each([1, 3])('A save that fails loses no frame, in a ring of %i', (frames) => {
    const world = testWorld()
    let fails = false
    const Value = resource<{ n: number }>('Value', {
      save: ({ n }) => {
        if (fails) throw new RangeError('not now')
        return n
      },
      load: (n: number) => ({ n }),
    })
    const history = createHistory(world, { frames })
    for (let n = 0; n < 4; n++) {
      world.setResource(Value, { n })
      history.save()
    }
    const oldest = 4 - frames
    expect([history.oldest, history.frame]).toEqual([oldest, 3])
    fails = true
    expect(() => history.save('Lost')).toThrow('not now')
    expect(history.nameOf(oldest)).toBeUndefined()
    expect([history.oldest, history.frame]).toEqual([oldest, 3])
    fails = false
    expect(history.rewind(frames - 1)).toBe(true)
    expect(world.getResource(Value)).toEqual({ n: oldest })
    expect(history.rewind(1)).toBe(false)
  })

  it('A rewind whose listener throws has still gone back', () => {
    const { world, history, save, x } = counted(3)
    save(3)
    const stop = onRestore(world, () => {
      throw new Error('renderer')
    })
    expect(() => history.rewind(1)).toThrow('renderer')
    expect([history.frame, x()]).toEqual([1, 1])
    stop()
    expect(history.rewind(1)).toBe(true)
  })

  it('It prints its frames', () => {
    const { history, save } = counted(2)
    save(5)
    expect(String(history)).toBe('History(frames 3 to 4)')
  })

  it('Wrong arguments are refused', () => {
    const world = testWorld()
    const refused = expect.objectContaining({ code: 'INVALID_OPTION' })
    for (const frames of [0, -1, 1.5, NaN, '9', undefined, null])
      expect(() => createHistory(world, { frames: frames as never })).toThrow(refused)
    expect(() => createHistory(world, undefined as never)).toThrow(refused)
    expect(() => createHistory(world, { frames: 2, more: 1 } as never)).toThrow(refused)
    expect(() => createHistory({} as never, { frames: 2 })).toThrow(refused)
    const history = createHistory(world, { frames: 2 })
    history.save()
    for (const frames of [-1, 0.5, NaN, '0', undefined])
      expect(() => history.rewind(frames as never)).toThrow(refused)
    for (const name of ['', 3, null, {}, Symbol('s')])
      expect(() => history.save(name as never)).toThrow(refused)
    expect(() => history.save(3 as never)).toThrow(
      "history.save: the name must be a text that is not empty, such as history.save('Paint'), not 3.",
    )
    expect([history.frame, history.nameOf(0)]).toEqual([0, undefined])
    expect(() => new (history.constructor as new (...given: unknown[]) => unknown)(world, 2)).toThrow(refused)
  })
})
