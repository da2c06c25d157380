// Owns the behaviour of the storages that the benchmark compares with: entities come, go and change their components at
// random, beside a plain model. It must never know how a storage lays them out.

import { describe, expect, it } from 'vitest'
import { ArchetypeWorld } from '../../bench/baselines/archetypes.js'
import { component } from '../../bench/baselines/components.js'
import { MapWorld } from '../../bench/baselines/hash-map.js'
import { HashTable } from '../../bench/baselines/hash-table.js'
import { MatrixWorld } from '../../bench/baselines/matrix.js'
import { Scene } from '../../bench/baselines/objects.js'
import { SparseSetWorld } from '../../bench/baselines/sparse-sets.js'

const Weight = component({ grams: Int32Array })
const Size = component({ width: Float32Array, height: Float32Array })
const COMPONENTS = [Weight, Size]
const STEPS = 20_000

/** Whole numbers below the limit, the same in every run. */
function createRandom() {
  let state = 0x2545f491
  return (limit) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % limit
  }
}

const fieldsAndRow = {
  matrix: (world, id, kind) => [world.fields(kind), id],
  'sparse sets': (world, id, kind) => [world.fields(kind), world.set(kind).rows[id]],
  archetypes: (world, id, kind) => [world.chunkOf(id).fields(kind), world.rowOf(id)],
}
const has = {
  matrix: (world, id, kind) => world.has(id, kind),
  'sparse sets': (world, id, kind) => world.set(kind).has(id),
  archetypes: (world, id, kind) => world.has(id, kind),
}
const worlds = { matrix: MatrixWorld, 'sparse sets': SparseSetWorld, archetypes: ArchetypeWorld }

describe.each(Object.keys(worlds))('the %s', (name) => {
  it('hold what a model holds, whatever comes and goes', () => {
    const world = new worlds[name](COMPONENTS)
    const random = createRandom()
    const model = new Map()
    const write = (id, kind, value) => {
      const [fields, row] = fieldsAndRow[name](world, id, kind)
      for (const [field] of kind.fields) fields[field][row] = value
    }
    const read = (id, kind) => {
      if (!has[name](world, id, kind)) return undefined
      const [fields, row] = fieldsAndRow[name](world, id, kind)
      return kind.fields.map(([field]) => fields[field][row])
    }

    for (let step = 0; step < STEPS; step++) {
      const ids = [...model.keys()]
      const id = ids[random(ids.length)]
      const kind = COMPONENTS[random(2)]
      const action = random(8)
      if (id === undefined || action < 3) model.set(world.create(), new Map())
      else if (action === 3) {
        world.destroy(id)
        model.delete(id)
      } else if (action === 4) {
        world.remove(id, kind)
        model.get(id).delete(kind)
      } else {
        world.add(id, kind)
        write(id, kind, step)
        model.get(id).set(kind, step)
      }
      // The model is walked in every step: kept small enough by more deaths.
      if (model.size > 200) {
        for (const doomed of ids.slice(0, 150)) {
          world.destroy(doomed)
          model.delete(doomed)
        }
      }
    }
    expect(world.ids.alive).toBe(model.size)
    for (const [id, parts] of model) {
      for (const kind of COMPONENTS) {
        const value = parts.get(kind)
        expect(read(id, kind)).toEqual(value === undefined ? undefined : kind.fields.map(() => value))
      }
    }
  })

  it('keep every value when they grow', () => {
    const world = new worlds[name](COMPONENTS)
    const ids = Array.from({ length: 5_000 }, () => world.create())
    ids.forEach((id, k) => {
      world.add(id, Weight)
      const [fields, row] = fieldsAndRow[name](world, id, Weight)
      fields.grams[row] = k
    })
    const found = ids.map((id) => {
      const [fields, row] = fieldsAndRow[name](world, id, Weight)
      return fields.grams[row]
    })
    expect(found).toEqual(ids.map((_, k) => k))
  })
})

describe('the game objects', () => {
  it('leave the list from any place', () => {
    const scene = new Scene()
    const objects = Array.from({ length: 6 }, () => scene.create())
    for (const k of [0, 5, 2]) scene.destroy(objects[k])
    expect(new Set(scene.objects)).toEqual(new Set([objects[1], objects[3], objects[4]]))
    for (const object of scene.objects) expect(scene.objects[object.index]).toBe(object)
  })
})

describe('the hash maps', () => {
  it('give a part by its class until it is removed', () => {
    class Engine {}
    const world = new MapWorld()
    const entity = world.create()
    const engine = new Engine()
    world.add(entity, engine)
    expect(entity.get(Engine)).toBe(engine)
    world.remove(entity, Engine)
    expect(entity.has(Engine)).toBe(false)
    world.destroy(entity)
    expect(world.entities.size).toBe(0)
  })
})

describe('the hash table', () => {
  it('agrees with a Map', () => {
    const table = new HashTable()
    const model = new Map()
    const random = createRandom()
    for (let step = 0; step < 2_000; step++) {
      const key = random(1_000)
      table.set(key, step)
      model.set(key, step)
    }
    for (let key = 0; key < 1_100; key++) expect(table.get(key)).toBe(model.get(key))
  })
})
