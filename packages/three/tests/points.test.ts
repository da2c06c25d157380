// Shows that createPoints displays a query as a cloud of points, and uploads only what has changed.

import { PointsMaterial, Raycaster, Scene, Vector3, type BufferAttribute } from 'three'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  component,
  createWorld,
  destroyMany,
  f32,
  not,
  NULL_ENTITY,
  spawnMany,
  tag,
  vec,
  type World,
} from '../../../bindings/index'
import { createPoints } from '../src/three'

const Place = component('Place', { at: vec(f32, 3) })
const Flat = component('Flat', { x: f32, y: f32 })
const Tint = component('Tint', { r: f32, g: f32, b: f32 })
const Age = component('Age', { years: f32 })
const Hidden = tag('Hidden')

let world: World
beforeEach(() => (world = createWorld({ memory: { initial: 2 ** 21 } })))
afterEach(() => world.dispose())

const material = new PointsMaterial()

it('copies columns of a vec whole, and follows the query', () => {
  const handles = spawnMany(world, 5000, [Place], (chunk) => {
    const { at } = chunk.write(Place)
    for (let i = chunk.start; i < chunk.end; i++) at[3 * i] = chunk.entities[i]
  })
  const cloud = createPoints(world, [Place, not(Hidden)], { material, position: [Place, 'at'] })
  const { geometry } = cloud.points
  const check = () => {
    cloud.update()
    const position = geometry.getAttribute('position') as BufferAttribute
    expect(geometry.drawRange.count).toBe(world.query(Place, not(Hidden)).count)
    for (let i = 0; i < cloud.count; i++) expect(position.getX(i)).toBe(cloud.entityAt(i))
  }
  check()
  for (let i = 0; i < 900; i += 5) world.add(handles[i], Hidden)
  check()
  destroyMany(world, handles.slice(1000, 3000))
  check()
  const { version } = geometry.getAttribute('position') as BufferAttribute
  expect(cloud.update()).toBe(0)
  expect((geometry.getAttribute('position') as BufferAttribute).version).toBe(version)
})

it('takes colours and attributes, and puts a position of two numbers into the plane', () => {
  const one = world.spawn(Flat({ x: 3, y: 4 }), Tint({ r: 0.5, g: 0.25, b: 1 }), Age({ years: 9 }))
  const cloud = createPoints(world, [Flat, Tint, Age], {
    material,
    position: [Flat, ['x', 'y']],
    color: [Tint, ['r', 'g', 'b']],
    attributes: { age: [Age, 'years'] },
  })
  cloud.update()
  const read = (name: string) => [...cloud.points.geometry.getAttribute(name).array].slice(0, 3)
  expect([read('position'), read('color'), read('age')[0]]).toEqual([[3, 4, 0], [0.5, 0.25, 1], 9])
  world.set(one, Age, { years: 10 })
  expect(cloud.update()).toBe(1)
  expect(read('age')[0]).toBe(10)
})

it('leads from a point that a ray hits to its entity, until it is disposed of', () => {
  world.spawn(Flat({ x: -5 }))
  const right = world.spawn(Flat({ x: 5 }))
  const cloud = createPoints(world, [Flat], { material, position: [Flat, ['x', 'y']] })
  const scene = new Scene().add(cloud.points)
  cloud.update()
  scene.updateMatrixWorld()
  const ray = new Raycaster(new Vector3(5, 0, 10), new Vector3(0, 0, -1))
  expect(cloud.entityAt(ray.intersectObject(cloud.points)[0]?.index)).toBe(right)
  cloud.dispose()
  expect([scene.children.length, cloud.entityAt(0), cloud.indexOf(right)]).toEqual([0, NULL_ENTITY, -1])
  expect(() => cloud.update()).toThrow(expect.objectContaining({ code: 'QUERY_DISPOSED' }))
  expect(() => cloud.update()).toThrow('update: what createPoints made was disposed of')
})

it('refuses an attribute whose name is taken by its own', () => {
  const give = (more: object) => () =>
    createPoints(world, [Flat], { material, position: [Flat, ['x', 'y']], ...more } as never)
  const message = expect.objectContaining({
    code: 'INVALID_OPTION',
    message: expect.stringMatching(/already, which this one would replace/),
  })
  expect(give({ attributes: { position: [Flat, ['x', 'y']] } })).toThrow(message)
  give({ attributes: { color: [Flat, ['x', 'y']] } })().dispose()
})

it('refuses a cloud without a position', () => {
  expect(() => createPoints(world, [Flat], { material } as never)).toThrow(
    expect.objectContaining({ code: 'INVALID_OPTION' }),
  )
})
