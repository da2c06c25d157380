// The same scene as a graph of JavaScript objects, as scene graphs are usually written: each node has its matrices and a list of
// children, and is updated after its parent.

import type { Entity } from 'strata-ecs'
import { BODIES } from './components.ts'
import type { Orrery } from './orrery.ts'

const TURN = 2 * Math.PI
const DRIFT = 12

export interface Node {
  orbit: { phase: number; speed: number; tilt: number; radius: number; before: number; since: number }
  readonly slot: number
  readonly local: Float32Array
  readonly world: Float32Array
  parent: Node | undefined
  readonly children: Node[]
}

export function createPlain(orrery: Orrery) {
  const nodes = new Map<Entity, Node>()
  const places = new Float32Array(4 * BODIES)
  orrery.bodies.forEach((entity, slot) => {
    const [local, world] = [new Float32Array(16), new Float32Array(16)]
    nodes.set(entity, { orbit: orrery.orbitOf(entity), slot, local, world, parent: undefined, children: [] })
  })
  const roots: Node[] = []
  for (const [entity, node] of nodes) {
    node.parent = nodes.get(orrery.parentOf(entity))
    ;(node.parent?.children ?? roots).push(node)
  }

  function update(node: Node, time: number): void {
    turn(node, time)
    if (node.parent === undefined) node.world.set(node.local)
    else multiply(node.world, node.parent.world, node.local)
    for (let k = 0; k < 4; k++) places[4 * node.slot + k] = node.world[12 + k]
    for (const child of node.children) update(child, time)
  }

  return {
    /** As step of the orrery. */
    step(time: number): Float32Array {
      for (const root of roots) update(root, time)
      return places
    },
    hang(entity: Entity, parent: Entity): void {
      const [node, above] = [nodes.get(entity)!, nodes.get(parent)!]
      const siblings = node.parent?.children ?? roots
      siblings.splice(siblings.indexOf(node), 1)
      above.children.push(node)
      node.parent = above
      node.orbit = orrery.orbitOf(entity)
    },
  }
}

export type Plain = ReturnType<typeof createPlain>

function turn({ orbit, local: m }: Node, time: number): void {
  const turns = orbit.phase + orbit.speed * time
  const angle = (turns - Math.floor(turns)) * TURN
  const [c, s] = [Math.cos(angle), Math.sin(angle)]
  const [ct, st] = [Math.cos(orbit.tilt), Math.sin(orbit.tilt)]
  const age = time - orbit.since
  let r = orbit.radius
  if (age < DRIFT) r += (orbit.before - r) * Math.exp(-age)
  m[0] = c
  m[1] = st * s
  m[2] = -ct * s
  m[5] = ct
  m[6] = st
  m[8] = s
  m[9] = -st * c
  m[10] = ct * c
  m[12] = c * r
  m[13] = st * s * r
  m[14] = -ct * s * r
  m[15] = 1
}

function multiply(to: Float32Array, a: Float32Array, b: Float32Array): void {
  for (let column = 0; column < 16; column += 4) {
    const [x, y, z, w] = [b[column], b[column + 1], b[column + 2], b[column + 3]]
    to[column] = a[0] * x + a[4] * y + a[8] * z + a[12] * w
    to[column + 1] = a[1] * x + a[5] * y + a[9] * z + a[13] * w
    to[column + 2] = a[2] * x + a[6] * y + a[10] * z + a[14] * w
    to[column + 3] = a[3] * x + a[7] * y + a[11] * z + a[15] * w
  }
}
