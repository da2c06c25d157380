// Changes that somebody may listen to: nobody, somebody else, or somebody who listens to this component. The work is that of
// spawn and destroy, and of add and remove. Listeners count what they hear, so that nothing can be left out.

const nobody = () => {}
function elsewhere(world, { Elsewhere }, hear) {
  world.onAdd(Elsewhere, hear)
  world.onRemove(Elsewhere, hear)
}
function here(world, { Added }, hear) {
  world.onAdd(Added, hear)
  world.onRemove(Added, hear)
}

async function createStage(listen) {
  const { component, createWorld, f32 } = await import('../../dist/index.js')
  const Position = component('Position', { x: f32, y: f32, z: f32 })
  const [Added, Elsewhere] = ['Added', 'Elsewhere'].map((name) => component(name, { value: f32 }))
  const world = createWorld()
  const all = world.query(Position, Added)
  const stage = { world, Position, Added, Elsewhere, all, heard: 0 }
  listen(world, stage, () => void stage.heard++)
  return stage
}

function refuseOtherCounts({ heard }, listen, size) {
  if (heard !== (listen === here ? 2 * size : 0)) throw new Error(`heard ${heard} events`)
}

const addRemove = (listen) => async (size) => {
  const stage = await createStage(listen)
  const { world, Position, Added, all } = stage
  const handles = world.spawnMany(size, [Position])
  const position = world.accessor(Position)
  for (let i = 0; i < size; i++) position.of(handles[i]).x = i
  let added = 0
  return {
    run() {
      stage.heard = 0
      for (let i = 0; i < size; i++) world.add(handles[i], Added)
      added = all.count
      for (let i = 0; i < size; i++) world.remove(handles[i], Added)
    },
    result() {
      refuseOtherCounts(stage, listen, size)
      return [added, world.query(Added).count, ...Array.from(handles, (e) => world.get(e, Position).x)]
    },
  }
}

const spawn = (listen) => async (size) => {
  const stage = await createStage(listen)
  const { world, Position, Added, all } = stage
  let made = 0
  return {
    run() {
      stage.heard = 0
      for (let i = 0; i < size; i++) world.spawn(Position, Added)
      made = all.count
      all.destroy()
    },
    result() {
      refuseOtherCounts(stage, listen, size)
      return [made, all.count]
    },
  }
}

const waysOf = (work) => ({
  strata: {
    'nobody listens': work(nobody),
    'to another component': work(elsewhere),
    'to this one': work(here),
  },
})

export default [
  {
    name: 'observed-add-remove',
    title: 'Add + remove of one component by kept handles, listened to or not',
    sizes: [1_000, 10_000],
    /** After the adds: how many have both. After the removes: how many have it, every x. */
    reference: (size) => [size, 0, ...Array.from({ length: size }, (_, i) => i)],
    ways: waysOf(addRemove),
  },
  {
    name: 'observed-spawn',
    title: 'Spawn of two components, then destroy by query, listened to or not',
    sizes: [1_000, 10_000],
    /** How many there were, how many are left. */
    reference: (size) => [size, 0],
    ways: waysOf(spawn),
  },
]
