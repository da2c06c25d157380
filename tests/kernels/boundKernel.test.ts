// Shows that createKernel refuses a wrong or missing column or resource before anything changes, with the parameter's name, what
// was expected and what was given.

import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import {
  type Kernel,
  type StrataTypeError,
  bool,
  component,
  createKernel,
  entity,
  f32,
  object,
  resource,
  tag,
  u32,
  u8,
  vec,
} from '../../bindings/index'
import { kernelsOf } from '../support/kernels'
import { STORAGES, STORED } from '../support/storages'
import { testWorld } from '../support/world'

const { move, turn, link, blur, mix } = await kernelsOf(
  `
export function move(rows: Rows, px: Column<f32>, handles: Entities, dt: f32): void {
  for (let i = rows.start; i < rows.end; i++) px[i] += dt * <f32>handles[i]
}
export function turn(rows: Rows, p: Vec3Column<f32>): void {
  for (let i = rows.start; i < rows.end; i++) p[i][0] += 1
}
export function link(rows: Rows, who: Column<Entity>, flags: Column<u8>, on: Column<bool>): void {
  for (let i = rows.start; i < rows.end; i++) {
    who[i] = 0
    flags[i] = 1
    on[i] = true
  }
}
export function blur(cells: Resource<f32>, time: ReadonlyResource<f32>, share: f32): void {
  cells[0] += time[0] * share
}
export function mix(rows: Rows, px: Column<f32>, who: ReadonlyResource<Entity>): void {
  for (let i = rows.start; i < rows.end; i++) px[i] += <f32>who[0]
}`,
  'a.kernel.ts',
)

const Position = component('Position', { x: f32, n: u32 })
const Bone = component('Bone', { p: vec(f32, 3), q: vec(f32, 4), r: vec(f32, 1) })
const Link = component('Link', { who: entity, n: u32, flags: u8, on: bool })
const Mark = tag('Mark')
const Sprite = object<object>('Sprite')
const Time = resource('Time', { x: f32 })
const Ground = resource('Ground', { cells: vec(f32, 9), wide: vec(u32, 9), n: u32, who: vec(entity, 2) })
const Settings = resource<number>('Settings')
const right = { cells: [Ground, 'cells'], time: [Time, 'x'] }

function refusal(kernel: Kernel, columns: unknown): StrataTypeError {
  const world = testWorld()
  const { components } = world.stats()
  try {
    createKernel(world, kernel, columns as never)
  } catch (error) {
    expect(world.stats().components).toBe(components)
    expect([Time, Ground].some((made) => world.hasResource(made))).toBe(false)
    return error as StrataTypeError
  }
  throw new Error('nothing was thrown')
}

describe('INVALID_BINDING names the parameter', () => {
  it.each([
    [
      'nothing given',
      move,
      undefined,
      "takes an object of columns, such as { px: [Position, 'x'] }, not undefined",
    ],
    ['a missing one', move, {}, "needs a column for 'px', a column of f32"],
    ['an inherited one', move, Object.create({ px: [Position, 'x'] }), "needs a column for 'px'"],
    [
      'an unknown one',
      move,
      { px: [Position, 'x'], py: [Position, 'x'] },
      "has no column 'py': its columns are px",
    ],
    ['a scalar', move, { px: [Position, 'x'], dt: [Position, 'x'] }, "takes 'dt' as a number"],
    ['the handles', move, { px: [Position, 'x'], handles: [Position, 'n'] }, "gets 'handles'"],
    ['no pair', move, { px: Position }, "'px', a column of f32, a component and the name of a field"],
    ['no name', move, { px: [Position] }, "[Component, 'field'], not a list"],
    ['no component', move, { px: ['Position', 'x'] }, "the field of a component, not of 'Position'"],
    ['a tag', move, { px: [Mark, 'x'] }, 'not of the tag Mark'],
    ['an object component', move, { px: [Sprite, 'x'] }, 'not of the object component Sprite'],
    ['a resource', move, { px: [Time, 'x'] }, 'not of the resource Time'],
    ['an unknown field', move, { px: [Position, 'y'] }, "Position, which has no 'y': its fields are x, n"],
    ['another kind', move, { px: [Position, 'n'] }, "'px', a column of f32, and Position.n is u32"],
    ['a vec', move, { px: [Bone, 'p'] }, 'Bone.p is vec(f32, 3)'],
    ['no vec', turn, { p: [Position, 'x'] }, "'p', a column of vec(f32, 3), and Position.x is f32"],
    ['another length', turn, { p: [Bone, 'q'] }, 'Bone.q is vec(f32, 4)'],
    ['numbers for handles', link, { who: [Link, 'n'] }, "'who', a column of entity, and Link.n is u32"],
    [
      'numbers for booleans',
      link,
      { who: [Link, 'who'], flags: [Link, 'flags'], on: [Link, 'flags'] },
      "'on'",
    ],
    [
      'a missing resource',
      blur,
      { cells: [Ground, 'cells'] },
      "needs a resource for 'time', a resource of f32: bind it, { time: [Resource, 'field'] }",
    ],
    [
      'an unknown one of both',
      mix,
      { ...right, px: [Position, 'x'], who: [Ground, 'who'] },
      "has no column or resource 'cells': its columns and resources are px, who",
    ],
    [
      'a scalar without rows',
      blur,
      { ...right, share: [Time, 'x'] },
      "'share' as a number: give it to kernel.run({ share })",
    ],
    [
      'no pair of a resource',
      blur,
      { ...right, time: Time },
      "takes for 'time', a resource of f32, a resource and the name of a field, [Resource, 'field'], not the resource Time",
    ],
    [
      'a component for a resource',
      blur,
      { ...right, time: [Position, 'x'] },
      "takes for 'time', a resource of f32, the field of a resource, not of the component Position",
    ],
    ['nothing for a resource', blur, { ...right, time: [null, 'x'] }, 'the field of a resource, not of null'],
    [
      'a JavaScript value',
      blur,
      { ...right, time: [Settings, 'x'] },
      'the field of a resource, not of the resource Settings, which is a JavaScript value',
    ],
    [
      'an unknown field of a resource',
      blur,
      { ...right, time: [Time, 'dt'] },
      "a field of Time, which has no 'dt': its fields are x",
    ],
    [
      'another kind of a resource',
      blur,
      { ...right, cells: [Ground, 'wide'] },
      "was compiled for 'cells', a resource of f32, and Ground.wide is vec(u32, 9)",
    ],
    [
      'numbers for handles of a resource',
      mix,
      { px: [Position, 'x'], who: [Ground, 'n'] },
      "'who', a resource of entity, and Ground.n is u32",
    ],
    ['booleans for numbers', link, { who: [Link, 'who'], flags: [Link, 'on'], on: [Link, 'on'] }, "'flags'"],
  ])('%s', (_, kernel, columns, sentence) => {
    const error = refusal(kernel, columns)
    expect(error).toBeInstanceOf(TypeError)
    expect(error.code).toBe('INVALID_BINDING')
    expect(error.message).toContain(`createKernel: the kernel ${kernel.kernel} (a.kernel.ts) `)
    expect(error.message).toContain(sentence)
  })
})

describe('createKernel', () => {
  it('returns a bound kernel that prints on one line', () => {
    const step = createKernel(testWorld(), move, { px: [Position, 'x'] })
    expect([inspect(step), String(step), JSON.stringify(step)]).toEqual([
      'Kernel(move of a.kernel.ts)',
      'Kernel(move of a.kernel.ts)',
      '"Kernel(move of a.kernel.ts)"',
    ])
  })

  it.each(STORAGES)('registers a component that is in %s storage', (storage) => {
    const New = component('New', { x: f32 }, { storage: STORED[storage as 'table'] })
    const world = testWorld()
    const { components } = world.stats()
    const step = createKernel(world, move, { px: [New, 'x'] })
    expect(world.stats().components).toBe(components + 1)
    const e = world.spawn(New)
    world.query(New).run(step, { dt: 2 })
    expect(world.get(e, New)?.x).toBe(2 * e)
  })

  it('accepts one column for several parameters, and a vec of one value for a value', () => {
    const world = testWorld()
    const e = world.spawn(Link, Bone)
    const handles = world.query(Link, Bone)
    handles.run(createKernel(world, move, { px: [Bone, 'r'] }), { dt: 1 })
    handles.run(
      createKernel(world, link, { who: [Link, 'who'], flags: [Link, 'flags'], on: [Link, 'on'] }),
      {},
    )
    handles.run(createKernel(world, turn, { p: [Bone, 'p'] }), {})
    expect(world.get(e, Link)).toEqual({ who: 0, n: 0, flags: 1, on: true })
    expect(world.get(e, Bone)?.r[0]).toBe(e)
    expect(world.get(e, Bone)?.p[0]).toBe(1)
  })
})
