// Shows that the checksum of save files is CRC-32, whatever the length.

import { expect, it } from 'vitest'
import { checksum } from '../../bindings/saves/binary'
import { crc32 } from '../support/saveBytes'
import { seededRandom } from '../support/storages'

it('The checksum is CRC-32, whose value for the digits 1 to 9 is known', () => {
  expect(checksum(new TextEncoder().encode('123456789'))).toBe(0xcbf43926)
  expect(checksum(new Uint8Array(0))).toBe(0)
})

it('Bytes of any length have the sum that a slow method gives', () => {
  const random = seededRandom(1)
  for (let length = 0; length < 100; length++) {
    const bytes = Uint8Array.from({ length }, () => random() * 256)
    expect(checksum(bytes)).toBe(crc32(bytes))
  }
})
