// Changes that somebody may listen to: nobody, somebody else, or somebody who listens to this component. The work is that of
// spawn and destroy, and of add and remove. Listeners count what they hear, so that nothing can be left out.

/** `heard` is what is listened to: nothing, the other component, or the one that comes and goes. */
const listened = (work, heard) => async (size) => {
  const library = await import('../../dist/index.js')
  const { component, createWorld, f32, onAdd, onRemove } = library
  const Position = component('Position', { x: f32, y: f32, z: f32 })
  const [Added, Elsewhere] = ['Added', 'Elsewhere'].map((name) => component(name, { value: f32 }))
  const world = createWorld()
  const stage = { library, world, Position, Added, all: world.query(Position, Added), count: 0 }
  const listen = { Added, Elsewhere }[heard]
  if (listen) {
    onAdd(world, listen, () => void stage.count++)
    onRemove(world, listen, () => void stage.count++)
  }
  const { run, result } = work(stage, size)
  return {
    run() {
      stage.count = 0
      run()
    },
    result() {
      if (stage.count !== (heard === 'Added' ? 2 * size : 0)) throw new Error(`heard ${stage.count} events`)
      return result()
    },
  }
}

function addRemove({ library, world, Position, Added, all }, size) {
  const handles = library.spawnMany(world, size, [Position])
  const position = library.createAccessor(world, Position)
  for (let i = 0; i < size; i++) position.of(handles[i]).x = i
  let added = 0
  return {
    run() {
      for (let i = 0; i < size; i++) world.add(handles[i], Added)
      added = all.count
      for (let i = 0; i < size; i++) world.remove(handles[i], Added)
    },
    result: () => [added, world.query(Added).count, ...Array.from(handles, (e) => world.get(e, Position).x)],
  }
}

function spawn({ library, world, Position, Added, all }, size) {
  let made = 0
  return {
    run() {
      for (let i = 0; i < size; i++) world.spawn(Position, Added)
      made = all.count
      library.destroyMany(all)
    },
    result: () => [made, all.count],
  }
}

const observed = (name, title, work, reference) => ({
  ...{ name, title, sizes: [1_000, 10_000], reference },
  ways: {
    strata: {
      'nobody listens': listened(work, 'none'),
      'to another component': listened(work, 'Elsewhere'),
      'to this one': listened(work, 'Added'),
    },
  },
})

export default [
  observed(
    'observed-add-remove',
    'Add + remove of one component by kept handles, listened to or not',
    addRemove,
    // After the adds: how many have both. After the removes: how many have it, every x.
    (size) => [size, 0, ...Array.from({ length: size }, (_, i) => i)],
  ),
  observed(
    'observed-spawn',
    'Spawn of two components, then destroy by query, listened to or not',
    spawn,
    // How many there were, how many are left.
    (size) => [size, 0],
  ),
]
