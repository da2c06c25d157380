// Owns: what the address of examples/swarm says behind its #: there and back, short, and never more than is allowed.

import { expect, it } from 'vitest'
import { readAddress, SPEEDS, writeAddress } from '../../examples/swarm/src/panel/address.ts'
import { MOST_PREY } from '../../examples/swarm/src/simulation/settings.ts'

const usual = { prey: 100_000, loops: false, speed: 1, paused: false, tap: 'pick', seed: 1 } as const

it('says nothing where all is as usual, and reads nothing so', () => {
  expect(writeAddress(usual, usual)).toBe('')
  expect(readAddress('', usual)).toEqual(usual)
  expect(readAddress('#', usual)).toEqual(usual)
})

it('says what differs, as short as it can be', () => {
  expect(writeAddress({ ...usual, prey: 200_000, loops: true }, usual)).toBe('#prey=200000&loops')
  expect(writeAddress({ ...usual, speed: 0.25, paused: true }, usual)).toBe('#speed=0.25&paused')
  expect(writeAddress({ ...usual, tap: 'fire', seed: 7 }, usual)).toBe('#fire&seed=7')
})

it('reads whatever it writes', () => {
  for (const prey of [0, 1_234, MOST_PREY])
    for (const speed of SPEEDS)
      for (const flag of [false, true]) {
        const tap = flag ? 'fire' : 'pick'
        const shared = { prey, speed, loops: flag, paused: !flag, tap, seed: 4_294_967_295 } as const
        expect(readAddress(writeAddress(shared, usual), usual)).toEqual(shared)
      }
})

it.each([
  'prey=-5',
  'prey=many',
  'prey=1e5',
  'prey=',
  'speed=3',
  'speed=fast',
  'seed=0.5',
  'seed=-1',
  'else=1',
  '%',
])('leaves out what cannot be: %s', (said) => {
  expect(readAddress(`#${said}`, usual)).toEqual(usual)
})

it('moves what is too much into its range', () => {
  expect(readAddress('#prey=9999999999&seed=9999999999', usual)).toMatchObject({
    prey: MOST_PREY,
    seed: 0xffffffff,
  })
})
