// From the import of a library to the first entity with a Position { x y: f32 } that can be read again, WebAssembly and all;
// once in each process. No library is imported before. Files come from the disk's cache: parsing, compiling, making is measured.
const [X, Y] = [1.5, -2]

/** @param start imports, makes a world and an entity, and gives what reads its values */
const starting = (start) => () => {
  let read
  return { run: async () => void (read = await start()), result: () => read() }
}

const strata = starting(async () => {
  const { component, createWorld, f32 } = await import('../../dist/index.js')
  const Position = component('Position', { x: f32, y: f32 })
  const world = createWorld()
  const entity = world.spawn(Position({ x: X, y: Y }))
  const found = world.get(entity, Position)
  return () => [found.x, found.y]
})

const bitecs = starting(async () => {
  const { addComponent, addEntity, createWorld } = await import('bitecs')
  const Position = { x: [], y: [] }
  const world = createWorld()
  const id = addEntity(world)
  addComponent(world, id, Position)
  Position.x[id] = X
  Position.y[id] = Y
  return () => [Position.x[id], Position.y[id]]
})

const piecs = starting(async () => {
  const { World } = await import('piecs/dist/index.mjs')
  const position = { x: [], y: [] }
  const world = new World()
  const archetype = world.prefabricate([world.createComponentId()])
  world.initialize()
  const id = world.createEntity(archetype)
  position.x[id] = X
  position.y[id] = Y
  return () => [position.x[id], position.y[id]]
})

const koota = starting(async () => {
  const { createWorld, trait } = await import('koota')
  const Position = trait({ x: 0, y: 0 })
  const entity = createWorld().spawn(Position({ x: X, y: Y }))
  const found = entity.get(Position)
  return () => [found.x, found.y]
})

const miniplex = starting(async () => {
  const { World } = await import('miniplex')
  const world = new World()
  world.add({ position: { x: X, y: Y } })
  const found = world.with('position').first.position
  return () => [found.x, found.y]
})

const wolf = starting(async () => {
  const { ECS, types } = await import('wolf-ecs')
  const ecs = new ECS()
  const Position = ecs.defineComponent({ x: types.f32, y: types.f32 })
  const id = ecs.createEntity()
  ecs.addComponent(id, Position)
  Position.x[id] = X
  Position.y[id] = Y
  return () => [Position.x[id], Position.y[id]]
})

export default {
  name: 'startup',
  title: 'Startup: import, a world, one entity',
  unit: 'start',
  units: 'start',
  sizes: [1],
  once: true,
  quantity: 'milliseconds',
  reference: () => [X, Y],
  ways: {
    strata: { createWorld: strata },
    bitecs: { createWorld: bitecs },
    piecs: { 'new World': piecs },
    koota: { createWorld: koota },
    miniplex: { 'new World': miniplex },
    wolf: { 'new ECS': wolf },
  },
}
