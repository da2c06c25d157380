// Shows that strings come back as they were, equal ones share an id, and a sweep frees unused ones. `forgetful` worlds read
// linear memory rather than a cache. What is new in a loop is in textsInLoops.checked.test.ts.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addMany,
  clearWorld,
  createAccessor,
  destroyMany,
  internText,
  object,
  onAdd,
  onSet,
  relation,
  LimitError,
  resetWorld,
  spawnMany,
  stable,
  StrataError,
  StrataTypeError,
  component,
  f64,
  sweepTexts,
  text,
  textId,
  textOf,
  u32,
  vec,
  type Entity,
} from '../../bindings/index'
import { forgetful } from '../support/inside'
import { checkInvariants } from '../support/invariants'
import { proofLength } from '../support/proofs'
import { leaveFree } from '../support/scarcity'
import { ROW_COUNTS } from '../support/rowCounts'
import { STORAGES, STORED } from '../support/storages'
import { watchedWorld } from '../support/watched'
import { testWorld } from '../support/world'

const MIB = 2 ** 20
const LONGEST = 32_767
const Name = component('Name', { value: text })
const NAMES = STORAGES.map((storage) => ({
  storage,
  Person: component(
    `Person ${storage}`,
    { name: text.default('nobody'), age: u32, home: text },
    { storage: STORED[storage] },
  ),
}))

/** The columns of a component that may lie anywhere. */
interface Readable {
  read(of: unknown): { readonly name: Uint32Array; readonly home: Uint32Array }
}

/** A string that needs a block of its own. */
function long(i: number): string {
  return `${i} `.padEnd(700, 'x')
}

const STRINGS = [
  '',
  'a',
  'ab',
  'ab\0',
  'ab\0\0',
  '\0',
  '\u0001\u0001',
  'ā',
  'ÿ',
  'Ā',
  'žluťoučký kůň',
  '𝒳 and 😀',
  '\ud800',
  '\udc00',
  'x\udfff\ud800y',
  '\ufffd',
  '\ufeffmark',
  '__proto__',
  ...[3, 4, 5, 15, 16, 17, 255, 256, 257, 511, 512, 513, 4095, 4096, 4097, LONGEST - 1, LONGEST].flatMap(
    (n) => ['n'.repeat(n), 'w'.repeat(n - 1) + 'Ā'],
  ),
]

describe('a text', () => {
  it.each(NAMES)(
    'comes back as it was written, whatever its units and its length ($storage)',
    ({ Person }) => {
      const world = watchedWorld()
      const handles = STRINGS.map((name) => world.spawn(Person({ name, home: `${name.slice(0, 9)}!` })))
      forgetful(world)
      STRINGS.forEach((name, i) => {
        expect(world.get(handles[i], Person)).toEqual({
          name,
          age: 0,
          home: `${name.slice(0, 9)}!`,
        })
      })
    },
  )

  it.each(NAMES)('is written by every call that writes values ($storage)', ({ Person }) => {
    const world = watchedWorld()
    const [one, two, three, four] = [
      world.spawn(),
      world.spawn(Person),
      world.spawn(Person),
      world.spawn(Person),
    ]
    world.add(one, Person({ name: 'added' }))
    world.set(two, Person, { name: 'set' })
    createAccessor(world, Person).of(three).name = 'by accessor'
    world.query(Person).each((entity, person) => {
      if (entity === four) person.name = 'by cursor'
    })
    const many = spawnMany(world, 3, [Person({ home: 'in bulk' })])
    forgetful(world)
    const nameOf = (entity: Entity) => world.get(entity, Person)?.name
    expect([one, two, three, four].map(nameOf)).toEqual(['added', 'set', 'by accessor', 'by cursor'])
    expect(world.get(many[2], Person)).toEqual({ name: 'nobody', age: 0, home: 'in bulk' })
    addMany(world.query(Person), Person({ home: 'by query' }))
    expect([...world.query(Person).entities()].every((e) => world.get(e, Person)?.home === 'by query')).toBe(
      true,
    )
    expect(nameOf(four)).toBe('by cursor')
  })

  it.each(NAMES)('keeps its row when rows move and are removed ($storage)', ({ Person }) => {
    for (const count of ROW_COUNTS) {
      const world = watchedWorld()
      const handles = spawnMany(world, count, [Person])
      handles.forEach((handle, i) => (createAccessor(world, Person).of(handle).name = `number ${i}`))
      destroyMany(
        world,
        handles.filter((_, i) => i % 3 === 0),
      )
      forgetful(world)
      const wrong = [...handles].filter(
        (handle, i) => world.get(handle, Person)?.name !== (i % 3 === 0 ? undefined : `number ${i}`),
      )
      expect(wrong).toEqual([])
    }
  })

  it('that is equal has one id, in every component and storage', () => {
    const world = watchedWorld()
    const handles = NAMES.map(({ Person }) => world.spawn(Person({ name: 'Ada', home: 'Ada' })))
    expect(world.stats().texts).toBe(2) // 'nobody' is a default
    const ids = new Set<number>()
    for (const { Person } of NAMES) {
      for (const chunk of world.query(Person)) {
        const { name, home } = (chunk as unknown as Readable).read(Person)
        ids.add(name[chunk.start] as number).add(home[chunk.start] as number)
      }
    }
    expect([...ids]).toEqual([textId(world, 'Ada')])
    expect(handles.length).toBe(3)
  })

  it('that differs has another id, even if the bytes are the same', () => {
    const world = watchedWorld()
    const ids = STRINGS.map((string) => internText(world, string))
    expect(new Set(ids).size).toBe(new Set(STRINGS).size)
    expect(world.stats().texts).toBe(new Set(STRINGS).size - 1)
    forgetful(world)
    STRINGS.forEach((string, i) => {
      expect(textId(world, string)).toBe(ids[i])
      expect(textOf(world, ids[i] as number)).toBe(string)
    })
  })

  it('of which there are ten thousand is found among them', () => {
    const world = watchedWorld()
    const ids = Array.from({ length: 10_000 }, (_, i) => internText(world, `text ${i}`))
    forgetful(world)
    expect(ids.every((id, i) => textId(world, `text ${i}`) === id && textOf(world, id) === `text ${i}`)).toBe(
      true,
    )
    expect(world.stats().texts).toBe(10_000)
  })

  it('that the world has already is written without a call into the core', () => {
    const world = watchedWorld()
    const ship = world.spawn(Name({ value: 'a' }))
    internText(world, 'b')
    const cursor = createAccessor(world, Name).of(ship)
    const { state } = world as unknown as { readonly state: { core: object } }
    const { core } = state
    state.core = new Proxy({}, { get: () => expect.unreachable('nothing is asked of the core') })
    cursor.value = 'b'
    cursor.value = 'a'
    cursor.value = ''
    cursor.value = 'b'
    world.set(ship, Name, { value: 'a' })
    expect(world.get(ship, Name)).toEqual({ value: 'a' })
    state.core = core
  })
})

describe('ids of texts', () => {
  it('0 is the empty string from the start', () => {
    const world = watchedWorld()
    expect([textId(world, ''), textOf(world, 0), internText(world, ''), world.stats().texts]).toEqual([
      0,
      '',
      0,
      0,
    ])
  })

  it('are undefined for strings the world does not have, and reading them makes none', () => {
    const world = watchedWorld()
    expect(textId(world, 'Ada')).toBeUndefined()
    expect(textId(world, 'x'.repeat(LONGEST + 1))).toBeUndefined()
    expect(world.stats().texts).toBe(0)
    internText(world, 'Bob')
    expect(textId(world, 'Ada')).toBeUndefined()
    expect(world.stats().texts).toBe(1)
  })

  it.each([
    [-1],
    [0.5],
    [1.5],
    [2],
    [2 ** 31],
    [2 ** 32 - 1],
    [NaN],
    [Infinity],
    ['1'],
    ['length'],
    [undefined],
    [null],
  ])('the number %s names no text', (id) => {
    const world = watchedWorld()
    internText(world, 'Ada')
    expect(textOf(world, id as number)).toBeUndefined()
  })

  it('can be compared with a column in a loop, and written to it', () => {
    const world = watchedWorld()
    const handles = spawnMany(world, 500, [Name])
    handles.forEach((handle, i) => world.set(handle, Name, { value: i % 2 ? 'odd' : 'even' }))
    const odd = textId(world, 'odd')
    const strange = internText(world, 'strange')
    let count = 0
    for (const chunk of world.query(Name)) {
      const { value } = chunk.write(Name)
      for (let i = chunk.start; i < chunk.end; i++) {
        if (value[i] !== odd) continue
        count++
        value[i] = strange
      }
    }
    expect(count).toBe(250)
    expect(world.get(handles[7], Name)).toEqual({ value: 'strange' })
  })

  it('a number in a column that names no text reads as the empty string', () => {
    const world = watchedWorld()
    const ship = world.spawn(Name({ value: 'Ada' }))
    for (const chunk of world.query(Name)) chunk.write(Name).value[0] = 999
    expect(world.get(ship, Name)).toEqual({ value: '' })
    expect(sweepTexts(world)).toBe(1)
    for (const chunk of world.query(Name)) expect(chunk.read(Name).value[0]).toBe(0)
  })
})

describe('an invalid text', () => {
  const wrong: readonly unknown[] = [1, null, true, {}, [], ['a'], Symbol('a'), new String('a')]

  it.each(NAMES)('is refused by name, wherever it is given; nothing changes ($storage)', ({ Person }) => {
    const world = watchedWorld()
    const ship = world.spawn(Person({ name: 'Ada' }))
    const calls: ((name: string) => void)[] = [
      (name) => void Person({ name }),
      (name) => world.set(ship, Person, { name }),
      (name) => (createAccessor(world, Person).of(ship).name = name),
      (name) => world.query(Person).each((_, person) => (person.name = name)),
    ]
    for (const call of calls) {
      for (const name of wrong) {
        expect(() => call(name as never)).toThrow(StrataTypeError)
        expect(() => call(name as never)).toThrow(/Person \w+\.name takes a string/)
      }
      expect(() => call('x'.repeat(LONGEST + 1) as never)).toThrow(/32767.*not one of 32768/)
    }
    expect(world.get(ship, Person)?.name).toBe('Ada')
    expect(world.stats().texts).toBe(2)
  })

  it('is refused by textId and internText', () => {
    const world = watchedWorld()
    for (const value of wrong) {
      expect(() => textId(world, value as string)).toThrow(/textId takes a string/)
      expect(() => internText(world, value as string)).toThrow(/internText takes a string/)
    }
    expect(() => internText(world, 'x'.repeat(LONGEST + 1))).toThrow(/32767/)
    expect(world.stats().texts).toBe(0)
  })

  it('is refused as a default, and a list of texts as a field', () => {
    expect(() => text.default(5 as never)).toThrow(/default takes a string/)
    expect(() => text.default('x'.repeat(LONGEST + 1))).toThrow(StrataTypeError)
    expect(() => vec(text as never, 2)).toThrow(/vec: a list of texts/)
  })
})

describe('a change that fails', () => {
  it('leaves no text: add and set of a dead entity', () => {
    const world = watchedWorld()
    const dead = world.spawn(Name)
    world.destroy(dead)
    expect(() => world.add(dead, Name({ value: 'lost' }))).toThrow(StrataError)
    expect(() => world.set(dead, Name, { value: 'lost' })).toThrow(StrataError)
    expect(world.stats().texts).toBe(0)
    expect(textId(world, 'lost')).toBeUndefined()
    expect(internText(world, 'first')).toBe(1)
  })

  it.each(STORAGES)('leaves no default of a component whose row is too large (%s)', (storage) => {
    const Huge = component(
      'Huge',
      { a: text.default('one'), b: text.default('two'), m: vec(f64, 4000) },
      { storage: STORED[storage] },
    )
    const world = watchedWorld()
    expect(() => world.spawn(Huge)).toThrow(LimitError)
    if (storage !== 'table') expect(world.stats().texts).toBe(0)
    sweepTexts(world)
    checkInvariants(world)
  })

  it('leaves no text: a spawn without memory for its row', () => {
    const world = watchedWorld({ memory: { maximum: MIB } })
    const Wide = component('Wide', { name: text, m: vec(f64, 1900) })
    world.spawn(Wide)
    leaveFree(world, 3)
    expect(() => world.spawn(Wide({ name: 'lost' }))).toThrow(LimitError)
    expect(() => spawnMany(world, 2, [Wide({ name: 'lost' })])).toThrow(LimitError)
    expect(world.stats().texts).toBe(0)
  })
})

describe('sweepTexts', () => {
  it.each(NAMES)('frees what no row holds and keeps the rest ($storage)', ({ Person }) => {
    for (const count of ROW_COUNTS) {
      const world = watchedWorld()
      const handles = spawnMany(world, count, [Person])
      handles.forEach((handle, i) => world.set(handle, Person, { name: `n${i}`, home: `h${i % 7}` }))
      destroyMany(
        world,
        handles.filter((_, i) => i % 2 === 0),
      )
      const kept = [...handles].filter((_, i) => i % 2 === 1)
      const homes = new Set(kept.map((handle) => world.get(handle, Person)?.home)).size
      const before = world.stats().texts
      expect(sweepTexts(world)).toBe(before - kept.length - homes - (count > 0 ? 1 : 0))
      expect(world.stats().texts).toBe(kept.length + homes + (count > 0 ? 1 : 0))
      expect(sweepTexts(world)).toBe(0)
      const wrong = kept.filter((handle, i) => world.get(handle, Person)?.name !== `n${2 * i + 1}`)
      expect(wrong).toEqual([])
    }
  })

  it('keeps default values, even of components on no entity', () => {
    const world = watchedWorld()
    const Title = component('Title', { value: text.default('untitled') })
    world.query(Title)
    expect([world.stats().texts, sweepTexts(world)]).toEqual([1, 0])
    expect(world.get(world.spawn(Title), Title)).toEqual({ value: 'untitled' })
  })

  it('frees a text that was interned and stored nowhere; its id is reused, lowest first', () => {
    const world = watchedWorld()
    const ids = Array.from({ length: 9 }, (_, i) => internText(world, `t${i}`))
    for (const i of [1, 4, 6]) world.spawn(Name({ value: `t${i}` }))
    expect(sweepTexts(world)).toBe(6)
    expect(textOf(world, ids[0] as number)).toBeUndefined()
    expect(textId(world, 't0')).toBeUndefined()
    const again = Array.from({ length: 9 }, (_, i) => internText(world, `u${i}`))
    expect(again).toEqual([0, 2, 3, 5, 7, 8, 9, 10, 11].map((i) => i + (ids[0] as number)))
    expect(again.map((id) => textOf(world, id))).toEqual(again.map((_, i) => `u${i}`))
  })

  it('does not count what a hole of a stable pool last held', () => {
    const world = watchedWorld()
    const Label = component('Label', { value: text }, { storage: stable })
    const handles = ['a', 'b', 'c'].map((value) => world.spawn(Label({ value })))
    world.remove(handles[1], Label)
    expect(sweepTexts(world)).toBe(1)
    expect(textId(world, 'b')).toBeUndefined()
    expect(world.get(world.spawn(Label), Label)).toEqual({ value: '' })
  })

  it('frees its memory', () => {
    const world = watchedWorld()
    const { bytesUsed } = world.stats()
    for (let i = 0; i < 100; i++) internText(world, long(i))
    expect(world.stats().bytesUsed).toBeGreaterThan(bytesUsed + 100 * 1024)
    expect(sweepTexts(world)).toBe(100)
    expect(world.stats().bytesUsed).toBeLessThan(bytesUsed + 16 * 1024)
  })

  it('is refused inside a loop', () => {
    const world = watchedWorld()
    internText(world, 'Ada')
    world.batch(() => expect(() => sweepTexts(world)).toThrow(/sweepTexts cannot run inside/))
    expect(world.stats().texts).toBe(1)
  })
})

describe('a world that starts over', () => {
  it('knows no text after reset, and every one again after clear until a sweep', () => {
    const world = watchedWorld()
    world.spawn(Name({ value: 'Ada' }))
    clearWorld(world)
    expect(textId(world, 'Ada')).toBe(1)
    expect(sweepTexts(world)).toBe(1)
    const ship = world.spawn(Name({ value: 'Bob' }))
    resetWorld(world)
    expect([world.isAlive(ship), textId(world, 'Bob'), textOf(world, 1)]).toEqual([
      false,
      undefined,
      undefined,
    ])
    expect(world.stats().texts).toBe(0)
    expect(world.get(world.spawn(Name({ value: 'Cid' })), Name)).toEqual({ value: 'Cid' })
  })

  it('refuses every call once it is disposed of', () => {
    const world = testWorld()
    const cursor = createAccessor(world, Name).of(world.spawn(Name({ value: 'Ada' })))
    world.dispose()
    const calls = [
      () => textId(world, 'Ada'),
      () => textOf(world, 1),
      () => internText(world, 'Ada'),
      () => sweepTexts(world),
      () => (cursor.value = 'Bob'),
    ]
    for (const call of calls) expect(call).toThrow(/disposed/)
  })
})

describe('interning beside a Map', () => {
  const strings = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.nat(40).map((n) => `text ${n}`),
    fc.nat(300).map((n) => 'Ž'.repeat(n)),
  )
  const step = fc.oneof(
    { weight: 8, arbitrary: fc.record({ write: strings, row: fc.nat(11) }) },
    { weight: 2, arbitrary: fc.record({ intern: strings }) },
    { weight: 1, arbitrary: fc.constant('sweep' as const) },
    { weight: 1, arbitrary: fc.constant('forget' as const) },
  )

  it('gives every string its own id until a sweep, and frees exactly what no row holds', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 80 }), (script) => {
        const world = testWorld({ memory: { initial: MIB } })
        const handles = NAMES.flatMap(({ Person }) =>
          Array.from({ length: 4 }, () => ({ Person, entity: world.spawn(Person({ name: '' })) })),
        )
        const held = handles.map(() => '')
        const ids = new Map([['nobody', textId(world, 'nobody') as number]])
        for (const one of script) {
          if (one === 'forget') forgetful(world)
          else if (one === 'sweep') {
            const living = new Set([...held, 'nobody'].filter((string) => string !== ''))
            expect(sweepTexts(world)).toBe([...ids.keys()].filter((string) => !living.has(string)).length)
            for (const string of ids.keys()) if (!living.has(string)) ids.delete(string)
          } else if ('write' in one) {
            const { Person, entity } = handles[one.row] as (typeof handles)[number]
            createAccessor(world, Person).of(entity).name = one.write
            held[one.row] = one.write
            remember(ids, one.write, textId(world, one.write))
          } else remember(ids, one.intern, internText(world, one.intern))
          expect(world.stats().texts).toBe(ids.size)
        }
        checkInvariants(world)
        handles.forEach(({ Person, entity }, i) => expect(world.get(entity, Person)?.name).toBe(held[i]))
        for (const [string, id] of ids)
          expect([textId(world, string), textOf(world, id)]).toEqual([id, string])
        expect(new Set(ids.values()).size).toBe(ids.size)
      }),
      { seed: 7, numRuns: proofLength(150) },
    )
  })

  function remember(ids: Map<string, number>, string: string, id: number | undefined): void {
    if (string === '') expect(id).toBe(0)
    else if (ids.has(string)) expect(id).toBe(ids.get(string))
    else ids.set(string, id as number)
  }
})

describe('finding rows by a text', () => {
  it.each(STORAGES)('where compares the string, even one the world has not met (%s)', (storage) => {
    const Label = component('Label', { value: text }, { storage: STORED[storage] })
    const world = watchedWorld()
    const ada = world.spawn(Label({ value: 'Ada' }))
    const bob = world.spawn(Label({ value: 'Bob' }))
    const query = world.query(Label)
    expect([...query.where(Label, 'value', '==', 'Ada').entities()]).toEqual([ada])
    expect([...query.where(Label, 'value', '!=', 'Ada').entities()]).toEqual([bob])
    expect(query.where(Label, 'value', '==', 'Eve').count).toBe(0)
    expect(query.where(Label, 'value', '!=', 'Eve').count).toBe(2)
    expect(() => query.where(Label, 'value', '<' as never, 'Ada')).toThrow(/== and !=/)
    expect(() => query.where(Label, 'value', '==', 1 as never)).toThrow(/a string/)
  })
})

describe('texts of a change', () => {
  const Name = component('Name', { value: text })
  const ChildOf = relation('ChildOf', { exclusive: true, onTargetDestroy: 'destroy' })
  const Own = object('Own')
  const Failing = object('Failing', (): number => {
    throw new RangeError('no')
  })
  const bare = Own as never
  const pair = (number: number) => Name({ value: `text ${number}` })

  it('that is refused are not kept, at once or queued', () => {
    const world = watchedWorld()
    const [ship, gone] = [world.spawn(Name({ value: 'a' })), world.spawn()]
    const child = world.spawn(ChildOf(ship))
    world.destroy(gone)
    const { texts, entities } = world.stats()
    const refused = [
      () => world.add(ship, pair(1), ChildOf(gone)),
      () => world.add(ship, pair(2), ChildOf(child)),
      () => world.add(ship, pair(3), bare),
      () => world.spawn(pair(4), ChildOf(gone)),
      () => world.exchange(ship, [Name], [pair(5), ChildOf(gone)]),
      () => world.add(ship, pair(6), Failing),
      () => world.spawn(pair(7), Failing),
    ]
    for (const call of refused) {
      expect(call).toThrow()
      expect(world.stats()).toMatchObject({ texts, entities })
    }
    expect(() =>
      world.batch(() => {
        world.add(ship, pair(8), ChildOf(child))
      }),
    ).toThrow()
    expect(world.stats()).toMatchObject({ texts, entities })
    expect(world.get(ship, Name)).toEqual({ value: 'a' })
  })

  it('that was made are kept even if a listener throws', () => {
    const world = watchedWorld()
    const fail = (): void => {
      throw new RangeError('no')
    }
    onAdd(world, Name, fail)
    onSet(world, Name, fail)
    expect(() => world.spawn(pair(1))).toThrow('no')
    const ship = world.spawn()
    expect(() => world.add(ship, pair(2))).toThrow('no')
    expect(() => world.add(ship, pair(3))).toThrow('no')
    expect(world.stats()).toMatchObject({ texts: 3, entities: 2 })
    expect(world.get(ship, Name)).toEqual({ value: 'text 3' })
  })
})
