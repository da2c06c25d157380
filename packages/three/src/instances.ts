// Owns createInstances: an InstancedMesh with one instance for each entity of a query.

import { type BufferGeometry, InstancedMesh, type Material } from 'three'
import type { Entity, Term, World } from '../../../bindings/index'
import { type Buffer, ColumnBuffer } from './buffer'
import { Feed, queryOf } from './feed'
import {
  type ColumnSource,
  CheckedSource,
  checkAttributeNames,
  checkCapacity,
  checkNames,
  refusal,
} from './source'
import { TransformBuffer, perInstance } from './transform'

/** What createInstances draws, and where it takes it from. Each source is a component of the terms and its fields. */
export interface InstancesOptions<T extends readonly Term[]> {
  /** What each instance looks like. Attributes are added to it, so do not share it with other meshes. Stays yours. */
  readonly geometry: BufferGeometry
  /** Stays yours. */
  readonly material: Material | Material[]
  /** Two or three numbers: `[Position, ['x', 'y', 'z']]`, `[Position, 'at']` for a vec. Default: the origin. */
  readonly position?: ColumnSource<T> | undefined
  /** Four numbers, a quaternion x, y, z, w of length 1; or one, radians around the z axis. Default: not turned. */
  readonly rotation?: ColumnSource<T> | undefined
  /** One number, or three for the axes. Default: 1. */
  readonly scale?: ColumnSource<T> | undefined
  /** Sixteen numbers, a matrix column by column, in place of position, rotation and scale. */
  readonly matrix?: ColumnSource<T> | undefined
  /** Three numbers from 0 to 1: red, green and blue, linear, as InstancedMesh.instanceColor. Default of those without: white. */
  readonly color?: ColumnSource<T> | undefined
  /** Attributes of one to four numbers for shaders of your own, by names that the geometry does not have for its vertices. */
  readonly attributes?: Readonly<Record<string, ColumnSource<T>>> | undefined
  /** Instances to have room for from the start. There will be as many as are needed. Default 0. */
  readonly capacity?: number | undefined
}

const OPTIONS = [
  'geometry',
  'material',
  'position',
  'rotation',
  'scale',
  'matrix',
  'color',
  'attributes',
  'capacity',
]

/** An InstancedMesh that follows a query. */
export interface Instances {
  /**
   * Add it to your scene. It is not culled, because its bounds are found only when they are asked for, by a raycast. Its matrix,
   * layers, shadows and so on are yours to set; `count`, `instanceMatrix` and `instanceColor` are not.
   */
  readonly mesh: InstancedMesh
  /** How many instances there were at the last update. */
  readonly count: number
  /**
   * Brings the instances up to date with the world. Call it once a frame, before rendering. Writes only rows that are new, that
   * moved, or whose chunk was changed since the last call, and has three.js upload these, up to 256 separate parts; when nothing
   * has changed it writes and uploads nothing. Allowed inside a loop, where it sees what the loop sees.
   *
   * @returns how many rows of buffers it wrote; 0 when there is nothing to upload
   * @throws StrataError WORLD_DISPOSED, QUERY_DISPOSED after dispose
   */
  update(): number
  /**
   * The entity of an instance, as of the last update: for `instanceId` of a raycast. It may have died since.
   *
   * @returns NULL_ENTITY for an instance that there is not, and for undefined
   * @example const ship = ships.entityAt(raycaster.intersectObject(ships.mesh)[0]?.instanceId)
   */
  entityAt(instance: number | undefined): Entity
  /** The instance of an entity, as of the last update; -1 if it has none. */
  indexOf(entity: Entity | number): number
  /** Frees the buffers and what remembers changes, and removes the mesh from its parent. Geometry and material stay. */
  dispose(): void
}

/**
 * Makes an InstancedMesh with an instance for each entity that has, and does not have, certain components. Instances stand in the
 * order of a loop over the query. Room is doubled when there are more.
 *
 * Cost of an update: while nothing changes, a look at the change ticks of chunks, 0.01 ms at 100,000 instances. Otherwise for each
 * row of a chunk that was changed, measured in Node on a busy machine: 25 ns for a matrix of a position, 35 with an angle, 50 of
 * position, quaternion and scale; 7 for a matrix from a `vec`; 15 for a colour from three fields. With a matrix of all three that is
 * 2 ms at 40,000 instances and 5 ms at 100,000, with 2.6 and 6.4 MB to upload, 64 bytes an instance. Changes to 1 % of them that are
 * scattered over all chunks cost the same; to 1 % side by side, 0.02 and 0.07 ms. Of a component with `trackChanges: 'row'` only its
 * changed rows are written, 0.2 and 0.4 ms for a position and such a scattered 1 %; beyond 256 separate parts, what lies between them is uploaded,
 * too. When entities came or went, there is one comparison of handles for each row.
 *
 * @param world where the entities are
 * @param terms those of the query, as world.query takes them. Those of `optional` may be sources
 * @throws StrataTypeError INVALID_OPTION, INVALID_QUERY, NOT_A_COMPONENT; LimitError
 * @example const ships = createInstances(world, [Position, Turn], { geometry, material, position: [Position, ['x', 'y']], rotation: [Turn, 'angle'] })
 */
export function createInstances<const T extends readonly Term[]>(
  world: World,
  terms: T,
  options: InstancesOptions<T>,
): Instances {
  checkNames('createInstances', options, OPTIONS)
  const { geometry, material } = options
  const capacity = checkCapacity('createInstances', options.capacity)
  if (!(geometry as Partial<BufferGeometry> | undefined)?.isBufferGeometry)
    throw refusal('createInstances: geometry must be a BufferGeometry of three.js.')
  const query = queryOf('createInstances', world, terms)
  const take = (name: string, given: unknown, lengths: readonly number[]) =>
    given === undefined ? undefined : CheckedSource.take(`createInstances: ${name}`, given, query, lengths)
  const sources = {
    position: take('position', options.position, [2, 3]),
    rotation: take('rotation', options.rotation, [1, 4]),
    scale: take('scale', options.scale, [1, 3]),
  }
  const matrix = take('matrix', options.matrix, [16])
  if (matrix && (sources.position ?? sources.rotation ?? sources.scale))
    throw refusal('createInstances: give a matrix, or position, rotation and scale, but not both.')
  const color = take('color', options.color, [3])
  checkAttributeNames('createInstances', options.attributes ?? {}, takenIn(geometry))
  const named = Object.entries(options.attributes ?? {}).map(
    ([name, given]) =>
      [name, CheckedSource.take(`createInstances: attributes.${name}`, given, query, [1, 2, 3, 4])] as const,
  )

  const mesh = new InstancedMesh(geometry, material, 0)
  mesh.frustumCulled = false
  const setMatrices = (attribute: unknown) =>
    (mesh.instanceMatrix = attribute as InstancedMesh['instanceMatrix'])
  const setColors = (attribute: unknown) => (mesh.instanceColor = attribute as InstancedMesh['instanceColor'])
  const transforms: Buffer = matrix
    ? new ColumnBuffer(matrix, 16, 0, perInstance, setMatrices)
    : new TransformBuffer(sources, setMatrices)
  const buffers: Buffer[] = [transforms]
  if (color) buffers.push(new ColumnBuffer(color, 3, 1, perInstance, setColors))
  for (const [name, source] of named) {
    const set = (attribute: InstancedMesh['instanceMatrix']) => void geometry.setAttribute(name, attribute)
    buffers.push(new ColumnBuffer(source, source.length, 0, perInstance, set as never))
  }
  const feed = new Feed(world, terms, query, 'createInstances', buffers, () => {
    mesh.dispose()
    if (named.length > 0) geometry.dispose()
  })
  feed.reserve(Math.max(1, capacity))
  return new FedInstances(mesh, feed)
}

class FedInstances implements Instances {
  constructor(
    readonly mesh: InstancedMesh,
    private readonly feed: Feed,
  ) {}

  get count(): number {
    return this.feed.count
  }

  update(): number {
    const { mesh, feed } = this
    const written = feed.update()
    if (written === 0 && mesh.count === feed.count) return 0
    mesh.count = feed.count
    // Found again by the next raycast.
    mesh.boundingSphere = null
    mesh.boundingBox = null
    return written
  }

  entityAt(instance: number | undefined): Entity {
    return this.feed.entityAt(instance)
  }

  indexOf(entity: Entity | number): number {
    return this.feed.indexOf(entity)
  }

  dispose(): void {
    this.feed.dispose()
    this.mesh.count = 0
    this.mesh.removeFromParent()
    this.mesh.dispose()
  }
}

/** What three.js gives an instance itself. */
const OF_INSTANCES = ['instanceMatrix', 'instanceColor']

/** The attributes of a geometry's vertices. Those of instances may be left from a mesh that was disposed of. */
function takenIn({ attributes }: BufferGeometry): string[] {
  const ofVertices = Object.entries(attributes).filter(
    ([, attribute]) => !(attribute as { isInstancedBufferAttribute?: boolean }).isInstancedBufferAttribute,
  )
  return [...ofVertices.map(([name]) => name), ...OF_INSTANCES]
}
