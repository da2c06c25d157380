// Shows what the numbers of a query accept and return.

/* eslint-disable @typescript-eslint/no-unused-vars --
   values are made here for their types alone */

import {
  any,
  bool,
  component,
  createWorld,
  entity,
  f32,
  optional,
  tag,
  text,
  u8,
  vec,
  type EntityArray,
} from 'strata-ecs'
import { expectType, type Equal } from './equal.js'

const Person = component('Person', { age: u8, name: text, at: vec(f32, 2), friend: entity, ill: bool })
const Health = component('Health', { hp: f32 }, { storage: 'sparse' })
const Odd = tag('Odd')
const world = createWorld()
const people = world.query(Person, Health, optional(Odd))
const some = world.query(any(Person, Odd))

const total: number = people.sum(Person, 'age') + people.min(Health, 'hp') + people.max(Person, 'ill')
void total
expectType<Equal<ReturnType<typeof agesOf>, Uint8Array>>()
function agesOf() {
  return people.column(Person, 'age')
}
expectType<Equal<ReturnType<typeof friendsOf>, EntityArray>>()
function friendsOf() {
  return people.column(Person, 'friend')
}
people.column(Person, 'at').fill(1)
people.column(Health, 'hp').fill(1)
people.column(Person, 'name')[0]?.toFixed()
// @ts-expect-error a text has no sum
people.sum(Person, 'name')
// @ts-expect-error a vec has no least value
people.min(Person, 'at')
// @ts-expect-error there is no field size
people.column(Person, 'size')
// @ts-expect-error not every match has it
some.sum(Person, 'age')
// @ts-expect-error a tag has no fields
people.column(Odd, 'x')
