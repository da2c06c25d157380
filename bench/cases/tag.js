// A tag is added to all of n entities that have a component. Which these are is found in the timed run, by a query.
const placeOf = (i) => i

function tagging({ addToAll, removeFromAll, tagged, values }) {
  return {
    before: () => void (tagged() > 0 && removeFromAll()),
    run: addToAll,
    result() {
      const found = [tagged()]
      removeFromAll()
      return [...found, tagged(), ...values()]
    },
  }
}

function raw(size) {
  const x = Float32Array.from({ length: size }, (_, i) => placeOf(i))
  const flags = new Uint8Array(size)
  return tagging({
    addToAll: () => void flags.fill(1),
    removeFromAll: () => void flags.fill(0),
    tagged: () => flags.reduce((sum, flag) => sum + flag, 0),
    values: () => [...x],
  })
}

const strata = (addToAll) => async (size) => {
  const { component, createWorld, f32, tag } = await import('../../dist/index.js')
  const [Sample, Frozen] = [component('Sample', { x: f32 }), tag('Frozen')]
  const world = createWorld()
  const [samples, frozen] = [world.query(Sample), world.query(Frozen)]
  const handles = world.spawnMany(size, [Sample])
  for (let i = 0; i < size; i++) world.set(handles[i], Sample, { x: placeOf(i) })
  return tagging({
    addToAll: () => addToAll(world, samples, Frozen),
    removeFromAll: () => frozen.remove(Frozen),
    tagged: () => frozen.count,
    values: () => Array.from(handles, (handle) => world.get(handle, Sample).x),
  })
}

function strataByCall(world, samples, Frozen) {
  const found = samples.entities()
  for (let i = 0; i < found.length; i++) world.add(found[i], Frozen)
}

async function bitecs(size) {
  const { addComponent, addEntity, asBuffer, createWorld, query, removeComponent } = await import('bitecs')
  const world = createWorld()
  const Position = { x: new Float32Array(size + 1) }
  const Frozen = {}
  const ids = Array.from({ length: size }, (_, i) => {
    const id = addEntity(world)
    addComponent(world, id, Position)
    Position.x[id] = placeOf(i)
    return id
  })
  return tagging({
    tagged: () => query(world, [Frozen], asBuffer).length,
    addToAll() {
      const found = query(world, [Position], asBuffer)
      for (let i = 0; i < found.length; i++) addComponent(world, found[i], Frozen)
    },
    removeFromAll() {
      const found = query(world, [Frozen], asBuffer).slice()
      for (let i = 0; i < found.length; i++) removeComponent(world, found[i], Frozen)
    },
    values: () => ids.map((id) => Position.x[id]),
  })
}

async function piecs(size) {
  const { World, createEntitySystem } = await import('piecs/dist/index.mjs')
  const world = new World()
  const [Position, Frozen] = [world.createComponentId(), world.createComponentId()]
  const [plain, frozen] = [world.prefabricate([Position]), world.prefabricate([Position, Frozen])]
  for (const archetype of [plain, frozen]) {
    const nothing = createEntitySystem(
      () => {},
      (query) => query.prefabricated(archetype),
    )
    world.registerSystem(nothing)
  }
  world.initialize()
  const x = new Float32Array(size)
  const ids = Array.from({ length: size }, (_, i) => {
    const id = world.createEntity(plain)
    x[id] = placeOf(i)
    return id
  })
  const moveAll = (from, to) => {
    const { entities } = from
    for (let i = entities.length - 1; i >= 0; i--) world.transformEntity(entities[i], to)
  }
  return tagging({
    tagged: () => frozen.entities.length,
    addToAll: () => moveAll(plain, frozen),
    removeFromAll: () => moveAll(frozen, plain),
    values: () => ids.map((id) => x[id]),
  })
}

export default {
  name: 'tag',
  title: 'Tag: added to every entity that a query finds',
  sizes: [10_000, 1_000_000],
  /** How many have the tag after the run, how many after it was removed again, and every value. */
  reference: (size) => [size, 0, ...Array.from({ length: size }, (_, i) => placeOf(i))],
  ways: {
    raw: { 'flag by id': raw },
    strata: {
      'per call': strata(strataByCall),
      'query.add': strata((_, samples, Frozen) => samples.add(Frozen)),
    },
    bitecs: { 'per call': bitecs },
    piecs: { transformEntity: piecs },
  },
}
