// Owns what a page says of its world under a policy: that it has one, or the error. It must never need an inline script.

import { createWorld } from '/node_modules/strata-ecs/dist/index.js'

try {
  const world = createWorld()
  globalThis.answer = { alive: world.isAlive(world.spawn()) }
} catch (error) {
  globalThis.answer = { code: error.code, message: error.message }
}
