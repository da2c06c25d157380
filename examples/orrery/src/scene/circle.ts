// The circle around a body that goes through a point.

const TURN = 2 * Math.PI

/**
 * What of an orbit lets a body be where it is, around another parent.
 *
 * @param parent the parent's matrix in the world, which turns and moves only
 * @param body the body's matrix in the world
 * @param turned turns that the body's speed has brought it until now
 */
export function circleThrough(parent: ArrayLike<number>, body: ArrayLike<number>, turned: number) {
  const [dx, dy, dz] = [12, 13, 14].map((k) => body[k] - parent[k])
  // The inverse of a rotation is its transpose.
  const along = (k: number) => parent[k] * dx + parent[k + 1] * dy + parent[k + 2] * dz
  const [x, y, z] = [along(0), along(4), along(8)]
  const before = Math.hypot(x, y, z)
  const angle = Math.atan2(Math.hypot(y, z), x)
  const phase = angle / TURN - turned
  return { phase: phase - Math.floor(phase), tilt: Math.atan2(y, -z), before }
}
