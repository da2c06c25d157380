// Shows the JSON of a save: what people read in it, what they may change, and what is refused.

import { describe, expect, it } from 'vitest'
import {
  type Entity,
  bool,
  component,
  digestWorld,
  entity,
  f32,
  f64,
  i32,
  relation,
  resource,
  saveToJSON,
  saveWorld,
  sparse,
  tag,
  text,
  toggle,
  u32,
  u8,
  vec,
} from '../../bindings/index'
import { load, loadJSON } from '../support/loaded'
import { testWorld } from '../support/world'

const Body = component('Body', { x: f32, y: f64, m: vec(f32, 3), on: bool, n: u32, i: i32 }, { toggle })
const Target = component('Target', { who: entity, label: text }, { storage: sparse })
const Waiting = tag('Waiting', { order: 'insertion' })
const Odd = component('__proto__', { constructor: f32, toString: f32 })
const Time = resource('Time', { now: f64, list: vec(f64, 2) })
const KNOWN = [Body, Target, Waiting, Odd, Time]

function stage() {
  const world = testWorld()
  const a = world.spawn(Body({ x: NaN, y: -0, m: [Infinity, -Infinity, 0.1], n: 2 ** 32 - 1, i: -(2 ** 31) }))
  const b = world.spawn(
    Target({ who: a, label: 'a "quoted"\n\ud800 line' }),
    Odd({ constructor: 1, toString: 0 } as never),
  )
  world.add(b, Waiting)
  world.add(a, Waiting)
  world.disable(a, Body)
  world.setResource(Time, { now: NaN, list: [1, -0] })
  return { world, a, b }
}

describe('the text', () => {
  it('It has a line for each component, entity and resource', () => {
    const { world } = stage()
    expect(saveToJSON(world)).toBe(`{
"format": "strata-save", "version": 1, "tick": 1,
"components": [
  {"name":"Body","version":1,"storage":"table","fields":{"x":"f32","y":"f64","m":"f32*3","on":"bool","n":"u32","i":"i32"}},
  {"name":"Target","version":1,"storage":"sparse","fields":{"who":"entity","label":"text"}},
  {"name":"__proto__","version":1,"storage":"table","fields":{"constructor":"f32","toString":"f32"}},
  {"name":"Waiting","version":1,"storage":"sparse","fields":{}}
],
"entities": [
  {"entity":1,"has":{"Body":{"x":"NaN","y":"-0","m":["Infinity","-Infinity",0.10000000149011612],"on":false,"n":4294967295,"i":-2147483648},"Waiting":{}},"off":["Body"]},
  {"entity":2,"has":{"__proto__":{"constructor":1,"toString":0},"Target":{"who":1,"label":"a \\"quoted\\"\\n\\ud800 line"},"Waiting":{}}}
],
"order": [
  {"component":"Waiting","entities":[2,1]}
],
"resources": [
  {"name":"Time","fields":{"now":"f64","list":"f64*2"},"values":{"now":"NaN","list":[1,"-0"]}}
]
}
`)
  })

  it('It contains everything that the bytes contain', () => {
    const { world } = stage()
    const { world: loaded, handles } = loadJSON(saveToJSON(world), KNOWN)
    expect(saveWorld(loaded)).toEqual(saveWorld(world))
    expect(digestWorld(loaded)).toBe(digestWorld(world))
    expect([...handles]).toEqual([
      [1, 1],
      [2, 2],
    ])
    expect(saveToJSON(loaded)).toBe(saveToJSON(world))
  })
})

describe('text edited by hand', () => {
  const text = () => saveToJSON(stage().world)

  it('Blanks, the order of keys and of entities do not matter, and values may be changed', () => {
    const parsed = JSON.parse(text()) as { entities: { has: Record<string, { n: number }> }[] }
    parsed.entities.reverse()
    ;(parsed.entities[1]?.has['Body'] as { n: number }).n = 5
    const { world, handles } = loadJSON(JSON.stringify(parsed, undefined, 8), KNOWN)
    expect(world.get(handles.get(1) as never, Body)?.n).toBe(5)
    expect(world.get(handles.get(2) as never, Target)?.who).toBe(handles.get(1))
    expect([...world.query(Waiting).entities()]).toEqual([handles.get(2), handles.get(1)])
  })

  const refusals: [string, string, string, RegExp][] = [
    ['a number beyond its kind', '4294967295', '4294967296', /a value of Body.n is not of kind u32/],
    ['a fraction', '-2147483648', '1.5', /a value of Body.i is not of kind i32/],
    ['a number larger than any', '"y":"-0"', '"y":1e999', /a value of Body.y is not of kind f64/],
    ['a number larger than any f32', '"x":"NaN"', '"x":1e39', /a value of Body.x is not of kind f32/],
    ['a string for a number', '"NaN","y"', '"nan","y"', /a value of Body.x is not of kind f32/],
    ['a number for a boolean', '"on":false', '"on":0', /a value of Body.on is not of kind bool/],
    ['a list that is too short', '["Infinity",', '[', /Body.m has not 3 values/],
    ['a field that lacks', '"on":false,', '', /a value of Body.on is not of kind bool/],
    ['a field that is not declared', '"on":false', '"on":false,"off":1', /Body has no field 'off'/],
    [
      'a component that is not declared',
      '"Target":{"who"',
      '"Targte":{"who"',
      /Targte is not among its components/,
    ],
    ['an entity that is not there', '"who":1', '"who":3', /a value of Target.who is not of kind entity/],
    ['an entity that is there twice', '"entity":2', '"entity":1', /entity 1 is there twice/],
    ['an invalid handle', '"entity":2', '"entity":-2', /an entity has no handle/],
    [
      'an order without an entity',
      '"entities":[2,1]',
      '"entities":[2]',
      /the order of Waiting does not name/,
    ],
    [
      'an order with another one',
      '"entities":[2,1]',
      '"entities":[2,3]',
      /the order of Waiting does not name/,
    ],
    ['an off that is not there', '"off":["Body"]', '"off":["Target"]', /switched off that is not there/],
    ['another format', 'strata-save', 'other-save', /its format is not 'strata-save'/],
    ['another version', '"version": 1', '"version": 5', /its format has version 5/],
    ['a comma that lacks', '],\n"order"', ']\n"order"', /it is not JSON/],
  ]
  it.each(refusals)('It is refused for %s', (_, from, to, sentence) => {
    const given = text()
    expect(given).toContain(from)
    const changed = given.replace(from, to)
    expect(() => loadJSON(changed, KNOWN)).toThrow(sentence)
  })
})

it('A save with only some entities loads from JSON as from bytes', () => {
  const { world, b } = stage()
  const options = { only: [Target, Waiting], entities: [b] }
  expect(saveWorld(loadJSON(saveToJSON(world, options), KNOWN).world)).toEqual(
    saveWorld(load(saveWorld(world, options), KNOWN).world),
  )
})

describe('links as text', () => {
  const ChildOf = relation('ChildOf', { exclusive: true })
  const DockedAt = relation('DockedAt', { berth: u8 }, { exclusive: true, onTargetDestroy: 'keep' })
  const LINKED = [...KNOWN, ChildOf, DockedAt]
  function fleet() {
    const world = testWorld()
    const [a, b, c, d] = [world.spawn(), world.spawn(), world.spawn(), world.spawn()] as const
    world.add(c, ChildOf(a))
    world.add(b, ChildOf(a), DockedAt(d, { berth: 3 }))
    world.add(c, DockedAt(b))
    world.destroy(d)
    return { world, a, b, c }
  }
  const json = saveToJSON(fleet().world)

  it('There is a line for each link, sources of one target in their order', () => {
    expect(json).toContain(`"version": 2, "tick": 1,
"components": [
  {"name":"ChildOf","version":1,"storage":"sparse","fields":{}},
  {"name":"DockedAt","version":1,"storage":"sparse","fields":{"berth":"u8"}}
],
"entities": [
  {"entity":1,"has":{}},
  {"entity":2,"has":{}},
  {"entity":3,"has":{}}
],
"links": [
  {"relation":"ChildOf","source":3,"target":1},
  {"relation":"ChildOf","source":2,"target":1},
  {"relation":"DockedAt","source":3,"target":2,"values":{"berth":0}},
  {"relation":"DockedAt","source":2,"target":null,"values":{"berth":3}}
],
"order": [
  {"component":"ChildOf","entities":[3,2],"targets":[1,1]}
],
`)
    const { world } = fleet()
    expect(saveWorld(loadJSON(json, LINKED).world)).toEqual(saveWorld(load(saveWorld(world), LINKED).world))
  })

  it('A line may be added, moved or removed, and orders may be left out', () => {
    const lines = json.split('\n')
    const [first, second] = ['"source":3,"target":1', '"source":2,"target":1'].map((part) =>
      lines.findIndex((line) => line.includes(part)),
    ) as [number, number]
    ;[lines[first], lines[second]] = [
      '  {"source":2,"target":1,"relation":"ChildOf","values":{}},',
      '  {"source":1,"target":1,"relation":"ChildOf"},\n  {"source":3,"target":1,"relation":"ChildOf"},',
    ]
    const changed = lines.join('\n').replace(/"order": \[.*?\n\]/s, '"order": []')
    expect(changed).toContain('"order": []')
    const { world, handles } = loadJSON(changed, LINKED)
    const [a, b, c] = [1, 2, 3].map((handle) => handles.get(handle) as Entity) as [Entity, Entity, Entity]
    expect([...world.sources(a, ChildOf)]).toEqual([b, a, c])
    expect([...world.query(ChildOf).entities()]).toEqual([a, b, c])
  })

  it('It is refused for a repeated link, with an order and without', () => {
    const twice = json.replace('"source":2,"target":1', '"source":3,"target":1')
    expect(() => loadJSON(twice, LINKED)).toThrow('does not name its links')
    const usual = twice.replace(/"order": \[.*?\n\]/s, '"order": []')
    expect(() => loadJSON(usual, LINKED)).toThrow('a link is there twice')
  })

  it.each([
    ['a source that is not there', '"source":3,"target":1', '"source":9,"target":1', 'the source of a link'],
    ['a target that is not there', '"target":2', '"target":9', 'the target of a link'],
    ['an order that leaves one out', '"entities":[3,2]', '"entities":[3,3]', 'does not name its links'],
    ['a relation that is not declared', '"relation":"ChildOf"', '"relation":"Likes"', 'Likes is not among'],
    ['a value that is missing', '"berth":3', '', 'a value of DockedAt.berth'],
    ['an order of others', '"targets":[1,1]', '"targets":[1,2]', 'does not name its links'],
    ['an order without targets', ',"targets":[1,1]', '', 'is no list'],
  ])('It is refused for %s', (_, from, to, sentence) => {
    expect(json).toContain(from)
    expect(() => loadJSON(json.replace(from, to), LINKED)).toThrow(
      expect.objectContaining({
        code: 'SAVE_REFUSED',
        message: expect.stringContaining(sentence) as string,
      }),
    )
  })
})
