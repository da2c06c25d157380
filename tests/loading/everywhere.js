// The program that runs in every host: each room of the library once, with values of another realm where there is one, and with errors.
// It imports nothing: a host says where it has the library from.

/** What a call throws, as a program sees it. */
function refused(isStrataError, call) {
  try {
    call()
    return 'nothing'
  } catch (error) {
    if (!isStrataError(error)) throw error
    return `${error.name} ${error.code}`
  }
}

/**
 * Uses the library. The answer is text, the same in every host.
 *
 * @param library the names of strata-ecs
 * @param loops those of strata-ecs/compile
 * @param other a realm: what its classes make is given to the calls
 * @param form the form in which loops run here
 * @param options of createWorld
 */
export function everywhere(
  library,
  { compile },
  { other = globalThis, form = 'compiled', options = {} } = {},
) {
  const {
    added,
    cascade,
    changed,
    getColumn,
    component,
    createCommands,
    createHistory,
    createSchedule,
    createSpawner,
    createWorld,
    digestWorld,
    f32,
    inCreationOrder,
    loadFromJSON,
    loadWorld,
    mergeWorld,
    not,
    object,
    onAdd,
    onEnter,
    onRemove,
    relation,
    resource,
    restoreWorld,
    saveToJSON,
    saveWorld,
    setMany,
    spawnMany,
    snapshotWorld,
    sortedEntities,
    sumOf,
    tag,
    text,
    u8,
    vec,
  } = library
  const Position = component('Position', { x: f32, y: f32 }, { trackChanges: 'row' })
  const Bones = component('Bones', { at: vec(f32, 3) })
  // Names that every object inherits.
  const Odd = component('Odd', { constructor: u8, toString: f32, valueOf: u8 })
  const Name = component('Name', { value: text })
  const Frozen = tag('Frozen')
  const ChildOf = relation('ChildOf', { weight: f32 }, { exclusive: true })
  const Likes = relation('Likes', { much: f32 })
  const Bag = object('Bag', { save: (value) => value, load: (value) => value, revive: () => ({}) })
  const Gravity = resource('Gravity', { k: f32 })
  const Options = resource('Options', { save: (value) => value, load: (value) => value })
  const components = [Position, Bones, Odd, Name, Frozen, ChildOf, Likes, Bag, Gravity, Options]

  const told = []
  const plain = (value) => other.JSON.parse(JSON.stringify(value))
  const floats = (...values) => other.Float32Array.from(values)
  const world = createWorld(options)
  onAdd(world, Position, () => told.push('add'))
  onRemove(world, Frozen, () => told.push('remove'))
  onEnter(world.query(Position, not(Frozen)), () => told.push('enter'))

  // Changes, one and many.
  const one = world.spawn(
    Position(plain({ x: 1, y: 2 })),
    Name({ value: 'Zoë 🚀 \ud800' }),
    Frozen,
    Bones({ at: floats(1, 2, 3) }),
  )
  const two = world.spawn(
    Position,
    ChildOf(one, { weight: 2 }),
    Bag(plain({ a: [1, 2] })),
    Odd({ constructor: 7, toString: 1.5 }),
  )
  const many = spawnMany(world, 3, [Position({ x: 9 })])
  world.remove(one, Frozen)
  setMany(world, other.Uint32Array.from(many), Position, {
    x: floats(3, 4, 5),
    y: other.Array.from([6, 7, 8]),
  })
  world.setTargets(two, Likes, other.Array.from([one, many[0]]), { values: { much: floats(1, 2) } })
  world.resource(Gravity).k = 10
  world.setResource(Options, plain({ keys: ['a'], size: -0 }))
  const commands = createCommands(world)
  commands.add(many[1], Frozen)
  commands.apply()
  const spawned = createSpawner(world, [Position, 'x'])(0.5)

  // Reading, in every way.
  const moving = world.query(Position, not(Frozen))
  for (const chunk of moving) {
    const { x } = chunk.write(Position)
    for (let i = chunk.start; i < chunk.end; i++) x[i] += 1
  }
  moving.each((entity, position) => void (position.y += 1))
  const copy = world.get(two, Odd)
  const seen = [
    moving.count,
    world.query(changed(Position)).count,
    world.query(added(Bones)).count,
    [...world.query(Position, inCreationOrder()).entities()].length,
    [...world.query(ChildOf, cascade(ChildOf)).entities()].length,
    sortedEntities(world.query(Position), Position, 'x').length,
    sumOf(moving, Position, 'x'),
    getColumn(moving, Position, 'y', { into: new other.Float32Array(8) }),
    Array.from(getColumn(moving, Position, 'y')),
    [copy.constructor, copy.toString, copy.valueOf],
    Array.from(world.get(one, Bones).at),
    world.get(one, Name).value.length,
    world.target(two, ChildOf) === one,
    world.targets(two, Likes, { into: new other.Uint32Array(4) }),
    world.get(spawned, Position).x,
  ]

  // A loop, compiled or as JavaScript.
  const fall = compile(
    [Position],
    { dt: f32, Gravity },
    (position, { dt, Gravity }) => {
      position.y -= Gravity.k * dt
      return position.y
    },
    { result: 'sum' },
  )
  seen.push(
    moving.run(fall, { dt: 0.5 }),
    fall.mode === form ? 'as expected' : `${fall.mode}: ${fall.reason}`,
  )

  // Systems.
  const schedule = createSchedule(world)
    .phase('physics', { after: 'pre', fixedStep: 0.25 })
    .add(() => void told.push('step'), { name: 'step', phase: 'physics' })
    .add({ name: 'draw', run: (_, dt) => void told.push(dt) })
  schedule.run(-0.001)
  schedule.run(0.5)

  // The past, files, and what is refused.
  const before = snapshotWorld(world)
  const sum = digestWorld(world)
  const history = createHistory(world, { frames: 2 })
  history.save()
  world.destroy(one)
  restoreWorld(world, before)
  const bytes = other.Uint8Array.from(saveWorld(world))
  const { world: loaded, handles } = loadWorld(bytes, { ...options, components })
  const merged = mergeWorld(loaded, bytes, { components })
  const { world: read } = loadFromJSON(saveToJSON(world), { ...options, components })
  seen.push(digestWorld(world) === sum, loaded.stats().entities, merged.handles.size, read.stats().entities)
  seen.push(
    loaded.get(handles.get(one), Name),
    loaded.get(handles.get(two), Bag),
    Object.is(read.resource(Options).size, -0),
  )
  world.destroy(many[2])
  seen.push(
    refused(library.isStrataError, () => world.set(many[2], Position, { x: 1 })),
    refused(library.isStrataError, () => world.spawn(Position({ z: 1 }))),
    refused(library.isStrataError, () => world.get(one, 'Position')),
    refused(library.isStrataError, () => loadWorld(new other.Uint8Array(3), { ...options, components })),
    String(world).startsWith('World('),
  )
  for (const each of [world, loaded, read]) each.dispose()
  return JSON.stringify({ told, seen })
}
