// Shows that every field type of the table can be declared, written and read in each way, compared, sorted, saved, exported and
// inspected, and that every storage and every option of a declaration is known where it must be.

import { describe, expect, it } from 'vitest'
import { toArrow } from '../../packages/arrow/src/arrow'
import { FAMILIES, type Family, KINDS, type Kind } from '../../bindings/components/fieldKinds'
import * as library from '../../bindings/index'
import { inspect } from '../../packages/inspector/src/inspect/inspect'
import {
  type Field,
  changed,
  component,
  createWorld,
  digestWorld,
  loadFromJSON,
  loadWorld,
  object,
  relation,
  restoreWorld,
  saveToJSON,
  saveWorld,
  snapshotWorld,
  sortRows,
  sparse,
  tag,
  vec,
} from '../../bindings/index'
import { caughtFrom } from '../support/caught'
import { STORAGES, STORED } from '../support/storages'
import { testWorld } from '../support/world'

type Values = Record<'value', Field>
type Row = { value: unknown }

const NAMES = Object.keys(KINDS) as Kind[]
const fields = library as unknown as Record<Kind, Field>
const declare = (kind: Kind) => component('Held', { value: fields[kind] } as Values)

/** Two values that differ, the smaller one first, which a column of the family gives back as they are. */
const VALUES: Record<Family, readonly [unknown, unknown]> = {
  integer: [3, 100],
  float: [-2.5, 0.75],
  bool: [false, true],
  entity: [7, 0x01000002],
  text: ['one', 'two'],
}

describe.each(NAMES)('A field of kind %s', (kind) => {
  const [low, high] = VALUES[FAMILIES[kind]]
  const Held = declare(kind)

  it('is a public name', () => {
    expect(fields[kind].kind).toBe(kind)
    expect(String(fields[kind])).toBe(kind)
    expect(new KINDS[kind].Column(1).BYTES_PER_ELEMENT).toBe(1 << KINDS[kind].shift)
  })

  it('keeps values that spawn, set and a cursor write, and has its default otherwise', () => {
    const world = testWorld()
    const [a, b, c] = [world.spawn(Held({ value: low })), world.spawn(Held), world.spawn(Held)]
    expect(world.get(b, Held)).toEqual({ value: KINDS[kind].usual })
    world.set(b, Held, { value: high })
    world.query(Held).each((entity, held) => {
      if (entity === c) (held as Row).value = high
    })
    expect([a, b, c].map((entity) => (world.get(entity, Held) as Row).value)).toEqual([low, high, high])
  })

  it('is stored in columns of its own array type, and makes a vec, unless it is a text', () => {
    const world = testWorld()
    world.spawn(Held)
    for (const chunk of world.query(Held))
      expect(chunk.read(Held as never)['value']).toBeInstanceOf(KINDS[kind].Column)
    if (kind === 'text') {
      expect(() => vec(fields.text as never, 2)).toThrow('texts')
      return
    }
    const Many = component('Many', { value: vec(fields[kind] as never, 2) } as Values)
    const entity = world.spawn(Many({ value: [low, high] }))
    const list = (world.get(entity, Many) as { value: ArrayLike<number> }).value
    expect(Array.from(list)).toEqual([low, high].map(Number))
  })

  it('refuses unsuitable values, in a sentence that says what it takes', () => {
    expect(caughtFrom(() => Held({ value: Symbol('wrong') }))).toMatchObject({ code: 'INVALID_VALUE' })
  })

  it('is compared by where, and sorted if its numbers have an order', () => {
    const world = testWorld()
    const Pooled = component('Pooled', { value: fields[kind] } as Values, { storage: sparse })
    const [a, b] = [world.spawn(Held({ value: high })), world.spawn(Held({ value: low }))]
    const found = world.query(Held).where(Held, 'value' as never, '==', low as never)
    expect([...found.entities()]).toEqual([b])
    expect([
      ...world
        .query(Held)
        .where(Held, 'value' as never, '!=', low as never)
        .entities(),
    ]).toEqual([a])
    const [c, d] = [world.spawn(Pooled({ value: high })), world.spawn(Pooled({ value: low }))]
    const sorting = () => sortRows(world, Pooled, 'value' as never)
    if (kind === 'text') expect(sorting).toThrow('no order')
    else {
      sorting()
      expect([...world.query(Pooled).entities()]).toEqual([d, c])
    }
  })

  it('is part of snapshots, digests, changes, and saves of both forms', () => {
    const world = createWorld()
    const target = world.spawn()
    const isHandle = FAMILIES[kind] === 'entity'
    const [before, after] = isHandle ? [KINDS[kind].usual, target] : [low, high]
    const entity = world.spawn(Held({ value: before }))
    const [taken, digested] = [snapshotWorld(world), digestWorld(world)]
    const seen = world.query(changed(Held))
    for (const _ of seen);
    world.set(entity, Held, { value: after })
    expect(digestWorld(world)).not.toBe(digested)
    expect(seen.count).toBe(1)
    for (const { world: loaded } of [
      loadWorld(saveWorld(world), { components: [Held] }),
      loadFromJSON(saveToJSON(world), { components: [Held] }),
    ]) {
      const [copy] = [...loaded.query(Held).entities()]
      const { value } = loaded.get(copy as never, Held) as Row
      if (isHandle) expect(loaded.isAlive(value as never)).toBe(true)
      else expect(value).toBe(after)
    }
    restoreWorld(world, taken)
    expect(digestWorld(world)).toBe(digested)
    expect((world.get(entity, Held) as Row).value).toBe(before)
  })

  it('is a column of an Arrow table, and is shown and filtered by the inspection', () => {
    const world = testWorld()
    world.spawn(Held({ value: high }))
    const table = toArrow(world.query(Held))
    expect(table.getChild('Held.value')?.get(0)).toBe(high)
    const view = inspect(world)
    expect(view.components().find(({ name }) => name === 'Held')?.fields).toEqual([
      { name: 'value', type: kind, length: 1 },
    ])
    const written: Record<Family, string> = {
      integer: String(high),
      float: String(high),
      bool: String(high),
      entity: `#${String(high)}`,
      text: `"${String(high)}"`,
    }
    expect(view.find(`Held.value == ${written[FAMILIES[kind]]}`).count).toBe(1)
  })
})

describe('Every storage', () => {
  const names = Object.keys(STORED)

  it('is covered by the tests that run over storages', () => {
    expect([...STORAGES].sort()).toEqual(names.sort())
  })

  it('is named in the refusal of an unknown one', () => {
    const error = caughtFrom(() => component('A', {}, { storage: 'heap' as never }))
    for (const name of names) if (name !== 'table') expect(error.message).toContain(name)
  })
})

describe('Every option of a declaration', () => {
  const DECLARATIONS: Record<string, (options: object) => unknown> = {
    component: (options) => component('A', {}, options),
    tag: (options) => tag('A', options as never),
    object: (options) => object('A', options),
    relation: (options) => relation('A', options as never),
  }
  /** As a refusal lists them, which is where a program reads them. */
  const optionsOf = (declare: (options: object) => unknown) =>
    (/the options are (.*)\.$/.exec(caughtFrom(() => declare({ unheardOf: 1 })).message)?.[1] ?? '').split(
      ', ',
    )

  it.each(Object.keys(DECLARATIONS))('of %s is refused with a value that it does not take', (name) => {
    const declare = DECLARATIONS[name] as (options: object) => unknown
    const options = optionsOf(declare)
    expect(options.length).toBeGreaterThan(3)
    for (const option of options)
      expect(
        caughtFrom(() => declare({ [option]: Symbol('wrong') })),
        option,
      ).toMatchObject({
        code: expect.stringMatching(/^INVALID_(?:SCHEMA|OPTION)$/) as string,
      })
  })
})
