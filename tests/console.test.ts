// Owns what a person sees who prints something of ours in Node. It must never test what is behind it.

import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { bool, component, f32 } from '../bindings/index'
import { testWorld } from './support/world'

it('a cursor shows the values of its row', () => {
  const Named = component('Named', { x: f32, on: bool })
  const world = testWorld()
  const cursor = world.accessor(Named).of(world.spawn(Named({ x: 2, on: true })))
  expect(inspect(cursor)).toBe('{ x: 2, on: true }')
})
