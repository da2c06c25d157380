// Owns: PNG files of 8 bits a channel, red, green and blue.
// Must never: know what a picture shows.

import { deflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const BITS = 8
const RGB = 2
/** Each line is written as its difference to the line above. */
const UP = 2
const CHANNELS = 3

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  return crc
})

/**
 * @param {number} width
 * @param {number} height
 * @param {Uint8Array} pixels red, green, blue of each pixel, line by line from the top
 * @returns {Buffer}
 */
export function encodePng(width, height, pixels) {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([BITS, RGB], 8)
  const lines = filtered(width * CHANNELS, height, pixels)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function filtered(bytesPerLine, height, pixels) {
  const lines = Buffer.alloc((bytesPerLine + 1) * height)
  for (let line = 0; line < height; line++) {
    const to = line * (bytesPerLine + 1)
    const from = line * bytesPerLine
    lines[to] = UP
    for (let k = 0; k < bytesPerLine; k++) {
      const above = line === 0 ? 0 : pixels[from - bytesPerLine + k]
      lines[to + 1 + k] = pixels[from + k] - above
    }
  }
  return lines
}

function chunk(type, data) {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  const crc = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  crc.writeUInt32BE(crcOf(typed))
  return Buffer.concat([length, typed, crc])
}

function crcOf(bytes) {
  let crc = 0xffffffff
  for (const byte of bytes) crc = CRC_TABLE[(crc ^ byte) & 0xff] ^ (crc >>> 8)
  return ~crc >>> 0
}
