// Shows which filters are understood, and the sentence and column for one that is not.

import { describe, expect, it } from 'vitest'
import {
  bool,
  component,
  entity,
  isStrataError,
  object,
  relation,
  tag,
  text,
  u16,
  vec,
  f32,
} from '../../../../bindings/index'
import { InspectError, inspect } from '../../src/inspect/inspect'
import { testWorld } from '../../../../tests/support/world'

const Position = component('Position', { x: f32, y: f32 })
const Health = component('Health', { hp: u16 })
const Boss = component('Boss', { awake: bool, name: text, prey: entity })
const Bones = component('Bones', { m: vec(f32, 4) })
const Frozen = tag('Frozen')
const Order = tag('order')
const Odd = component('my odd.name', { 'a field': u16 })
const Sprite = object<string>('Sprite')
const ChildOf = relation('ChildOf', { exclusive: true })
const Likes = relation('Likes', { much: f32 })

const world = testWorld()
const one = world.spawn(Position({ x: 1 }), Health({ hp: 5 }), Frozen, Order, Odd({ 'a field': 3 }))
const two = world.spawn(
  Position({ x: -2 }),
  Boss({ awake: true, name: 'Ann "the" O\'Neill\n', prey: one }),
  Bones({ m: [1, 2, 3, 4] }),
  Sprite('s'),
  ChildOf(one),
  Likes(one),
)
const hidden = world.spawn(tag('Hidden', { excludeFromQueries: true }))
world.add(two, component('a`b', { x: f32 })({ x: 1 }))
world.add(two, tag('`\\`'))
const view = inspect(world)

describe('a filter', () => {
  it.each([
    ['', [one, two]],
    ['   ', [one, two]],
    ['*', [one, two]],
    ['!*', []],
    ['Position', [one, two]],
    ['Position&!Frozen', [two]],
    [' ! Frozen & Position ', [two]],
    ['!!Frozen', [one]],
    ['Frozen | Bones & Health', [one]],
    ['(Frozen | Bones) & Health', [one]],
    ['Frozen || Bones && Boss', [one, two]],
    ['Position.x < 0', [two]],
    ['Position.x >= -2.0e0 & Position.x <= .5', [two]],
    ['Health.hp == 0x5', [one]],
    ['Position.x > -Infinity & Position.x < Infinity', [one, two]],
    ['Boss.awake == true', [two]],
    ['Boss.awake != TRUE', []],
    [String.raw`Boss.name == "Ann \"the\" O'Neill\n"`, [two]],
    [String.raw`Boss.name == 'Ann "the" O\'Neill\n'`, [two]],
    ['Boss.name > "Am"', [two]],
    [`Boss.prey == #${one}`, [two]],
    ['Boss.prey != null', [two]],
    ['Bones.m[3] == 4', [two]],
    ['`my odd.name`', [one]],
    ['`my odd.name`.`a field` > 2', [one]],
    ['`a``b`.x > 0', [two]],
    ['```\\```', [two]],
    [`#${one}`, [one]],
    [`#${two} | #${one} | #${two}`, [two, one]],
    [`!#${one}`, [two]],
    [`#${one} & Bones`, []],
    [`(#${one} | #${two}) & Bones`, [two]],
    [`(#${one} | Bones) & Position`, [one, two]],
    [`(#${one} | #${two} | #999) order by Position.x`, [two, one]],
    [`(#${one} | #${two}) order by Health.hp`, [one]],
    ['#999', []],
    [`#${hidden}`, [hidden]],
    [`#${one} & #${two}`, []],
    ['order', [one]],
    ['order & Frozen', [one]],
    ['order order by Position.x', [one]],
    [`ChildOf(#${one})`, [two]],
    [`ChildOf(Frozen)`, [two]],
    ['ChildOf(*)', [two]],
    ['Likes(*) & Position.x < 0', [two]],
    ['order by Position.x', [two, one]],
    ['* ORDER BY Position.x ASC', [two, one]],
    ['Position order by Position.x descending', [one, two]],
    ['Bones order by Bones.m[2]', [two]],
  ])('%j is understood', (filter, expected) => {
    expect(view.find(filter).page(0, 10)).toEqual(expected)
  })

  it('with the handle of an entity finds only that entity', () => {
    const found = view.find(`#${one} & Position`)
    expect(found.isByRow).toBe(false)
    expect([found.count, found.rows(0, 10).map(({ entity }) => entity), found.page(1, 10)]).toEqual([
      1,
      [one],
      [],
    ])
    expect(view.find(`#${two} order by Health.hp`).count).toBe(0)
  })

  it('may name components called not, and, or', () => {
    const other = testWorld()
    const words = ['not', 'and', 'or'].map((name) => other.spawn(tag(name)))
    const find = (filter: string) => inspect(other).find(filter).page(0, 9)
    expect(find('not | and | or')).toEqual(words)
    expect(find('!not & !and')).toEqual([words[2]])
  })

  it('remembers its text and its order', () => {
    const found = view.find('Position order by Position.x desc')
    expect(found.text).toBe('Position order by Position.x desc')
    expect(found.order).toEqual({ component: 'Position', field: 'x', descending: true })
    expect(view.find('Position').order).toBeUndefined()
  })

  it('shows whether a part of it is evaluated for each entity in JavaScript', () => {
    for (const filter of [
      'Position',
      'Position & !Frozen',
      'Frozen | Bones',
      'Position.x > 1 & Health.hp < 3',
    ])
      expect(view.find(filter).isByRow, filter).toBe(false)
    for (const filter of [
      'Position.x > 1 | Frozen',
      '!(Position.x > 1)',
      'Bones.m[0] > 1',
      'Boss.name < "x"',
    ])
      expect(view.find(filter).isByRow, filter).toBe(true)
  })
})

describe('a filter that cannot be understood', () => {
  it.each([
    ['Positoin', 0, "there is no component 'Positoin': did you mean Position?"],
    ['Position & position', 11, "there is no component 'position': did you mean Position?"],
    ['Position & zzzzzzzz', 11, "there is no component 'zzzzzzzz': there is Position, Health, Frozen"],
    ['Health.ph < 10', 7, "there is no field of Health called 'ph': did you mean hp?"],
    ['Frozen.x == 1', 7, 'Frozen has no fields to compare.'],
    ['Sprite.x == 1', 7, 'Sprite is an object component: a filter cannot look into its values.'],
    ['Likes.much > 1', 6, 'an entity may have several links of Likes'],
    ['Health.hp == "10"', 13, 'Health.hp is compared with a number.'],
    ['Health.hp == true', 13, 'Health.hp is compared with a number.'],
    ['Boss.awake == 1', 14, 'Boss.awake is compared with true or false.'],
    ['Boss.name == 3', 13, 'Boss.name is compared with a text in quotes.'],
    ['Boss.name == Ann', 13, 'a text to compare with stands in quotes: "Ann".'],
    ['Boss.prey == "x"', 13, 'Boss.prey is compared with an entity such as #1234, or null.'],
    ['Boss.prey == 1', 13, 'Boss.prey is compared with an entity such as #1234, or null.'],
    ['Bones.m > 1', 6, 'Bones.m holds 4 values: say which, Bones.m[0].'],
    ['Bones.m[4] > 1', 8, 'Bones.m holds 4 values, from [0] to [3].'],
    ['Bones.m[-1] > 1', 8, 'a whole number from 0.'],
    ['Bones.m[1 > 1', 7, 'a bracket is not closed'],
    ['Health.hp[0] > 1', 10, 'Health.hp is one value, not a list.'],
    ['(Position & Frozen', 0, 'a parenthesis is not closed'],
    ['Position & (Frozen | Bones', 11, 'a parenthesis is not closed'],
    ['Position)', 8, 'there is no parenthesis to close here.'],
    ['ChildOf(#1', 7, 'a parenthesis is not closed'],
    ['ChildOf(1)', 8, 'an entity is written as # and its handle: #1.'],
    ['ChildOf()', 8, 'the target of the link'],
    ['Frozen(#1)', 0, 'Frozen is no relation'],
    ['ChildOf(Nobody)', 8, "there is no component 'Nobody'"],
    ['Position &', 10, 'the filter ends where there should be a component'],
    ['Position & | Frozen', 11, 'there is | where there should be a component'],
    ['Position Frozen', 9, 'two conditions are joined by & or |.'],
    ['Position (Frozen)', 0, 'Position is no relation: only relations have a target in parentheses.'],
    ['Health.hp', 9, 'the filter ends where there should be a comparison'],
    ['Health. < 3', 8, 'a field of Health'],
    ['Health < 3', 0, 'say which field is compared: Health.field.'],
    ['Health.hp = 3', 10, "values are compared with '==', not '='."],
    ['Health.hp < 3px', 12, 'this is no number'],
    ['Health.hp <', 11, 'the filter ends where there should be a value'],
    ['10 > Health.hp', 0, 'there is 10 where there should be a component'],
    ['Position and Frozen', 9, "write & for 'and'"],
    ['Position OR Frozen', 9, "write | for 'or'"],
    ['not Frozen', 0, "write ! for 'not': !Frozen."],
    ['Position & not Frozen', 11, "write ! for 'not'"],
    ['Position & NOT(Frozen)', 11, "write ! for 'not'"],
    ['Position, Frozen', 8, 'joined by & or |, not by a comma'],
    ['12', 0, 'an entity is written as # and its handle: #12.'],
    ['Position ^ Frozen', 9, 'the character ^ means nothing here.'],
    ['Position & 😀', 11, 'the character 😀 means nothing here.'],
    ['Boss.name == "Ann', 13, 'the text has no end'],
    ['`Position', 0, 'the name in backticks has no end'],
    ['`Position``', 0, 'and `` for a backtick in it'],
    ['Boss.prey == #x', 13, 'an entity is written as # and its handle'],
    ['Boss.prey == #4294967296', 13, 'an entity is written as # and its handle'],
    ['Position order by', 17, 'the field to order by'],
    ['Position order by Position', 18, 'say by which field to order: Position.field.'],
    ['Position order by Position.z', 27, "there is no field of Position called 'z'"],
    ['Position order by Position.x down', 29, 'two conditions are joined'],
    ['('.repeat(200) + 'Position' + ')'.repeat(200), 100, 'nested more than 100 levels deep'],
    ['!'.repeat(100_000) + 'Position', 100, 'nested more than 100 levels deep'],
  ])('%j is refused at column %i', (filter, column, sentence) => {
    let error: unknown
    try {
      view.find(filter)
    } catch (thrown) {
      error = thrown
    }
    expect(error).toBeInstanceOf(InspectError)
    expect(isStrataError(error)).toBe(true)
    const { code, column: at, text: given, message } = error as InspectError
    expect(code).toBe('INVALID_FILTER')
    expect(message).toContain(sentence)
    expect(at).toBe(column)
    expect(given).toBe(filter)
    expect(message.split('\n')[2]).toBe(`  ${' '.repeat(column)}^`)
  })

  it.each([undefined, 3, null, {}])('%j is not a filter, nor a text', (filter) => {
    expect(() => view.find(filter as never)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
  })

  it('a page takes whole numbers from 0', () => {
    const found = view.find('')
    for (const [offset, limit] of [
      [-1, 1],
      [0, -1],
      [0.5, 1],
      [0, NaN],
      ['0', 1],
    ] as [never, never][])
      expect(() => found.page(offset, limit)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
    expect(found.page(5, 10)).toEqual([])
    expect(found.page(0, 0)).toEqual([])
  })
})
