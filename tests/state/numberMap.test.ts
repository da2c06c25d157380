// Shows that slots find what was put under any numbers, mostly at one look, and take memory for the items alone.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NumberMap } from '../../bindings/state/numberMap'

interface Item {
  readonly number: number
}

const NONE: Item = { number: -1 }

function slotsWith(numbers: Iterable<number>): NumberMap<Item> {
  const slots = new NumberMap(NONE)
  for (const number of numbers) slots.put(number, { number })
  return slots
}

const atOneLook = ({ list, mask }: NumberMap<Item>, number: number) => list[number & mask]?.number === number

describe('Slots', () => {
  it('find everything that was put, and nothing else', () => {
    const numbers = fc.uniqueArray(fc.oneof(fc.nat(200), fc.nat(2 ** 26)), { maxLength: 300 })
    fc.assert(
      fc.property(numbers, fc.nat(2 ** 26), (numbers, other) => {
        const slots = slotsWith(numbers)
        for (const number of numbers) expect(slots.get(number)).toEqual({ number })
        // What stands in a slot stands in its own.
        slots.list.forEach((item, slot) => {
          if (item === NONE) return
          expect(item.number & slots.mask).toBe(slot)
          expect(slots.get(item.number)).toBe(item)
        })
        if (!numbers.includes(other)) {
          expect(slots.get(other)).toBeUndefined()
          expect(atOneLook(slots, other)).toBe(false)
        }
      }),
    )
  })

  it('give the last item that was put under a number, and keep the others', () => {
    const numbers = Array.from({ length: 70 }, (_, i) => i * 37)
    const slots = slotsWith(numbers)
    const places = slots.list.length
    const last = { number: 37 }
    slots.put(37, last)
    expect(slots.list.length).toBe(places)
    expect(slots.get(37)).toBe(last)
    expect(slots.list[37 & slots.mask]).toBe(last)
    for (const number of numbers) expect(slots.get(number)).toEqual({ number })
  })

  it.each([
    ['one number', [7]],
    ['one high number', [2 ** 26 - 1]],
    ['0 and what follows', Array.from({ length: 65 }, (_, i) => i)],
    ['what follows a high number', Array.from({ length: 65 }, (_, i) => 2 ** 20 + i)],
    ['every fourth number', Array.from({ length: 64 }, (_, i) => 4000 + 4 * i)],
    ['two far from each other', [1, 2 ** 20 + 2]],
  ])('find %s in one probe', (_, numbers) => {
    const slots = slotsWith(numbers)
    for (const number of numbers) expect(atOneLook(slots, number)).toBe(true)
  })

  it('find most random numbers in one probe', () => {
    const numbers = Array.from({ length: 500 }, (_, i) => Math.imul(i + 1, 0x9e3779b1) >>> 8)
    const slots = slotsWith(numbers)
    const far = numbers.filter((number) => !atOneLook(slots, number))
    expect(far.length).toBeLessThan(50)
    for (const number of far) expect(slots.get(number)).toEqual({ number })
  })

  it.each([0, 1, 2, 63, 64, 65, 1000])(
    'take memory for %i items, however high their numbers are',
    (count) => {
      const close = slotsWith(Array.from({ length: count }, (_, i) => 2 ** 25 + i))
      expect(close.list.length).toBeLessThanOrEqual(Math.max(1, 2 * count))
      // Numbers that differ in high bits alone can never be told apart.
      const alike = slotsWith(Array.from({ length: count }, (_, i) => i * 2 ** 16))
      expect(alike.list.length).toBeLessThanOrEqual(Math.max(1, 16 * count))
    },
  )
})
