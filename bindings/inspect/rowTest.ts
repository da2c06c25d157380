// Owns asking one entity whether a condition holds for it, and reading the value of one field. It must never call the core.

import type { Comparison } from '../components/types'
import { arrayOf } from '../components/fieldMemory'
import { SHIFT_OF } from '../components/fields'
import { INDEX_MASK } from '../memory/entity'
import type { Registration } from '../rows/registration'
import type { WorldState } from '../rows/worldState'
import type { Condition, Subject } from './filterMeaning'

/** Whether a condition holds for a living entity. */
export type RowTest = (entity: number) => boolean

/** What a field holds: undefined where the entity lacks the component, or has it switched off. A bool is 0 or 1. */
export type ValueOf = (entity: number) => number | string | undefined

export function testOf(condition: Condition, state: WorldState): RowTest {
  switch (condition.kind) {
    case 'always':
      return () => !condition.negated
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
    default: {
      const tests = condition.parts.map((part) => testOf(part, state))
      return condition.kind === 'and'
        ? (entity) => tests.every((test) => test(entity))
        : (entity) => tests.some((test) => test(entity))
    }
  }
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

export function valueOf({ registration, field, kind, place }: Subject, state: WorldState): ValueOf {
  const { heap, texts } = state
  const { length } = registration.definition.fields[field] as { readonly length: number }
  const shift = SHIFT_OF[kind]
  return (entity) => {
    const ref = (entity & INDEX_MASK) < heap.entityCapacity ? registration.locate(entity) : undefined
    if (ref === undefined || ref.isOff) return undefined
    const first = (ref.data + (ref.placement.offsets[field] as number)) >> shift
    const value = arrayOf(heap, kind)[first + ref.row * length + place] as number
    return kind === 'text' ? texts.at(value) : value
  }
}
