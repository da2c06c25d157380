// Gives a test a world from a save, over the core that this run is about, and compares two worlds of which one came of the other.

import { expect } from 'vitest'
import {
  type AnyComponent,
  type ComponentLike,
  type Entity,
  type LoadOptions,
  type Loaded,
  NULL_ENTITY,
  type World,
  loadFromJSON,
  loadWorld,
} from '../../bindings/index'
import { checkInvariants } from './invariants'
import { CORE } from './world'

/** As for every world of the tests: see world.ts. */
const MEMORY = typeof document === 'undefined' ? { memory: { initial: 2 ** 20 } } : {}

/** A world from the bytes of a save. */
export function load(bytes: Uint8Array, components: LoadOptions['components'], options = {}): Loaded {
  return whole(loadWorld(bytes, { ...CORE, ...MEMORY, ...options, components }))
}

/** A world from the JSON of a save. */
export function loadJSON(json: string, components: LoadOptions['components'], options = {}): Loaded {
  return whole(loadFromJSON(json, { ...CORE, ...MEMORY, ...options, components }))
}

function whole(loaded: Loaded): Loaded {
  checkInvariants(loaded.world)
  return loaded
}

/** What a component of an entity holds, with a copy of lists, and handles as `map` has them. */
function valuesIn(
  world: World,
  entity: number,
  kind: ComponentLike,
  map: (handle: number) => number,
): unknown {
  const values: unknown = world.get(entity as Entity, kind as AnyComponent)
  const { schema } = kind as Partial<AnyComponent>
  if (schema === undefined || values === undefined) return values
  return Object.fromEntries(
    Object.entries(values as object).map(([name, value]: [string, unknown]) => {
      const isHandle = (schema as Record<string, { kind: string }>)[name]?.kind === 'entity'
      if (ArrayBuffer.isView(value)) {
        const list = Array.from(value as Uint32Array)
        return [name, isHandle ? list.map(map) : list]
      }
      return [name, isHandle ? map(value as number) : value]
    }),
  )
}

/** Throws unless what became of some entities is what they are: components, values, what is switched off. */
export function expectSame(
  before: World,
  after: World,
  handles: ReadonlyMap<number, Entity>,
  kinds: readonly ComponentLike[],
): void {
  const mapped = (handle: number) => (before.isAlive(handle) ? handles.get(handle) : undefined) ?? NULL_ENTITY
  for (const [old, entity] of handles) {
    expect(after.isAlive(entity)).toBe(true)
    for (const kind of kinds) {
      expect(after.has(entity, kind as AnyComponent)).toBe(before.has(old as Entity, kind as AnyComponent))
      expect(after.isEnabled(entity, kind as AnyComponent)).toBe(
        before.isEnabled(old as Entity, kind as AnyComponent),
      )
      if (kind.kind !== 'component') continue
      expect(valuesIn(after, entity, kind, (handle) => handle)).toEqual(valuesIn(before, old, kind, mapped))
    }
  }
}
