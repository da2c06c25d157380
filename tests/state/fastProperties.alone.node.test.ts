// Shows that V8 keeps the objects that every call reads as fast objects, not as dictionaries, in which each property is searched
// for.

import { setFlagsFromString } from 'node:v8'
import { describe, expect, it } from 'vitest'
import {
  ComponentValue,
  bool,
  component,
  entity,
  f32,
  i32,
  object,
  relation,
  sparse,
  tag,
  text,
  toggle,
  vec,
} from '../../bindings/index'
import { testWorld } from '../support/world'

setFlagsFromString('--allow-natives-syntax')
const isFast = new Function('value', 'return %HasFastProperties(value)') as (value: unknown) => boolean

const components = {
  'a component': component('Position', { x: f32, y: f32, z: f32 }),
  'a sparse one': component('Health', { hp: i32 }, { storage: sparse, toggle }),
  'one with many fields': component('Many', { a: f32, b: bool, c: entity, d: text, e: vec(f32, 3) }),
  'a tag': tag('Frozen'),
  'an ordered tag': tag('Selected', { order: 'insertion' }),
  'an object component': object('Sprite'),
  'a relation': relation('ChildOf', { exclusive: true }),
  'a relation with many targets': relation('Likes', { weight: f32 }),
}

describe('a fast object of V8', () => {
  it('is distinguished from a dictionary', () => {
    const dictionary = Object.defineProperty(() => {}, 'name', { value: 'x' })
    expect(isFast(Object.assign(dictionary, { a: 1 }))).toBe(false)
  })

  it.each(Object.entries(components))('is %s, which has the name it was given', (_, declared) => {
    expect(isFast(declared)).toBe(true)
    expect((declared as unknown as { name: string }).name).toBe(declared.componentName)
  })

  it.each(['x', ' ', '__proto__', 'a.b', 'constructor', '数'])('is a component called %j', (name) => {
    const declared = component(name, { x: f32 })
    expect(isFast(declared)).toBe(true)
    expect((declared as unknown as { name: string }).name).toBe(name)
    expect(declared({ x: 1 })).toBeInstanceOf(ComponentValue)
  })

  it('is each part of a world', () => {
    const world = testWorld() as unknown as Record<string, object>
    const state = world['state'] as unknown as Record<string, object>
    for (const part of [world, state, state['heap'], state['bundles'], state['texts'], state['commands']])
      expect(isFast(part)).toBe(true)
  })
})
