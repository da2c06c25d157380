import { createWorld } from '/node_modules/strata-ecs/dist/index.js'

try {
  const world = createWorld()
  globalThis.answer = { alive: world.isAlive(world.spawn()) }
} catch (error) {
  globalThis.answer = { code: error.code, message: error.message }
}
