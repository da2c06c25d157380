// Owns the proof that a frame leaves no garbage: 10,000 frames in steady state, one process for each kind of frame,
// heap growth counted in bytes. It must never let a collection hide what was allocated: the young generation is
// made larger than anything a run could leave, and every collection that V8 traces during the frames is an error.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { component, createWorld, f32, tag } from '../dist/index.js'

const FRAMES = 10_000
const WARM_UP_FRAMES = 4_000
const ENTITIES = 10_000
/** What the counters themselves and a late compilation may leave, spread over the frames. */
const BYTES_PER_FRAME_ALLOWED = 4
/** Of so many runs the one that left least counts: what V8 compiles late falls into one, garbage of frames into all. */
const ROUNDS = 3

const Position = component('Position', { x: f32, y: f32, z: f32 })
const Velocity = component('Velocity', { x: f32, y: f32, z: f32 })
const Frozen = tag('Frozen')

/** Each kind makes a world and returns the work of one frame. The strict ones decide the exit code. */
const kinds = {
  'chunk loop, views': { strict: true, frame: chunkLoop },
  'chunk loop, expert path': { strict: true, frame: expertLoop },
  'each with cursors': { strict: false, frame: eachLoop },
  'get by accessor, 100 entities': { strict: false, frame: accessorReads },
  'chunk loop + 100 x add and remove a tag, by call': { strict: false, frame: withTags },
  'chunk loop + 100 x add and remove a component, by call': { strict: false, frame: withComponents },
  'chunk loop + 100 x spawn and destroy, by call': { strict: false, frame: withSpawns },
  'chunk loop + 10 of each: spawn, destroy, add, remove': { strict: false, frame: withAll },
  'the same with values: spawn(Position({ x: 1 }), ...)': { strict: false, frame: withValues },
  'chunk loop + add, remove and destroy by query, spawnMany': { strict: false, frame: withBulk },
}

const childKind = process.argv[2]
if (childKind === undefined) runAll()
else if (childKind === '--json') process.stdout.write(JSON.stringify(measureStrict()))
else process.stdout.write(`\n@${JSON.stringify(measure(kinds[childKind].frame))}\n`)

function runAll() {
  console.log(
    `${FRAMES.toLocaleString('en')} frames, ${ENTITIES.toLocaleString('en')} entities, steady state\n`,
  )
  const width = Math.max(...Object.keys(kinds).map((name) => name.length))
  console.log(`${'frame'.padEnd(width)}  bytes/frame  collections  outside the heap`)
  let failed = false
  for (const [name, { strict }] of Object.entries(kinds)) {
    const { bytes, outside, collections } = measureInChild(name)
    const perFrame = bytes / FRAMES
    const tooMuch = strict && (perFrame > BYTES_PER_FRAME_ALLOWED || collections > 0 || outside > 0)
    failed ||= tooMuch
    // A collection took part of what was allocated: the difference is then only a lower bound.
    const bytesText = `${collections > 0 ? '> ' : ''}${perFrame.toFixed(2)}`
    const cells = [bytesText.padStart(11), String(collections).padStart(11), `${outside} bytes`.padStart(16)]
    console.log(`${name.padEnd(width)}  ${cells.join('  ')}${tooMuch ? '  TOO MUCH' : ''}`)
  }
  console.log(`\nThe chunk loops may leave at most ${BYTES_PER_FRAME_ALLOWED} bytes a frame.`)
  process.exitCode = failed ? 1 : 0
}

/** Bytes and collections a frame of the strict kinds, by their names. */
function measureStrict() {
  const strict = Object.keys(kinds).filter((name) => kinds[name].strict)
  return Object.fromEntries(
    strict.map((name) => {
      const { bytes, outside, collections } = measureInChild(name)
      return [name, { bytes: (bytes + outside) / FRAMES, collections }]
    }),
  )
}

function measureInChild(name) {
  const flags = ['--expose-gc', '--trace-gc', '--max-semi-space-size=256', '--min-semi-space-size=256']
  const output = execFileSync(process.execPath, [...flags, fileURLToPath(import.meta.url), name], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  const measured = JSON.parse(/^@(.*)$/m.exec(output)[1])
  // The forced collection just before the frames is the last one that may be traced.
  const traced = output.split('\n').filter((line) => /Scavenge|Mark-Compact|Mark-sweep/i.test(line))
  const lastForced = traced.findLastIndex((line) => /testing/i.test(line))
  if (lastForced < 0) throw new Error('the forced collection was not traced')
  return { ...measured, collections: traced.length - 1 - lastForced }
}

function measure(createFrame) {
  const { world, frame } = createFrame()
  for (let i = 0; i < WARM_UP_FRAMES; i++) frame()
  const wanted = world.query(Position).count
  const rounds = Array.from({ length: ROUNDS }, () => measureRound(frame))
  const found = world.query(Position).count
  if (found !== wanted) throw new Error(`not a steady state: ${wanted} entities before, ${found} after`)
  const least = (figure) => Math.min(...rounds.map((round) => round[figure]))
  return { bytes: least('bytes'), outside: least('outside') }
}

function measureRound(frame) {
  // Twice: the first collection runs what waits for a collection, the second takes what that left.
  globalThis.gc()
  globalThis.gc()
  const before = process.memoryUsage()
  for (let i = 0; i < FRAMES; i++) frame()
  const after = process.memoryUsage()
  return { bytes: after.heapUsed - before.heapUsed, outside: after.arrayBuffers - before.arrayBuffers }
}

function createMoving() {
  const world = createWorld()
  const moving = world.query(Position, Velocity)
  const handles = world.spawnMany(ENTITIES, [Position, Velocity])
  function move() {
    for (const chunk of moving) {
      const p = chunk.write(Position)
      const v = chunk.read(Velocity)
      for (let i = chunk.start; i < chunk.end; i++) p.x[i] += v.x[i]
    }
  }
  return { world, moving, handles, move }
}

function chunkLoop() {
  const { world, move } = createMoving()
  return { world, frame: move }
}

function expertLoop() {
  const { world, moving } = createMoving()
  function frame() {
    for (const chunk of moving) {
      const heap = chunk.heap.f32
      const x = chunk.index(Position, 'x')
      const stride = chunk.index(Velocity, 'x') - x
      for (let i = x + chunk.start, end = x + chunk.end; i < end; i++) heap[i] += heap[i + stride]
      chunk.touch(Position)
    }
  }
  return { world, frame }
}

function eachLoop() {
  const { world, moving } = createMoving()
  const move = (entity, p, v) => {
    p.x += v.x
  }
  return { world, frame: () => moving.each(move) }
}

function accessorReads() {
  const { world, handles } = createMoving()
  const position = world.accessor(Position)
  function frame() {
    for (let i = 0; i < 100; i++) position.of(handles[i]).x += 1
  }
  return { world, frame }
}

function withTags() {
  const { world, handles, move } = createMoving()
  function frame() {
    move()
    for (let i = 0; i < 100; i++) world.add(handles[i], Frozen)
    for (let i = 0; i < 100; i++) world.remove(handles[i], Frozen)
  }
  return { world, frame }
}

function withComponents() {
  const { world, handles, move } = createMoving()
  function frame() {
    move()
    for (let i = 0; i < 100; i++) world.remove(handles[i], Velocity)
    for (let i = 0; i < 100; i++) world.add(handles[i], Velocity)
  }
  return { world, frame }
}

/** Spawns into and destroys from a ring, so that the oldest goes first. */
function createRing(world, spawn, length) {
  const ring = new Uint32Array(length)
  for (let i = 0; i < length; i++) ring[i] = spawn(world)
  let next = 0
  return function turn(count) {
    for (let i = 0; i < count; i++) {
      world.destroy(ring[next])
      ring[next] = spawn(world)
      next = (next + 1) % length
    }
  }
}

function withSpawns() {
  const { world, move } = createMoving()
  const turn = createRing(world, () => world.spawn(Position, Velocity), 1_000)
  function frame() {
    move()
    turn(100)
  }
  return { world, frame }
}

function createAll(spawn) {
  const { world, handles, move } = createMoving()
  const turn = createRing(world, spawn, 1_000)
  function frame() {
    move()
    turn(10)
    for (let i = 0; i < 10; i++) world.add(handles[i], Frozen)
    for (let i = 0; i < 10; i++) world.remove(handles[i], Frozen)
  }
  return { world, frame }
}

function withAll() {
  return createAll((world) => world.spawn(Position, Velocity))
}

function withValues() {
  return createAll((world) => world.spawn(Position({ x: 1 }), Velocity))
}

function withBulk() {
  const { world, moving, move } = createMoving()
  const frozen = world.query(Position, Frozen)
  const short = world.query(Frozen)
  function frame() {
    move()
    moving.add(Frozen)
    frozen.remove(Frozen)
    world.spawnMany(10, [Frozen])
    short.destroy()
  }
  return { world, frame }
}
