// Owns how the ground is shown in text: nests, plants, and the trails as they were last redrawn.
// It must never read scents: the picture of the trails is kept up to date by systems/redraw.js.

import { Nest, Source } from './components.js'
import { Settings } from './resources.js'

const SHADES = ' ..::-=+*#'
const MOST_COLUMNS = 96

/** From 0, no scent, to 9. */
export function shadeOf(strength) {
  return strength === 0 ? 0 : Math.min(SHADES.length - 1, 1 + Math.floor(strength * 3))
}

/** The whole land as lines; a character stands for a block of cells, twice as high as wide. */
export function drawGround(world, picture) {
  const { side } = world.resource(Settings)
  const width = Math.max(1, Math.ceil(side / MOST_COLUMNS))
  const height = 2 * width
  const columns = Math.ceil(side / width)
  const lines = Array.from({ length: Math.ceil(side / height) }, () => new Array(columns).fill(' '))

  for (let y = 0; y < side; y++) {
    const line = lines[Math.floor(y / height)]
    for (let x = 0; x < side; x++) {
      const shade = SHADES[picture[y * side + x]]
      const at = Math.floor(x / width)
      if (SHADES.indexOf(shade) > SHADES.indexOf(line[at])) line[at] = shade
    }
  }
  const put = (mark) => (_, place) =>
    (lines[Math.floor(place.y / height)][Math.floor(place.x / width)] = mark)
  world.query(Source).each(put('o'))
  world.query(Nest).each(put('@'))
  return lines.map((line) => line.join('').trimEnd()).join('\n')
}
