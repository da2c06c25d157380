// Says what comes of a world in a process with little address space.
import { createWorld } from 'strata-ecs'

try {
  console.log('made', createWorld().stats().entities)
} catch (error) {
  console.log(error.name, error.code, error.message)
}
