// Shows that the checked core finds, names and undoes whatever a kernel overwrites outside of its rows, and lets pass what it may
// do. The kernels are made by hand: the compiler would refuse them.

import binaryen from 'assemblyscript/binaryen'
import { beforeEach, describe, expect, it } from 'vitest'
import { CHUNKS_TABLE, ENTITIES_ALIVE, KERNEL_ARGUMENTS_ADDRESS } from '../../build/layout'
import { checkedText } from '../../build/checked'
import { checkedCore } from '../../bindings/checked'
import {
  createKernel,
  createGroup,
  sparse,
  spawnMany,
  StrataError,
  component,
  createWorld,
  f32,
  f64,
  kernelRuntime,
  toggle,
  u8,
  vec,
  type World,
} from '../../bindings/index'
import { compileText } from '../../bindings/memory/coreText'
import { checkInvariants } from '../support/invariants'
import { wordAt } from '../support/inside'

const Position = component('Position', { x: f32, y: f32 })
const Velocity = component('Velocity', { x: f32 }, { trackChanges: 'row' })
const Wide = component('Wide', { m: vec(f64, 2), flag: u8 }, { toggle })
const Health = component('Health', { hp: f32 }, { storage: sparse })
const Armour = component('Armour', { value: f32 }, { storage: sparse })

const FILE = 'spoil.kernel.ts'

/**
 * A kernel of two columns and the handles, from what it does with one of its rows: $row is its number; $x, $v and $e
 * are the addresses of its values, $a is that of the only block: these worlds call it for one at a time.
 */
function kernelOf(body: string, { more = '', last = 'i32.lt_u', ignoresMask = false, result = '' } = {}) {
  const meant = ignoresMask
    ? '(i32.const 1)'
    : `(if (result i32) (i32.load offset=4 (local.get $a))
        (then (i32.and (i32.const 1) (i32.shr_u
          (i32.load8_u (i32.add (i32.load offset=4 (local.get $a)) (i32.shr_u (local.get $row) (i32.const 3))))
          (i32.and (local.get $row) (i32.const 7)))))
        (else (i32.const 1)))`
  const address = (slot: number) =>
    `(i32.add (i32.load offset=${8 + 4 * slot} (local.get $a)) (i32.shl (local.get $row) (i32.const 2)))`
  const module = binaryen.parseText(`(module (import "env" "memory" (memory 0)) ${more}
    (func (export "spoil") (param $a i32) (param $count i32) ${result && '(param $sofar f64)'} ${result}
      (local $row i32) (local $end i32) (local $x i32) (local $v i32) (local $e i32)
      (local.set $row (i32.and (i32.load (local.get $a)) (i32.const 0xffff)))
      (local.set $end (i32.shr_u (i32.load (local.get $a)) (i32.const 16)))
      (block $out (loop $rows
        (br_if $out (i32.eqz (${last} (local.get $row) (local.get $end))))
        (if ${meant} (then
          (local.set $x ${address(0)}) (local.set $v ${address(1)}) (local.set $e ${address(2)})
          ${body}))
        (local.set $row (i32.add (local.get $row) (i32.const 1)))
        (br $rows)))
      ${result && '(f64.add (local.get $sofar) (f64.const 5))'}))`)
  module.setFeatures(binaryen.Features.All)
  const bytes = module.emitBinary()
  module.dispose()
  const column = (name: string, writes: boolean) => ({ name, role: 'column', kind: 'f32', length: 1, writes })
  return {
    kernel: 'spoil',
    format: 2,
    runtime: kernelRuntime,
    code: { file: FILE, bytes: btoa(String.fromCharCode(...bytes)) },
    parameters: [column('x', true), column('v', false), { name: 'e', role: 'entities' }],
    result: result ? 'sum' : 'none',
  } as any
}

const set = (address: string, number = 7) => `(f32.store ${address} (f32.const ${number}))`
const X = '(local.get $x)'
const V = '(local.get $v)'
const behind = (address: string, bytes: number) => `(i32.add ${address} (i32.const ${bytes}))`
/** Only in the row 0. */
const once = (code: string) => `(if (i32.eqz (local.get $row)) (then ${code}))`

let world: World
beforeEach(() => {
  world = createWorld({ core: checkedCore(), memory: { initial: 2 ** 20 } })
})

/** Binds and runs over all with Position and Velocity. */
function run(kernel: unknown, over = world.query(Position, Velocity)) {
  return over.run(
    createKernel(world, kernel as never, { x: [Position, 'x'], v: [Velocity, 'x'] } as never) as never,
  )
}

/** The error of a run; the world must be as it was, but for x. */
function caught(kernel: unknown, over = world.query(Position, Velocity)): StrataError {
  try {
    run(kernel, over)
  } catch (error) {
    expect(error).toBeInstanceOf(StrataError)
    expect((error as StrataError).code).toBe('KERNEL_FAILED')
    expect((error as StrataError).message).toContain(`the kernel spoil (${FILE})`)
    checkInvariants(world)
    return error as StrataError
  }
  throw new Error('the kernel went through')
}

const fill = (count: number) =>
  spawnMany(world, count, [Position, Velocity], (chunk) => {
    const p = chunk.write(Position)
    const v = chunk.write(Velocity)
    for (let i = chunk.start; i < chunk.end; i++) {
      p.x[i] = 1
      p.y[i] = 2
      v.x[i] = i
    }
  })
const values = () =>
  [...world.query(Position, Velocity).entities()].map((e) => [world.get(e, Position), world.get(e, Velocity)])
const xs = () => values().map(([position]) => (position as { x: number }).x)

describe('a kernel that keeps to its rows passes the guard', () => {
  it('over many chunks', () => {
    fill(2000)
    run(kernelOf(set(X)))
    expect(new Set(xs())).toEqual(new Set([7]))
    checkInvariants(world)
  })

  it('over the rows of a mask', () => {
    fill(300)
    run(kernelOf(set(X)), world.query(Position, Velocity).where(Velocity, 'x', '>', 30))
    expect(xs().filter((x) => x === 7).length).toBe(
      values().filter(([, v]) => (v as { x: number }).x > 30).length,
    )
  })

  it('with a result', () => {
    fill(10)
    expect(run(kernelOf('', { result: '(result f64)' }))).toBe(5)
    fill(1000)
    const chunks = [...world.query(Position, Velocity)].length
    expect(chunks).toBeGreaterThan(2)
    expect(run(kernelOf('', { result: '(result f64)' }))).toBe(5 * chunks)
  })

  it('if it reads its own data in page 0', () => {
    fill(3)
    run(kernelOf('(drop (f32.load (i32.const 1024)))', { more: '(data (i32.const 1024) "0123")' }))
    expect(wordAt(world, 1024)).toBe(0x33323130)
  })

  it('when it reads beyond its rows, as lanes do', () => {
    fill(3)
    run(kernelOf(`(drop (v128.load ${X})) (drop (f32.load ${behind(X, 2000)}))`))
  })
})

describe('a kernel is caught that overwrites', () => {
  it.each([
    ['the row behind its last one', kernelOf(set(X), { last: 'i32.le_u' }), 'Position.x of row 5'],
    ['the row before its first one', kernelOf(set(behind(X, -4))), 'the handle of row'],
    ['a column that it only reads', kernelOf(set(V)), 'Velocity.x of row 0'],
    ['the handles', kernelOf(set('(local.get $e)')), 'the handle of row 0'],
    ['a field that it is not given', kernelOf(set(behind(X, 64 * 4))), 'Position.y of row'],
    [
      'its own data in page 0',
      kernelOf(set('(i32.const 1024)'), { more: '(data (i32.const 1024) "0123")' }),
      'its own tables in page 0, which threads may share',
    ],
    ['far too much', kernelOf(set(behind(X, 1060))), 'memory that it is not bound to, at 0x'],
    ['the state of the core', kernelOf(set(`(i32.const ${CHUNKS_TABLE})`)), 'the state of the core'],
    ['the count of entities', kernelOf(once(set(`(i32.const ${ENTITIES_ALIVE})`))), 'the state of the core'],
    [
      'its arguments',
      kernelOf(once(set(`(i32.const ${KERNEL_ARGUMENTS_ADDRESS + 8})`))),
      'the state of the core',
    ],
  ])('%s', (_, kernel, what) => {
    fill(5)
    const before = values().map(([position, velocity]) => [{ ...position, x: 0 }, velocity])
    const handles = [...world.query(Position).entities()]
    const error = caught(kernel)
    expect(error.message).toContain(`overwrote ${what}`)
    expect(error.message).toContain('called for rows 0 to 4')
    expect(error.message).toContain('That was put back.')
    expect([...world.query(Position).entities()]).toEqual(handles)
    expect(values().map(([position, velocity]) => [{ ...position, x: 0 }, velocity])).toEqual(before)
  })

  it('a row that the mask leaves out', () => {
    fill(100)
    const over = world.query(Position, Velocity).where(Velocity, 'x', '>', 49)
    const error = caught(kernelOf(set(X), { ignoresMask: true }), over)
    expect(error.message).toMatch(/overwrote Position\.x of row \d+\./)
    const kept = values().filter(([, velocity]) => (velocity as { x: number }).x <= 49)
    expect(kept.length).toBeGreaterThan(40)
    for (const [position] of kept) expect(position).toEqual({ x: 1, y: 2 })
  })

  it('ticks, switches and a vec of its chunk, by their names', () => {
    spawnMany(world, 4, [Position, Velocity, Wide])
    // Where they lie is found by looking: each word of the chunk is overwritten in its turn, from the ticks in front of the rows.
    const named = new Set<string>()
    const head = 32
    for (let offset = -head; offset < 1024 - head; offset += 4) {
      const kernel = kernelOf(once(`(i32.store8 ${behind('(local.get $e)', offset)} (i32.const 0xee))`))
      try {
        run(kernel)
      } catch (error) {
        named.add(/overwrote (.+?)( of row -?\d+)?\. That/.exec((error as Error).message)?.[1] as string)
      }
    }
    checkInvariants(world)
    expect([...named].sort()).toEqual([
      'Position.x',
      'Position.y',
      'Velocity.x',
      'Wide.flag',
      'Wide.m',
      'memory between the columns of its chunk',
      'the change ticks of Position',
      'the change ticks of Velocity',
      'the change ticks of Wide',
      'the change ticks of rows of Velocity',
      'the handle',
      'which rows have Wide switched off',
    ])
  })

  it('the data of another kernel', () => {
    fill(3)
    run(kernelOf(set(X), { more: '(data (i32.const 2048) "other")' }))
    const before = wordAt(world, 2048)
    expect(caught(kernelOf(set('(i32.const 2048)'))).message).toContain(`overwrote data of ${FILE} in page 0`)
    expect(wordAt(world, 2048)).toBe(before)
  })

  it('the data of the core', () => {
    fill(3)
    expect(caught(kernelOf(set('(i32.const 57360)'))).message).toContain('data of the core')
  })

  it('something, and then traps: both are reported', () => {
    fill(3)
    const error = caught(kernelOf(`${set(V)} (unreachable)`))
    expect(error.message).toContain('overwrote Velocity.x of row 0')
    expect(error.cause).toBeInstanceOf(WebAssembly.RuntimeError)
  })

  it('a row of a group, counted as the kernel counts', () => {
    createGroup(world, Health, Armour)
    spawnMany(world, 700, [Health, Armour])
    const over = world.query(Health, Armour)
    const bind = (kernel: unknown) =>
      over.run(
        createKernel(world, kernel as never, { x: [Health, 'hp'], v: [Armour, 'value'] } as never) as never,
      )
    bind(kernelOf(set(X)))
    expect([...over.entities()].every((entity) => world.get(entity, Health)?.hp === 7)).toBe(true)
    expect(() => bind(kernelOf(set(V)))).toThrow(/overwrote Armour\.value of row 0\./)
    expect(() => bind(kernelOf(set(X), { last: 'i32.le_u' }))).toThrow(
      /called for rows 0 to (\d+), overwrote/,
    )
    expect([...over.entities()].every((entity) => world.get(entity, Armour)?.value === 0)).toBe(true)
    checkInvariants(world)
  })

  it('something: the world goes on, and is not locked', () => {
    fill(3)
    caught(kernelOf(set(V)))
    run(kernelOf(set(X)))
    expect(xs()).toEqual([7, 7, 7])
    const ship = world.spawn(Position, Velocity)
    expect(world.isAlive(ship)).toBe(true)
  })
})

describe('the guard', () => {
  const unseen = () => {
    fill(3)
    // What is not looked for is not found: a kernel can write anywhere.
    run(kernelOf(set(V)))
    expect(values().map(([, velocity]) => velocity)).toEqual([{ x: 7 }, { x: 7 }, { x: 7 }])
  }

  it('does not exist with the release core', () => {
    world = createWorld()
    unseen()
  })

  it('belongs to the core that checkedCore returned, and to no other of the same text', () => {
    world = createWorld({ core: compileText(checkedText()) })
    unseen()
    world = createWorld({ core: checkedCore() })
    fill(3)
    expect(caught(kernelOf(set(V))).message).toContain('overwrote Velocity.x of row 0')
  })
})
