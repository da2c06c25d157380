// Owns the matrices of instances that are made of position, rotation and scale. Each row's matrix is made once in a pass, however
// many of its components have changed.

import { type BufferAttribute, InstancedBufferAttribute } from 'three'
import type { AnyComponent } from '../../../bindings/index'
import { type Buffer, grown, prepared, upload } from './buffer'
import type { BufferRun, CheckedSource } from './source'

const NUMBERS = 16

/** Makes the attribute of a buffer of which there is one value for each instance. */
export const perInstance = (array: Float32Array, itemSize: number): InstancedBufferAttribute =>
  new InstancedBufferAttribute(array, itemSize)

/** The parts of a transform; what is left out is at the origin, not turned, and of its own size. */
export interface TransformSources {
  readonly position: CheckedSource | undefined
  /** Four numbers: a quaternion. One: radians around the z axis. */
  readonly rotation: CheckedSource | undefined
  /** One number for all axes, or three. */
  readonly scale: CheckedSource | undefined
}

export class TransformBuffer implements Buffer {
  readonly components: readonly AnyComponent[]
  attribute: BufferAttribute = prepared(perInstance(new Float32Array(0), NUMBERS))
  /** The pass in which each row was last written. */
  private passes = new Int32Array(0)
  private position: CheckedSource | undefined
  private rotation: CheckedSource | undefined
  private scale: CheckedSource | undefined

  constructor(
    private readonly sources: TransformSources,
    private readonly take: (attribute: BufferAttribute) => void,
  ) {
    const { position, rotation, scale } = sources
    const components = [position, rotation, scale].flatMap((source) => source?.component ?? [])
    this.components = [...new Set(components)]
  }

  look(run: BufferRun): number {
    const { position, rotation, scale } = this.sources
    this.position = position?.look(run) === true ? position : undefined
    this.rotation = rotation?.look(run) === true ? rotation : undefined
    this.scale = scale?.look(run) === true ? scale : undefined
    return (this.position ? 1 : 0) | (this.rotation ? 2 : 0) | (this.scale ? 4 : 0)
  }

  write(start: number, end: number, first: number, pass: number): number {
    const { passes } = this
    let [from, to] = [Infinity, -1]
    let written = 0
    for (let row = start, instance = first; row < end; row++, instance++) {
      if (passes[instance] === pass) continue
      passes[instance] = pass
      this.compose(row, instance * NUMBERS)
      written++
      if (from > instance) from = instance
      to = instance
    }
    if (written > 0) upload(this.attribute, from, to + 1 - from)
    return written
  }

  /** The matrix of a row, in the order of columns: what Matrix4.compose makes. */
  private compose(row: number, at: number): void {
    const { position, rotation, scale } = this
    const m = this.attribute.array as Float32Array
    const sx = scale === undefined ? 1 : scale.at(row, 0)
    const isUniform = scale === undefined || scale.length === 1
    const sy = isUniform ? sx : scale.at(row, 1)
    const sz = isUniform ? sx : scale.at(row, 2)
    if (rotation?.length === 4) {
      const [x, y, z, w] = [
        rotation.at(row, 0),
        rotation.at(row, 1),
        rotation.at(row, 2),
        rotation.at(row, 3),
      ]
      m[at] = (1 - 2 * (y * y + z * z)) * sx
      m[at + 1] = 2 * (x * y + w * z) * sx
      m[at + 2] = 2 * (x * z - w * y) * sx
      m[at + 4] = 2 * (x * y - w * z) * sy
      m[at + 5] = (1 - 2 * (x * x + z * z)) * sy
      m[at + 6] = 2 * (y * z + w * x) * sy
      m[at + 8] = 2 * (x * z + w * y) * sz
      m[at + 9] = 2 * (y * z - w * x) * sz
      m[at + 10] = (1 - 2 * (x * x + y * y)) * sz
    } else {
      const angle = rotation === undefined ? 0 : rotation.at(row, 0)
      const [sin, cos] = [Math.sin(angle), Math.cos(angle)]
      m[at] = cos * sx
      m[at + 1] = sin * sx
      m[at + 2] = 0
      m[at + 4] = 0 - sin * sy
      m[at + 5] = cos * sy
      m[at + 6] = m[at + 8] = m[at + 9] = 0
      m[at + 10] = sz
    }
    m[at + 3] = m[at + 7] = m[at + 11] = 0
    m[at + 12] = position === undefined ? 0 : position.at(row, 0)
    m[at + 13] = position === undefined ? 0 : position.at(row, 1)
    m[at + 14] = position?.length === 3 ? position.at(row, 2) : 0
    m[at + 15] = 1
  }

  grow(capacity: number): void {
    this.attribute = grown(this.attribute, capacity, perInstance)
    const { passes } = this
    this.passes = new Int32Array(capacity)
    this.passes.set(passes)
    this.take(this.attribute)
  }
}
