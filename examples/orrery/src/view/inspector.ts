// The inspector of the world, which is loaded when its key is pressed first.

import type { Entity } from 'strata-ecs'
import type { Orrery } from '../scene/orrery.ts'

const KEY = 'F2'

/** What the inspector does to the page. */
export interface Inspected {
  paused: boolean
  /** Turns the view to a body. */
  follow(slot: number): void
}

/** Listens to the key from now on. Once it is loaded, the inspector has its key itself. */
export function followInspectorKey(orrery: Orrery, inspected: Inspected): void {
  async function load(event: KeyboardEvent): Promise<void> {
    if (event.key !== KEY) return
    event.preventDefault()
    removeEventListener('keydown', listen)
    const { installInspector } = await import('strata-ecs/inspector')
    const { element } = installInspector(orrery.world, {
      key: KEY,
      open: true,
      theme: 'dark',
      clock: inspected,
    })
    element.addEventListener('follow', (event) => {
      const { entity } = (event as CustomEvent<{ entity: Entity | undefined }>).detail
      if (entity !== undefined && orrery.world.isAlive(entity)) inspected.follow(orrery.bodyOf(entity).slot)
    })
  }
  const listen = (event: KeyboardEvent): void => {
    load(event).catch(() => addEventListener('keydown', listen))
  }
  addEventListener('keydown', listen)
}
