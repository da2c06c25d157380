// A short run: a walk whose end depends on its seed and its parameters.

import { f64, text, u32 } from 'strata-ecs'
import { randomFloat } from 'strata-ecs/kernel'
import { defineRun } from '../../dist/define.js'

export default defineRun({
  parameters: { step: 1, steps: 20, name: 'a "walk", short' },
  columns: { distance: f64, crossings: u32, note: text },
  run({ seed, parameters: { step, steps, name } }) {
    let distance = 0
    let crossings = 0
    for (let i = 0; i < steps; i++) {
      const before = distance
      distance += step * (randomFloat(seed, i) - 0.5)
      if (before * distance < 0) crossings++
    }
    return { distance, crossings, note: `${name} ✓` }
  },
})
