// Shows what the numbers of a query accept and return.

/* eslint-disable @typescript-eslint/no-unused-vars --
   values are made here for their types alone */

import {
  any,
  bool,
  getColumn,
  setColumn,
  component,
  createWorld,
  entity,
  f32,
  maxOf,
  minOf,
  optional,
  sparse,
  sumOf,
  tag,
  text,
  u8,
  vec,
  type EntityArray,
} from 'strata-ecs'
import { expectType, type Equal } from './equal.js'

const Person = component('Person', { age: u8, name: text, at: vec(f32, 2), friend: entity, ill: bool })
const Health = component('Health', { hp: f32 }, { storage: sparse })
const Odd = tag('Odd')
const world = createWorld()
const people = world.query(Person, Health, optional(Odd))
const some = world.query(any(Person, Odd))

const total: number =
  sumOf(people, Person, 'age') + minOf(people, Health, 'hp') + maxOf(people, Person, 'ill')
void total
expectType<Equal<ReturnType<typeof agesOf>, Uint8Array>>()
function agesOf() {
  return getColumn(people, Person, 'age')
}
expectType<Equal<ReturnType<typeof friendsOf>, EntityArray>>()
function friendsOf() {
  return getColumn(people, Person, 'friend')
}
getColumn(people, Person, 'at').fill(1)
getColumn(people, Health, 'hp').fill(1)
getColumn(people, Person, 'name')[0]?.toFixed()
// @ts-expect-error a text has no sum
sumOf(people, Person, 'name')
// @ts-expect-error a vec has no least value
minOf(people, Person, 'at')
// @ts-expect-error there is no field size
getColumn(people, Person, 'size')
// @ts-expect-error not every match has it
sumOf(some, Person, 'age')
// @ts-expect-error a tag has no fields
getColumn(people, Odd, 'x')

// Into an array of the caller's, and back; and a list of anything.
const many: number = getColumn(people, Person, 'age', { into: getColumn(people, Person, 'age') })
setColumn(people, Person, 'age', [many])
const rows = people.map((one, i) => ({ one, i }))
void rows[0]?.one
// @ts-expect-error there is no such field
setColumn(people, Person, 'size', [1])
// @ts-expect-error an array of another class
getColumn(people, Person, 'age', { into: new Float64Array(9) })
