// Runs the program by two copies of the library in one process, and then hands what one has made to the other.
import * as library from 'strata-ecs'
import * as loops from 'strata-ecs/compile'
import { everywhere } from '../everywhere.js'

const other = await import('../copy/index.js')
const otherLoops = await import('../copy/compile.js')
const { inspect } = await import('../copy/inspect.js')

const { component, f32, createWorld, not, resource, relation, tag, vec } = library
const Own = component('Own', { x: f32 })
const Theirs = other.component('Theirs', { x: other.f32 })
const TheirTag = other.tag('TheirTag')
const TheirTime = other.resource('TheirTime', { dt: other.f32 })
const TheirLink = other.relation('TheirLink', { exclusive: true })
const world = createWorld()
const entity = world.spawn(Own)
const query = world.query(Own)
const theirWorld = other.createWorld()

const calls = {
  spawn: () => world.spawn(Theirs),
  add: () => world.add(entity, Theirs({ x: 1 })),
  tag: () => world.has(entity, TheirTag),
  set: () => world.set(entity, Theirs, { x: 1 }),
  query: () => world.query(Theirs),
  term: () => world.query(Own, other.not(Theirs)),
  inside: () => world.query(not(Theirs)),
  order: () => world.query(Own, other.inOrder()),
  cascade: () => world.query(Own, other.cascade(TheirLink)),
  field: () => component('X', { x: other.f32 }),
  vec: () => vec(other.f32, 3),
  resource: () => world.resource(TheirTime),
  link: () => world.add(entity, TheirLink(entity)),
  'query of links': () => world.query(TheirLink(entity)),
  'not a link': () => not(TheirLink(entity)),
  target: () => world.target(entity, TheirLink),
  accessor: () => world.accessor(Theirs),
  schedule: () => other.createSchedule(world),
  commands: () => other.createCommands(world),
  onAdd: () => other.onAdd(world, Theirs, () => {}),
  onEnter: () => other.onEnter(query, () => {}),
  subscribe: () => other.subscribe(query, () => {}),
  saveWorld: () => other.saveWorld(world),
  loadWorld: () => library.loadWorld(library.saveWorld(world), { components: [Theirs] }),
  snapshot: () => other.snapshot(world),
  restore: () => library.restore(world, other.snapshot(theirWorld)),
  history: () => other.createHistory(world, { frames: 1 }),
  fork: () => other.fork(world),
  setMany: () => other.setMany(world, [entity], Theirs, { x: [1] }),
  sorted: () => other.sorted(query, Theirs, 'x'),
  sumOf: () => library.sumOf(query, Theirs, 'x'),
  inspect: () => inspect(world),
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
process.stdout.write(
  JSON.stringify({
    answers: [everywhere(library, loops), everywhere(other, otherLoops)],
    silent,
    wrong: wrong.length,
  }),
)
