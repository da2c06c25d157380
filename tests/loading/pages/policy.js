// Writes into a page under a policy that it has a world, or the error. It is a file because the policy forbids inline scripts.

import { createWorld } from '/node_modules/strata-ecs/dist/index.js'

try {
  const world = createWorld()
  globalThis.answer = { alive: world.isAlive(world.spawn()) }
} catch (error) {
  globalThis.answer = { code: error.code, message: error.message }
}
