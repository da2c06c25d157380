// Shows links between entities: with values, with many targets, and what becomes of them when a target is destroyed.

import { component, createWorld, not, relation, text, u8 } from 'strata-ecs'

const Name = component('Name', { text })
const Likes = relation('Likes', { weight: u8 })
const WorksFor = relation('WorksFor', { exclusive: true }) // at most one target

const world = createWorld()
const [ann, bob, eve] = ['Ann', 'Bob', 'Eve'].map((name) => world.spawn(Name({ text: name })))
const nameOf = (entity) => world.get(entity, Name).text
const namesOf = (entities) => Array.from(entities, nameOf).join(' and ')

world.add(ann, Likes(bob, { weight: 3 }))
world.add(ann, Likes(eve, { weight: 1 }))
world.add(eve, Likes(bob, { weight: 2 }))
console.log(namesOf(world.targets(ann, Likes)), '|', namesOf(world.sources(bob, Likes))) // Bob and Eve | Ann and Eve
console.log(world.get(ann, Likes(bob)), world.has(bob, Likes(ann))) // { weight: 3 } false

// A target in a query, and the lack of one.
console.log(namesOf(world.query(Name, Likes(bob), Likes(eve)).entities())) // Ann
console.log(namesOf(world.query(Name, not(Likes)).entities())) // Bob

// An exclusive link leads to one target: the next one takes its place.
world.add(ann, WorksFor(eve))
world.add(ann, WorksFor(bob))
console.log(nameOf(world.target(ann, WorksFor)), world.sourceCount(eve, WorksFor)) // Bob 0

// Whoever points at the dead loses the link. Other policies: 'destroy' and 'keep'.
world.destroy(bob)
console.log(world.targets(ann, Likes).length, world.has(eve, Likes), world.has(ann, WorksFor)) // 1 false false
