// Shows that createInstances displays a query: each entity has its matrix, colour and attributes, and three.js itself is made to
// upload what has changed and nothing else.

import {
  BoxGeometry,
  Color,
  type InstancedBufferAttribute,
  Matrix4,
  MeshBasicMaterial,
  Quaternion,
  Raycaster,
  Scene,
  Vector3,
} from 'three'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  changed,
  clearWorld,
  component,
  createWorld,
  destroyMany,
  f32,
  f64,
  not,
  NULL_ENTITY,
  optional,
  resetWorld,
  restoreWorld,
  snapshotWorld,
  sparse,
  spawnMany,
  tag,
  text,
  u8,
  vec,
  type Entity,
  type World,
} from '../../../bindings/index'
import { createInstances, type Instances } from '../src/three'

const Position = component('Position', { x: f32, y: f32, z: f32 })
const Turn = component('Turn', { x: f32, y: f32, z: f32, w: f32.default(1) })
const Size = component('Size', { value: f32.default(1) })
const Global = component('Global', { m: vec(f32, 16) })
const Tint = component('Tint', { rgb: vec(f32, 3) })
const Heat = component('Heat', { kelvin: f64, level: u8 })
const Label = component('Label', { value: text })
const Rare = component('Rare', { n: f32 }, { storage: sparse })
const Tracked = component('Tracked', { x: f32, y: f32 }, { trackChanges: 'row' })
const Hidden = tag('Hidden')

let world: World
beforeEach(() => (world = createWorld({ memory: { initial: 2 ** 21 } })))
afterEach(() => world.dispose())

const geometry = () => new BoxGeometry(1, 1, 1)
const material = new MeshBasicMaterial()
const options = () => ({
  geometry: geometry(),
  material,
  position: [Position, ['x', 'y', 'z']] as const,
})

/** Where each entity of the mesh is drawn. */
const places = ({ mesh, entityAt, count }: Instances, of = { entityAt }) =>
  Array.from({ length: count }, (_, i) => {
    const m = new Matrix4()
    mesh.getMatrixAt(i, m)
    return [of.entityAt(i), ...new Vector3().setFromMatrixPosition(m).toArray()]
  })

const shown = (instances: Instances) =>
  places(instances, { entityAt: (i) => instances.entityAt(i) }).sort((a, b) => a[0] - b[0])

/** What shows must be, by handle. */
const expected = (...terms: any[]) =>
  [...world.query(Position, ...terms).entities()]
    .map((entity) => {
      const { x, y, z } = world.get(entity, Position)!
      return [entity, x, y, z]
    })
    .sort((a, b) => a[0] - b[0])

/** What waits to be uploaded of an attribute, in rows, and its version; then forgets it, as three.js does when it draws. */
function uploads(attribute: InstancedBufferAttribute) {
  const { itemSize, updateRanges, version } = attribute
  const rows = updateRanges.map(({ start, count }) => [start / itemSize, count / itemSize])
  attribute.clearUpdateRanges()
  return { rows, version }
}

describe('the instances of a query', () => {
  it('follow entities that are spawned, moved between archetypes and destroyed', () => {
    const instances = createInstances(world, [Position, not(Hidden)], options())
    expect([instances.update(), instances.mesh.count]).toEqual([0, 0])
    const handles = spawnMany(world, 3000, [Position], (chunk) => {
      for (let i = chunk.start; i < chunk.end; i++) chunk.write(Position).x[i] = i
    })
    const check = () => {
      instances.update()
      expect(shown(instances)).toEqual(expected(not(Hidden)))
      expect(instances.mesh.count).toBe(instances.count)
    }
    check()
    world.destroy(handles[5])
    world.destroy(handles[2999])
    check()
    for (let i = 10; i < 500; i += 7) world.add(handles[i], Hidden)
    check()
    for (let i = 10; i < 500; i += 14) world.remove(handles[i], Hidden)
    for (let i = 600; i < 700; i++) world.add(handles[i], Heat)
    check()
    spawnMany(world, 2000, [Position({ y: 3 }), Heat])
    check()
    destroyMany(world.query(Heat))
    check()
    clearWorld(world)
    check()
    resetWorld(world)
    world.spawn(Position({ z: 9 }))
    check()
    instances.dispose()
  })

  it('upload nothing while nothing changes, not even the count', () => {
    spawnMany(world, 5000, [Position])
    const instances = createInstances(world, [Position], options())
    instances.update()
    const { instanceMatrix } = instances.mesh
    const before = uploads(instanceMatrix)
    for (let frame = 0; frame < 5; frame++) {
      world.advanceTick()
      world.spawn(Heat)
      expect(instances.update()).toBe(0)
    }
    expect(uploads(instances.mesh.instanceMatrix)).toEqual({ rows: [], version: before.version })
    expect(instances.mesh.instanceMatrix).toBe(instanceMatrix)
  })

  it('upload the chunks that were written to and no other', () => {
    const handles = spawnMany(world, 20_000, [Position])
    const instances = createInstances(world, [Position], options())
    instances.update()
    const attribute = instances.mesh.instanceMatrix
    uploads(attribute)
    world.set(handles[9000], Position, { y: 4 })
    const chunk = [...world.query(Position)].length
    expect(chunk).toBeGreaterThan(5)
    const written = instances.update()
    const { rows } = uploads(attribute)
    expect(rows).toHaveLength(1)
    const [[first, count]] = rows
    expect([first <= 9000, first + count > 9000, count === written, count < 4096]).toEqual([
      true,
      true,
      true,
      true,
    ])
    expect(new Vector3().setFromMatrixPosition(matrixOf(instances, handles[9000])).y).toBe(4)
  })

  it('upload single rows of a component that tracks changes by row', () => {
    const handles = spawnMany(world, 2000, [Tracked])
    const instances = createInstances(world, [Tracked], {
      geometry: geometry(),
      material,
      position: [Tracked, ['x', 'y']],
    })
    instances.update()
    uploads(instances.mesh.instanceMatrix)
    for (const i of [7, 8, 900]) world.set(handles[i], Tracked, { x: i })
    expect(instances.update()).toBe(3)
    const at = (i: number) => instances.indexOf(handles[i])
    expect(uploads(instances.mesh.instanceMatrix).rows).toEqual([
      [at(7), 2],
      [at(900), 1],
    ])
  })

  it('write only the row that took the place of a destroyed one', () => {
    const handles = spawnMany(world, 1000, [Position], (chunk) => {
      for (let i = chunk.start; i < chunk.end; i++) chunk.write(Position).x[i] = chunk.entities[i]
    })
    const instances = createInstances(world, [Position], options())
    instances.update()
    uploads(instances.mesh.instanceMatrix)
    world.destroy(handles[3])
    expect(instances.update()).toBe(1)
    expect(uploads(instances.mesh.instanceMatrix).rows).toEqual([[3, 1]])
    expect(shown(instances)).toEqual(expected())
  })

  it('write an entity that was changed while it was not drawn, and returns to its instance', () => {
    const entities = [1, 2, 3].map((x) => world.spawn(Position({ x })))
    const last = entities[2] as Entity
    const instances = createInstances(world, [Position, not(Hidden)], options())
    instances.update()
    expect(instances.indexOf(last)).toBe(2)
    world.add(last, Hidden)
    instances.update()
    world.set(last, Position, { x: 9 })
    instances.update()
    world.advanceTick()
    world.remove(last, Hidden)
    instances.update()
    expect(instances.indexOf(last)).toBe(2)
    expect(shown(instances)).toEqual(expected(not(Hidden)))
  })

  it('make each matrix once in an update, however many of its components have changed', () => {
    spawnMany(world, 100, [Position, Turn, Size])
    const instances = createInstances(world, [Position, Turn, Size], {
      ...options(),
      rotation: [Turn, ['x', 'y', 'z', 'w']],
      scale: [Size, 'value'],
    })
    expect(instances.update()).toBe(100)
    for (const chunk of world.query(Position, Turn, Size)) {
      chunk.write(Position).x.fill(2)
      chunk.write(Turn).w.fill(1)
      chunk.write(Size).value.fill(3)
    }
    expect(instances.update()).toBe(100)
    expect(instances.update()).toBe(0)
  })

  it('have the matrices that three.js composes', () => {
    const turn = new Quaternion().setFromAxisAngle(new Vector3(1, 2, 3).normalize(), 0.7)
    const Sizes = component('Sizes', { at: vec(f32, 3) })
    const whole = world.spawn(
      Position({ x: 1, y: 2, z: 3 }),
      Turn({ x: turn.x, y: turn.y, z: turn.z, w: turn.w }),
      Sizes({ at: [2, 3, 4] }),
    )
    const instances = createInstances(world, [Position, Turn, Sizes], {
      ...options(),
      rotation: [Turn, ['x', 'y', 'z', 'w']],
      scale: [Sizes, 'at'],
    })
    instances.update()
    const made = new Matrix4().compose(new Vector3(1, 2, 3), turn, new Vector3(2, 3, 4))
    matrixOf(instances, whole).elements.forEach((value, i) => expect(value).toBeCloseTo(made.elements[i], 5))
  })

  it('rotate around the z axis by one number, are in the plane with two, and at the origin without any', () => {
    const Flat = component('Flat', { x: f32, y: f32, angle: f32 })
    const one = world.spawn(Flat({ x: 5, y: 6, angle: 0.5 }), Size({ value: 2 }))
    const flat = createInstances(world, [Flat, Size], {
      geometry: geometry(),
      material,
      position: [Flat, ['x', 'y']],
      rotation: [Flat, 'angle'],
      scale: [Size, 'value'],
    })
    flat.update()
    const made = new Matrix4()
      .makeRotationZ(0.5)
      .scale(new Vector3(2, 2, 2))
      .setPosition(5, 6, 0)
    matrixOf(flat, one).elements.forEach((value, i) => expect(value).toBeCloseTo(made.elements[i], 5))
    const still = createInstances(world, [Flat], { geometry: geometry(), material })
    still.update()
    expect(matrixOf(still, one).elements).toEqual(new Matrix4().elements)
  })

  it('take whole matrices, colours and attributes from columns, and defaults where an optional component is missing', () => {
    const matrix = new Matrix4().makeTranslation(7, 8, 9)
    const red = world.spawn(
      Global({ m: matrix.elements }),
      Tint({ rgb: [1, 0, 0.5] }),
      Heat({ kelvin: 300, level: 7 }),
    )
    const plain = world.spawn(Global({ m: matrix.elements }))
    const instances = createInstances(world, [Global, optional(Tint, Heat)], {
      geometry: geometry(),
      material,
      matrix: [Global, 'm'],
      color: [Tint, 'rgb'],
      attributes: { heat: [Heat, ['kelvin', 'level']] },
    })
    instances.update()
    const look = (entity: Entity) => {
      const i = instances.indexOf(entity)
      const color = new Color()
      instances.mesh.getColorAt(i, color)
      const heat = instances.mesh.geometry.getAttribute('heat')
      return [matrixOf(instances, entity).elements[12], color.r, color.g, color.b, heat.getX(i), heat.getY(i)]
    }
    expect(look(red)).toEqual([7, 1, 0, 0.5, 300, 7])
    expect(look(plain)).toEqual([7, 1, 1, 1, 0, 0])
    world.destroy(red)
    instances.update()
    expect(look(plain)).toEqual([7, 1, 1, 1, 0, 0])
    // The one entity, at the same place, loses and gets what may be missing.
    world.add(plain, Tint({ rgb: [0, 1, 0] }))
    instances.update()
    expect(look(plain).slice(1, 4)).toEqual([0, 1, 0])
    world.remove(plain, Tint)
    instances.update()
    expect(look(plain).slice(1, 4)).toEqual([1, 1, 1])
  })

  it('lead from an instance to its entity and back, even from a ray hit', () => {
    const [a, b] = [world.spawn(Position({ x: -5 })), world.spawn(Position({ x: 5 }))]
    const instances = createInstances(world, [Position], options())
    const scene = new Scene().add(instances.mesh)
    instances.update()
    scene.updateMatrixWorld()
    const hit = (x: number) => {
      const ray = new Raycaster(new Vector3(x, 0, 10), new Vector3(0, 0, -1))
      return instances.entityAt(ray.intersectObject(instances.mesh)[0]?.instanceId)
    }
    expect([hit(-5), hit(5), hit(0)]).toEqual([a, b, NULL_ENTITY])
    world.set(b, Position, { x: 50 })
    instances.update()
    expect([hit(50), hit(5)]).toEqual([b, NULL_ENTITY])
    world.destroy(a)
    instances.update()
    expect([instances.indexOf(a), instances.indexOf(b), instances.indexOf(NULL_ENTITY)]).toEqual([-1, 0, -1])
    expect([instances.entityAt(0), instances.entityAt(1), instances.entityAt(undefined)]).toEqual([
      b,
      NULL_ENTITY,
      NULL_ENTITY,
    ])
  })

  it('grow by doubling, and keep what they show', () => {
    const instances = createInstances(world, [Position], { ...options(), capacity: 100 })
    const { instanceMatrix } = instances.mesh
    spawnMany(world, 100, [Position({ x: 1 })])
    instances.update()
    expect(instances.mesh.instanceMatrix).toBe(instanceMatrix)
    let freed = 0
    instances.mesh.addEventListener('dispose', () => freed++)
    world.spawn(Position({ x: 2 }))
    instances.update()
    expect([instances.mesh.instanceMatrix.count, freed]).toEqual([200, 1])
    expect(shown(instances)).toEqual(expected())
  })

  it('show what a restore brings back', () => {
    const [first] = spawnMany(world, 10, [Position({ x: 1 })])
    const instances = createInstances(world, [Position], options())
    instances.update()
    const before = snapshotWorld(world)
    world.set(first, Position, { x: 8 })
    instances.update()
    restoreWorld(world, before)
    instances.update()
    expect(shown(instances)).toEqual(expected())
  })

  it('keep few parts to upload while nothing is drawn, and lose none', () => {
    const handles = spawnMany(world, 3000, [Tracked])
    const instances = createInstances(world, [Tracked], {
      geometry: geometry(),
      material,
      position: [Tracked, ['x', 'y']],
    })
    instances.update()
    uploads(instances.mesh.instanceMatrix)
    for (let i = 0; i < 3000; i += 2) world.set(handles[i], Tracked, { x: 1 })
    instances.update()
    const { rows } = uploads(instances.mesh.instanceMatrix)
    expect(rows.length).toBeLessThanOrEqual(257)
    for (let i = 0; i < 3000; i += 2) {
      const at = instances.indexOf(handles[i])
      expect(rows.some(([first, count]) => at >= first && at < first + count)).toBe(true)
    }
  })

  it('end with dispose: the mesh leaves the scene, and no listener and no memory of changes is left', () => {
    const scene = new Scene()
    const instances = createInstances(world, [Position], options())
    scene.add(instances.mesh)
    world.spawn(Position)
    instances.update()
    const restored = () => (world as any).state.reporting?.ofRestores.size ?? 0
    expect(restored()).toBe(1)
    instances.dispose()
    expect([scene.children.length, restored(), instances.entityAt(0)]).toEqual([0, 0, NULL_ENTITY])
    expect(() => instances.update()).toThrow(expect.objectContaining({ code: 'QUERY_DISPOSED' }))
    expect(() => instances.update()).toThrow('update: what createInstances made was disposed of')
  })
})

describe('createInstances refuses', () => {
  it.each([
    ['an unknown option', [Position], { colour: 1 }, /no option 'colour'/],
    ['anything but a geometry', [Position], { geometry: {} }, /geometry must be a BufferGeometry/],
    [
      'a component that the query does not name',
      [Position],
      { scale: [Size, 'value'] },
      /Size is not among the terms/,
    ],
    ['a field that there is not', [Position], { position: [Position, ['x', 'yy']] }, /no field 'yy'/],
    ['a text', [Label], { scale: [Label, 'value'] }, /Label.value is a text/],
    [
      'the wrong number of numbers',
      [Position],
      { position: [Position, 'x'] },
      /takes 2 or 3 numbers; Position gives 1/,
    ],
    [
      'a component that is not a column',
      [Position, Rare],
      { scale: [Rare, 'n'] },
      /Rare is no column of this query/,
    ],
    ['a matrix beside a position', [Position, Global], { matrix: [Global, 'm'] }, /but not both/],
    ['an invalid source', [Position], { position: Position }, /takes a component and its fields/],
    ['an invalid capacity', [Position], { capacity: -1 }, /capacity must be a whole number/],
    ['changed among the terms', [changed(Position)], {}, /leave changed and added out/],
    ['terms that are not a list', Position, {}, /takes the terms of a query as a list/],
    [
      'an attribute that the geometry has for its vertices',
      [Position],
      { attributes: { position: [Position, ['x', 'y', 'z']] } },
      /an attribute 'position' already/,
    ],
    [
      'an attribute of three.js itself',
      [Position],
      { attributes: { instanceColor: [Position, ['x', 'y', 'z']] } },
      /an attribute 'instanceColor' already/,
    ],
    ['invalid attributes', [Position], { attributes: 5 }, /attributes must be an object/],
  ] as [string, any, object, RegExp][])('%s', (_, terms, more, message) => {
    const given = {
      geometry: geometry(),
      material,
      ...(terms[0] === Position && { position: [Position, ['x', 'y']] }),
      ...more,
    }
    let error: any
    try {
      createInstances(world, terms, given as never)
    } catch (thrown) {
      error = thrown
    }
    expect([error?.code, error?.message]).toEqual(['INVALID_OPTION', expect.stringMatching(message)])
    expect((world as any).state.reporting?.ofRestores.size ?? 0).toBe(0)
  })
})

it.each([[undefined], [null], [{}], [5], ['Position']])(
  'createInstances refuses a list with %s among its terms as a query does',
  (term) => {
    const given = { geometry: geometry(), material }
    expect(() => createInstances(world, [Position, term] as never, given as never)).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^(?:INVALID_QUERY|NOT_A_COMPONENT)$/) }),
    )
  },
)

it('createInstances reuses a geometry whose attributes of instances are left from a disposed mesh', () => {
  const given = { geometry: geometry(), material, attributes: { heat: [Heat, 'kelvin'] } } as const
  createInstances(world, [Heat], given).dispose()
  world.spawn(Heat({ kelvin: 7 }))
  const again = createInstances(world, [Heat], given)
  again.update()
  expect([again.count, given.geometry.getAttribute('heat').getX(0)]).toEqual([1, 7])
  again.dispose()
})

function matrixOf(instances: Instances, entity: Entity): Matrix4 {
  const m = new Matrix4()
  instances.mesh.getMatrixAt(instances.indexOf(entity), m)
  return m
}

it('The types accept a source that is among the terms, with fields that it has', () => {
  const declared = (w: World) => {
    const given = { geometry: geometry(), material }
    createInstances(w, [Position, optional(Size)], {
      ...given,
      position: [Position, ['x', 'y']],
      scale: [Size, 'value'],
    })
    // @ts-expect-error the component is not among the terms
    createInstances(w, [Position], { ...given, scale: [Size, 'value'] })
    // @ts-expect-error the component has no such field
    createInstances(w, [Position], { ...given, position: [Position, ['x', 'w']] })
    // @ts-expect-error tags have no fields
    createInstances(w, [Hidden], { ...given, position: [Hidden, 'x'] })
  }
  expect(declared).toBeTypeOf('function')
})
