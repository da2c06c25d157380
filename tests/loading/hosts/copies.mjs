// Runs the program by two copies of the library in one process, and then hands what one has made to the other.
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import * as library from 'strata-ecs'
import * as loops from 'strata-ecs/compile'
import { everywhere } from '../everywhere.js'

const other = await import('../copy/index.js')
const otherLoops = await import('../copy/compile.js')
const { inspect } = await import('../copy/inspect.js')
const { toArrow } = await import('../copy/arrow.js')
const { createPoints } = await import('../copy/three.js')
const { useComponent, useCount, useQuery } = await import('../copy/react.js')
const { workers } = await import('../copy/workers.js')

const { component, createAccessor, createKernel, f32, createWorld, not, resource, relation, tag, vec } =
  library
const Own = component('Own', { x: f32 })
const Theirs = other.component('Theirs', { x: other.f32 })
const TheirTag = other.tag('TheirTag')
const TheirTime = other.resource('TheirTime', { dt: other.f32 })
const TheirLink = other.relation('TheirLink', { exclusive: true })
const world = createWorld()
const entity = world.spawn(Own)
const query = world.query(Own)
const theirWorld = other.createWorld()

const PLAIN = { mode: 'javascript' }
const rise = (own) => void (own.x += 1)
const riseBy = (own, { TheirTime }) => void (own.x += TheirTime.dt)
const rendered = (hook) => renderToString(createElement(() => hook()))

const calls = {
  spawn: () => world.spawn(Theirs),
  add: () => world.add(entity, Theirs({ x: 1 })),
  tag: () => world.has(entity, TheirTag),
  set: () => world.set(entity, Theirs, { x: 1 }),
  query: () => world.query(Theirs),
  term: () => world.query(Own, other.not(Theirs)),
  inside: () => world.query(not(Theirs)),
  order: () => world.query(Own, other.inCreationOrder()),
  cascade: () => world.query(Own, other.cascade(TheirLink)),
  field: () => component('X', { x: other.f32 }),
  vec: () => vec(other.f32, 3),
  resource: () => world.resource(TheirTime),
  link: () => world.add(entity, TheirLink(entity)),
  'query of links': () => world.query(TheirLink(entity)),
  'not a link': () => not(TheirLink(entity)),
  target: () => world.target(entity, TheirLink),
  createAccessor: () => createAccessor(world, Theirs),
  schedule: () => other.createSchedule(world),
  commands: () => other.createCommands(world),
  onAdd: () => other.onAdd(world, Theirs, () => {}),
  onEnter: () => other.onEnter(query, () => {}),
  onChange: () => other.onChange(query, () => {}),
  saveWorld: () => other.saveWorld(world),
  loadWorld: () => library.loadWorld(library.saveWorld(world), { components: [Theirs] }),
  snapshotWorld: () => other.snapshotWorld(world),
  restoreWorld: () => library.restoreWorld(world, other.snapshotWorld(theirWorld)),
  history: () => other.createHistory(world, { frames: 1 }),
  forkWorld: () => other.forkWorld(world),
  setMany: () => other.setMany(world, [entity], Theirs, { x: [1] }),
  sortedEntities: () => other.sortedEntities(query, Theirs, 'x'),
  sumOf: () => library.sumOf(query, Theirs, 'x'),
  setColumn: () => library.setColumn(query, Theirs, 'x', [1]),
  getColumn: () => library.getColumn(query, Theirs, 'x'),
  'getColumn of theirs': () => other.getColumn(query, Own, 'x'),
  createSpawner: () => library.createSpawner(world, Theirs),
  'createSpawner of fields': () => library.createSpawner(world, [Theirs, 'x']),
  'createSpawner of theirs': () => other.createSpawner(world, Own),
  inspect: () => inspect(world),
  'a loop over their component': () => query.run(loops.compile([Theirs], rise)),
  'a loop with their resource': () => query.run(loops.compile([Own], { TheirTime }, riseBy)),
  'a loop compiled by theirs': () => query.run(otherLoops.compile([Own], rise)),
  'a loop over their component, by theirs': () => query.run(otherLoops.compile([Theirs], rise)),
  'a loop over their component, as JavaScript': () => query.run(loops.compile([Theirs], rise, PLAIN)),
  'a loop with their resource, as JavaScript': () =>
    query.run(loops.compile([Own], { TheirTime }, riseBy, PLAIN)),
  'a loop over their component, by theirs, as JavaScript': () =>
    query.run(otherLoops.compile([Theirs], rise, PLAIN)),
  'a loop with their resource, by theirs, as JavaScript': () =>
    query.run(otherLoops.compile([Own], { TheirTime }, riseBy, PLAIN)),
  'a kernel': () => createKernel(world, { kernel: 'k', runtime: other.kernelRuntime }, {}),
  'points of theirs': () =>
    createPoints(world, [Own], { material: {}, position: [Own, ['x', 'x']] }).update(),
  'points of their component': () =>
    createPoints(theirWorld, [Own], { material: {}, position: [Own, ['x', 'x']] }),
  'a hook of theirs about an entity': () => rendered(() => useComponent(world, entity, Theirs)?.x),
}
/** What is of no copy, or known to both. */
const taken = {
  'a loop compiled by theirs, as JavaScript': () => {
    world.set(entity, Own, { x: 1 })
    query.run(otherLoops.compile([Own], rise, PLAIN))
    return world.get(entity, Own).x
  },
  'a table of theirs': () => toArrow(query).numRows,
  'a hook of theirs about a query': () => rendered(() => useQuery(query).length + useCount(query)),
  'their workers': () => {
    const pool = workers({ count: 0 })
    return createWorld({ workers: pool }).spawn(Own) > 0 && pool.stats().workers
  },
}
const silent = Object.entries(calls).flatMap(([name, call]) => {
  try {
    call()
    return [`${name}: taken`]
  } catch (error) {
    return /another copy of strata-ecs|one copy of strata-ecs/.test(error.message)
      ? []
      : [`${name}: ${error.message}`]
  }
})
// What is refused of this copy's own is not said to be of another.
const own = [
  () => world.spawn(not(Own)),
  () => world.resource(tag('T')),
  () => library.createSchedule(query),
  () => world.spawn(world, relation, resource),
]
const wrong = own.filter((call) => {
  try {
    call()
  } catch (error) {
    return /copy/.test(error.message)
  }
})
const results = Object.fromEntries(
  Object.entries(taken).map(([name, call]) => {
    try {
      return [name, call()]
    } catch (error) {
      return [name, error.message]
    }
  }),
)
process.stdout.write(
  JSON.stringify({
    results,
    answers: [everywhere(library, loops), everywhere(other, otherLoops)],
    silent,
    wrong: wrong.length,
  }),
)
