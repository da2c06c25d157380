// Owns the eggs of a morning: a queen lays as many as her nest can feed. It must never feed them.

import { Hungry, Larva, Nest } from '../components.js'
import { EGGS_PER_DAY, PATIENCE, STORE_OF_PLENTY } from '../settings.js'

export function createLay(world) {
  const nests = world.query(Nest)
  return function lay() {
    // In a loop the eggs are laid when it ends. Their handles are alive before that.
    nests.each((nest, { stored, nurses, foragers, larvae }) => {
      const plenty = STORE_OF_PLENTY * (nurses + foragers + larvae)
      const eggs = stored >= plenty ? EGGS_PER_DAY : Math.floor((EGGS_PER_DAY * stored) / plenty)
      if (eggs === 0) return
      const first = world.spawn(Larva({ nest, patience: PATIENCE }), Hungry)
      world.spawnFrom(first, eggs - 1)
    })
  }
}
