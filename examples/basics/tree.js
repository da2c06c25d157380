// Shows a scene graph: parents before children, copies of whole trees, and a subtree that dies with its root.

import {
  cascade,
  component,
  createAccessor,
  createWorld,
  depthOf,
  descendants,
  f32,
  relation,
  cloneTree,
} from 'strata-ecs'

const Local = component('Local', { x: f32 })
const Global = component('Global', { x: f32 })
const ChildOf = relation('ChildOf', { exclusive: true, onTargetDestroy: 'destroy' })

const world = createWorld()
const body = world.spawn(Local({ x: 10 }), Global)
const arm = world.spawn(Local({ x: 2 }), Global, ChildOf(body))
const hand = world.spawn(Local({ x: 1 }), Global, ChildOf(arm))

// `cascade` visits level by level, so each parent is done before its children.
const nodes = world.query(Local, Global, cascade(ChildOf))
const globals = createAccessor(world, Global)
function place() {
  nodes.each((node, local, global) => {
    const parent = world.target(node, ChildOf)
    global.x = local.x + (world.isAlive(parent) ? globals.of(parent).x : 0)
  })
}
place()
console.log(world.get(hand, Global), depthOf(world, hand, ChildOf)) // { x: 13 } 2

// A copy of the body with all that hangs on it, elsewhere.
const [twin] = cloneTree(world, body, 1, Local({ x: 50 }))
place()
const [, twinHand] = descendants(world, twin, ChildOf)
console.log(world.get(twinHand, Global), world.stats().entities) // { x: 53 } 6

// The hand changes its owner: a link that is exclusive is replaced.
world.add(hand, ChildOf(twin))
place()
console.log(world.get(hand, Global)) // { x: 51 }

world.destroy(twin)
console.log(world.isAlive(hand), world.stats().entities) // false 2
