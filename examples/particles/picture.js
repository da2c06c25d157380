// Owns: the picture: all particles as light on a dark ground, drops blue to white, sparks in the colours of embers.
// Must never: change a simulation; it draws where the particles are.

import { columnsOf } from './compare.js'
import { encodePng } from './png.js'
import { WALL } from './settings.js'

const WIDTH = 1600
const HEIGHT = 900
const MARGIN = 20
const FLOOR_LINE = 30
const PIXELS_PER_METRE = (WIDTH - 2 * MARGIN) / (2 * WALL)
/** Metres a second at which a drop is white. */
const WHITE_SPEED = 13
/** Pixels around a spark that it lights up. */
const GLOW_RADIUS = 5

const GROUND = [9, 12, 22]
const STILL_WATER = [24, 84, 190]
const FAST_WATER = [190, 236, 255]

/**
 * @param {ReturnType<typeof import('./simulation.js').createSimulation>} simulation
 * @returns {Buffer} a PNG file
 */
export function drawPicture(simulation) {
  const water = drawWater(columnsOf(simulation.drops))
  const fire = drawFire(columnsOf(simulation.sparks))
  const pixels = new Uint8Array(WIDTH * HEIGHT * 3)
  for (let pixel = 0; pixel < WIDTH * HEIGHT; pixel++) {
    const wet = 1 - Math.exp(-water.density[pixel] * water.exposure)
    const whiteness = Math.min(1, water.speed[pixel] / (water.density[pixel] * WHITE_SPEED || 1)) ** 1.5
    for (let channel = 0; channel < 3; channel++) {
      const colour = STILL_WATER[channel] + (FAST_WATER[channel] - STILL_WATER[channel]) * whiteness
      const lit = GROUND[channel] + (colour - GROUND[channel]) * wet
      pixels[pixel * 3 + channel] = Math.min(255, lit + 255 * (1 - Math.exp(-fire[pixel * 3 + channel])))
    }
  }
  return encodePng(WIDTH, HEIGHT, pixels)
}

const column = (x) => WIDTH / 2 + x * PIXELS_PER_METRE
const line = (y) => HEIGHT - FLOOR_LINE - y * PIXELS_PER_METRE

/** Each drop lights the four pixels around it. */
function drawWater({ x, y, vx, vy }) {
  const density = new Float32Array(WIDTH * HEIGHT)
  const speed = new Float32Array(WIDTH * HEIGHT)
  for (let i = 0; i < x.length; i++) {
    const left = column(x[i])
    const top = line(y[i])
    const c = Math.floor(left)
    const l = Math.floor(top)
    if (c < 0 || c >= WIDTH - 1 || l < 0 || l >= HEIGHT - 1) continue
    const right = left - c
    const below = top - l
    const fast = Math.hypot(vx[i], vy[i])
    for (const [pixel, share] of [
      [l * WIDTH + c, (1 - right) * (1 - below)],
      [l * WIDTH + c + 1, right * (1 - below)],
      [(l + 1) * WIDTH + c, (1 - right) * below],
      [(l + 1) * WIDTH + c + 1, right * below],
    ]) {
      density[pixel] += share
      speed[pixel] += share * fast
    }
  }
  return { density: soften(density), speed: soften(speed), exposure: 1_200_000 / Math.max(1, x.length) }
}

/** Each pixel takes a quarter of its light from each of its neighbours in a line, then in a column. */
function soften(light) {
  for (const step of [1, WIDTH]) {
    const sharp = light.slice()
    for (let pixel = step; pixel < light.length - step; pixel++) {
      light[pixel] = (sharp[pixel - step] + 2 * sharp[pixel] + sharp[pixel + step]) / 4
    }
  }
  return light
}

/** Each spark is a small round light: red while cold, then orange, yellow, white. */
function drawFire({ x, y, heat }) {
  const fire = new Float32Array(WIDTH * HEIGHT * 3)
  const strength = Math.min(3, 40_000 / Math.max(1, x.length))
  for (let i = 0; i < x.length; i++) {
    const c = Math.round(column(x[i]))
    const l = Math.round(line(y[i]))
    const red = strength * heat[i]
    for (let dy = -GLOW_RADIUS; dy <= GLOW_RADIUS; dy++) {
      for (let dx = -GLOW_RADIUS; dx <= GLOW_RADIUS; dx++) {
        if (c + dx < 0 || c + dx >= WIDTH || l + dy < 0 || l + dy >= HEIGHT) continue
        const light = red * Math.exp(-1.2 * Math.hypot(dx, dy))
        const at = ((l + dy) * WIDTH + c + dx) * 3
        fire[at] += light
        fire[at + 1] += light * heat[i] * 0.7
        fire[at + 2] += light * heat[i] ** 3 * 0.5
      }
    }
  }
  return fire
}
