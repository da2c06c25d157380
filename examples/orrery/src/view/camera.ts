// Where the viewer stands: at a distance from a point that is followed, at two angles.

/** Of the picture's height seen from the middle, at distance 1: tangent of half the angle of view. */
const HALF_VIEW = Math.tan(0.42)
const NEAR = 0.02
const FAR = 4000

export interface Spot {
  x: number
  y: number
  /** Distance from the viewer; not positive for what is behind. */
  depth: number
}

export class Camera {
  yaw = 0.6
  pitch = 0.52
  distance = 100
  readonly target = [0, 0, 0]
  /** In pixels of the page. */
  width = 1
  height = 1
  /** What the shader multiplies places with. */
  readonly matrix = new Float32Array(16)
  private readonly view = new Float64Array(12)

  turn(dx: number, dy: number): void {
    this.yaw -= dx * 0.006
    this.pitch = Math.min(1.5, Math.max(-1.5, this.pitch + dy * 0.006))
  }

  zoom(by: number): void {
    this.distance = Math.min(1500, Math.max(0.6, this.distance * by))
  }

  /** Pixels at distance 1 of what is 1 long. */
  get scale(): number {
    return Math.min(this.height, this.width * 1.25) / (2 * HALF_VIEW)
  }

  update(): void {
    const { yaw, pitch, view, target, matrix, distance } = this
    const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)]
    // Rows: right, up, away from what is looked at.
    view.set([cy, 0, -sy, 0, -sy * sp, cp, -cy * sp, 0, sy * cp, sp, cy * cp, 0])
    for (let row = 0; row < 3; row++) {
      const [x, y, z] = [view[4 * row], view[4 * row + 1], view[4 * row + 2]]
      view[4 * row + 3] = -(x * target[0] + y * target[1] + z * target[2])
    }
    view[11] -= distance
    const [fx, fy] = [(2 * this.scale) / this.width, (2 * this.scale) / this.height]
    const [a, b] = [(FAR + NEAR) / (NEAR - FAR), (2 * FAR * NEAR) / (NEAR - FAR)]
    for (let column = 0; column < 4; column++) {
      matrix[4 * column] = fx * view[column]
      matrix[4 * column + 1] = fy * view[4 + column]
      matrix[4 * column + 2] = a * view[8 + column] + (column === 3 ? b : 0)
      matrix[4 * column + 3] = -view[8 + column]
    }
  }

  /** Where a place is on the page. */
  spot(x: number, y: number, z: number): Spot {
    const { view, width, height, scale } = this
    const depth = -(view[8] * x + view[9] * y + view[10] * z + view[11])
    const right = view[0] * x + view[1] * y + view[2] * z + view[3]
    const up = view[4] * x + view[5] * y + view[6] * z + view[7]
    return { x: width / 2 + (right / depth) * scale, y: height / 2 - (up / depth) * scale, depth }
  }
}
