// Owns createPoints: a cloud of points with one for each entity of a query.

import { BufferAttribute, BufferGeometry, type Material, Points } from 'three'
import type { Entity, Term, World } from '../../../bindings/index'
import { type Buffer, ColumnBuffer } from './buffer'
import { Feed, queryOf } from './feed'
import { type ColumnSource, CheckedSource, checkNames, checkAttributeNames, checkCapacity } from './source'

/** What createPoints draws, and where it takes it from. Each source is a component of the terms and its fields. */
export interface PointsOptions<T extends readonly Term[]> {
  /** For example a PointsMaterial. Stays yours. */
  readonly material: Material | Material[]
  /** Two or three numbers: `[Position, ['x', 'y', 'z']]`, `[Position, 'at']` for a vec. */
  readonly position: ColumnSource<T>
  /** Three numbers from 0 to 1, for materials with vertexColors. Default of those without: white. */
  readonly color?: ColumnSource<T> | undefined
  /** Attributes of one to four numbers for shaders of your own, by name. */
  readonly attributes?: Readonly<Record<string, ColumnSource<T>>> | undefined
  /** Points to have room for from the start. There will be as many as are needed. Default 0. */
  readonly capacity?: number | undefined
}

const OPTIONS = ['material', 'position', 'color', 'attributes', 'capacity']

/** Points that follow a query. */
export interface EntityPoints {
  /** Add it to your scene. It is not culled. Its geometry is its own: the draw range and the attributes are not yours to set. */
  readonly points: Points<BufferGeometry>
  /** How many points there were at the last update. */
  readonly count: number
  /**
   * Brings the points up to date with the world, as `update` of createInstances does: only changed chunks are written and
   * uploaded, and nothing when nothing has changed. Call it once a frame, before rendering.
   *
   * @returns how many rows of buffers it wrote; 0 when there is nothing to upload
   * @throws StrataError WORLD_DISPOSED, QUERY_DISPOSED after dispose
   */
  update(): number
  /**
   * The entity of a point, as of the last update: for `index` of a raycast. It may have died since.
   *
   * @returns NULL_ENTITY for a point that there is not, and for undefined
   */
  entityAt(index: number | undefined): Entity
  /** The point of an entity, as of the last update; -1 if it has none. */
  indexOf(entity: Entity | number): number
  /** Frees the geometry and what remembers changes, and removes the points from their parent. The material stays. */
  dispose(): void
}

/**
 * Makes points for the entities that have, and do not have, certain components. Points stand in the order of a loop over the
 * query. Room is doubled when there are more.
 *
 * Cost of an update: while nothing changes, a look at the change ticks of chunks, 0.01 ms at 100,000 points. Otherwise for each row
 * of a chunk that was changed, measured in Node on a busy machine: 16 ns for a position from three fields, 3 from a `vec` of `f32`,
 * which is copied whole. That is 0.6 and 1.6 ms at 40,000 and 100,000 points, or 0.1 and 0.3, with 12 bytes a point to upload. Changes
 * to 1 % of them that are scattered over all chunks cost the same; to 1 % side by side, at most 0.02 ms.
 *
 * @param world where the entities are
 * @param terms those of the query, as world.query takes them. Those of `optional` may be sources
 * @throws StrataTypeError INVALID_OPTION, INVALID_QUERY, NOT_A_COMPONENT; LimitError
 * @example const sparks = createPoints(world, [Position, not(Hidden)], { material, position: [Position, ['x', 'y', 'z']] })
 */
export function createPoints<const T extends readonly Term[]>(
  world: World,
  terms: T,
  options: PointsOptions<T>,
): EntityPoints {
  checkNames('createPoints', options, OPTIONS)
  const capacity = checkCapacity('createPoints', options.capacity)
  const query = queryOf('createPoints', world, terms)
  const { color, attributes = {} } = options
  const sources: [name: string, source: CheckedSource, itemSize: number][] = []
  const take = (
    name: string,
    what: string,
    given: unknown,
    lengths: readonly number[],
    itemSize?: number,
  ) => {
    const source = CheckedSource.take(`createPoints: ${what}`, given, query, lengths)
    sources.push([name, source, itemSize ?? source.length])
  }
  take('position', 'position', options.position, [2, 3], 3)
  if (color !== undefined) take('color', 'color', color, [3])
  checkAttributeNames('createPoints', attributes, color === undefined ? ['position'] : ['position', 'color'])
  for (const [name, given] of Object.entries(attributes))
    take(name, `attributes.${name}`, given, [1, 2, 3, 4])

  const geometry = new BufferGeometry()
  const points = new Points(geometry, options.material)
  points.frustumCulled = false
  const make = (array: Float32Array, itemSize: number) => new BufferAttribute(array, itemSize)
  const buffers: Buffer[] = sources.map(
    ([name, source, itemSize]) =>
      new ColumnBuffer(source, itemSize, name === 'color' ? 1 : 0, make, (attribute) => {
        geometry.setAttribute(name, attribute)
      }),
  )
  const feed = new Feed(world, terms, query, 'createPoints', buffers, () => geometry.dispose())
  feed.reserve(Math.max(1, capacity))
  geometry.setDrawRange(0, 0)
  return new FedPoints(points, feed)
}

class FedPoints implements EntityPoints {
  constructor(
    readonly points: Points<BufferGeometry>,
    private readonly feed: Feed,
  ) {}

  get count(): number {
    return this.feed.count
  }

  update(): number {
    const { feed } = this
    const { geometry } = this.points
    const written = feed.update()
    if (written === 0 && geometry.drawRange.count === feed.count) return 0
    geometry.setDrawRange(0, feed.count)
    // Found again by the next raycast.
    geometry.boundingSphere = null
    geometry.boundingBox = null
    return written
  }

  entityAt(index: number | undefined): Entity {
    return this.feed.entityAt(index)
  }

  indexOf(entity: Entity | number): number {
    return this.feed.indexOf(entity)
  }

  dispose(): void {
    this.feed.dispose()
    this.points.geometry.setDrawRange(0, 0)
    this.points.removeFromParent()
    this.points.geometry.dispose()
  }
}
