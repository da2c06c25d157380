// Owns testing entities against a condition, and reading one of their fields, without a call into the core.
//
// Tests and readers hold for one walk: they remember where columns lie, and nothing may change meanwhile.

import { CHUNK_DATA_WORD, CHUNK_LAYOUT_KEY_WORD, ROW_BITS } from '../../../../build/layout'
import type { Comparison } from '../../../../bindings/components/queryTypes'
import { arrayOf } from '../../../../bindings/components/fieldMemory'
import type { Field } from '../../../../bindings/components/fields'
import type { KindIn } from '../../../../bindings/components/fieldKinds'
import { INDEX_MASK } from '../../../../bindings/memory/entity'
import { ROW_MASK } from '../../../../bindings/memory/heap'
import type { Registration } from '../../../../bindings/state/registration'
import type { WorldState } from '../../../../bindings/state/worldState'
import type { FilterCondition, Subject } from './filterMeaning'

/** Whether a condition holds for a living entity. */
export type RowTest = (entity: number) => boolean

/** What a field holds: undefined where the entity lacks the component, or has it switched off. A bool is 0 or 1. */
export type ReadValue = (entity: number) => number | string | undefined

export function testOf(condition: FilterCondition, state: WorldState): RowTest {
  switch (condition.kind) {
    case 'always':
      return () => !condition.negated
    case 'is':
      return (entity) => (entity === condition.entity) !== condition.negated
    case 'has': {
      const has = presenceOf(condition.registration)
      return condition.negated ? (entity) => !has(entity) : has
    }
    case 'link': {
      const leads = linkTest(condition.registration, condition.target, state)
      return (entity) => leads(entity) !== condition.negated
    }
    case 'compare': {
      const { subject, comparison, negated } = condition
      const read = valueOf(subject, state)
      const value = typeof condition.value === 'boolean' ? Number(condition.value) : condition.value
      const holds = COMPARE[comparison]
      return (entity) => {
        const found = read(entity)
        return (found !== undefined && holds(found, value)) !== negated
      }
    }
    default:
      return joined(
        condition.kind,
        condition.parts.map((part) => testOf(part, state)),
      )
  }
}

/** Joins tests in pairs: most filters have two, and calling both is faster than a loop over a list. */
function joined(kind: 'and' | 'or', tests: readonly RowTest[]): RowTest {
  return tests.reduceRight((second, first) =>
    kind === 'and'
      ? (entity) => first(entity) && second(entity)
      : (entity) => first(entity) || second(entity),
  )
}

const COMPARE: Record<Comparison, (a: number | string, b: number | string) => boolean> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
}

/** Whether a living entity has a component, switched on. */
function presenceOf(registration: Registration): RowTest {
  return registration.canToggle
    ? (entity) => registration.locate(entity)?.isOff === false
    : (entity) => registration.isOn(entity)
}

function linkTest({ links }: Registration, target: number | Registration, state: WorldState): RowTest {
  const leads = typeof target === 'number' ? (to: number) => to === target : livingTest(target, state)
  const targets: number[] = []
  return (entity) => {
    targets.length = 0
    links?.collectTargets(entity, targets)
    return targets.some(leads)
  }
}

/** A target may be gone. */
function livingTest(component: Registration, state: WorldState): RowTest {
  const has = presenceOf(component)
  return (entity) => state.isAlive(entity) && has(entity)
}

/** Reads a field of living entities. Where its column lies in a chunk is looked up once for all rows that follow. */
export function valueOf({ registration, field, kind, place }: Subject, state: WorldState): ReadValue {
  const { heap, texts } = state
  const { length, shift } = registration.definition.fields[field] as Field
  const { u8, u32 } = heap
  const array = arrayOf(heap, kind)
  let chunk = -1
  /** Index of the first row's value; -1 where the chunk lacks the component. */
  let first = -1
  let switches = 0
  const enter = (location: number): void => {
    chunk = location >>> ROW_BITS
    const descriptor = heap.descriptorAt(location)
    const placement = registration.placement(u32[descriptor + CHUNK_LAYOUT_KEY_WORD] as number)
    const data = u32[descriptor + CHUNK_DATA_WORD] as number
    first = placement.present ? ((data + (placement.offsets[field] as number)) >> shift) + place : -1
    switches = placement.toggleOffset === 0 ? 0 : data + placement.toggleOffset
  }
  return (entity) => {
    const location = locationOf(registration, entity)
    if (location === 0) return undefined
    if (location >>> ROW_BITS !== chunk) enter(location)
    if (first < 0) return undefined
    const row = location & ROW_MASK
    if (switches !== 0 && (((u8[switches + (row >> 3)] as number) >> (row & 7)) & 1) !== 0) return undefined
    const value = array[first + row * length] as number
    if (kind === 'text') return texts.at(value)
    kind satisfies KindIn<'integer' | 'float' | 'bool' | 'entity'>
    return value
  }
}

/** Where a living entity has its row, in the pool of a component or in its archetype; 0 for none. */
function locationOf(registration: Registration, entity: number): number {
  const { heap, pooled } = registration
  const index = entity & INDEX_MASK
  if (pooled) return registration.findRow(index)
  return index < heap.entityCapacity ? heap.locationAt(index) : 0
}
