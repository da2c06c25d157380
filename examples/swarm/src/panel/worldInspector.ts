// Owns the inspector of the whole world, which is loaded when it is first asked for: how it goes through the past, pauses, and
// writes values. It must never be loaded by a page on which nobody asks for it.

import type { Entity } from 'strata-ecs'
import type { Change, InstalledInspector } from 'strata-ecs/inspector'
import type { Frames } from '../frames.ts'
import * as declared from '../simulation/components.ts'
import type { Past } from '../simulation/past.ts'
import { MOST_PREY, STEP } from '../simulation/settings.ts'
import type { Swarm } from '../simulation/swarm.ts'
import { boundsOf } from './inspector.ts'

export interface WorldInspectorOptions {
  readonly swarm: Swarm
  readonly past: Past
  readonly frames: Frames
  /** Picks the agent that is followed. */
  readonly pick: (entity: Entity) => void
  readonly tell: (news: string) => void
}

/** What opens and closes it. */
export function createWorldInspector({ swarm, past, frames, pick, tell }: WorldInspectorOptions): () => void {
  let loading: Promise<InstalledInspector> | undefined

  async function load(): Promise<InstalledInspector> {
    const { installInspector } = await import('strata-ecs/inspector')
    const installed = installInspector(swarm.world, {
      schedule: swarm.schedule,
      clock: frames,
      history: {
        get frame() {
          return swarm.tick
        },
        get oldest() {
          return past.oldest
        },
        get newest() {
          return past.newest
        },
        goTo: (tick) => past.goTo(tick),
        cut: () => past.cut(),
        secondsPerFrame: STEP,
      },
      write: (change) => write(swarm, change),
      key: '',
      side: 'left',
    })
    const follow = (event: CustomEvent<{ entity: Entity | undefined }>) => {
      if (event.detail.entity !== undefined) pick(event.detail.entity)
    }
    installed.element.addEventListener('follow', follow as EventListener)
    followTheme(installed.element)
    return installed
  }

  return () => {
    loading ??= load()
    loading.then(
      (installed) => installed.toggle(),
      () => {
        loading = undefined
        tell('The inspector could not be loaded.')
      },
    )
  }
}

/** What a person changes is an input like any other: it is noted, so a way through the past comes to it again. */
function write(swarm: Swarm, change: Change): void {
  if ('resource' in change) {
    const prey = Number(change.value)
    if (change.resource !== 'Wish' || !Number.isInteger(prey) || prey < 0 || prey > MOST_PREY)
      throw new Error(`Of the resources, Wish.prey alone can be set: from 0 to ${MOST_PREY}.`)
    swarm.prey = prey
    return
  }
  const { entity, component, field, value } = change
  const [least, most] = boundsOf(Object.values(declared).find((one) => one.componentName === component))
  const isOutside = typeof value === 'number' && (value < least || value > most)
  if (isOutside && field !== 'target') throw new Error(`${component}.${field} is from ${least} to ${most}.`)
  swarm.act({ kind: 'set', entity, component, values: { [field]: value } })
}

/** Light or dark as the page is. */
function followTheme(element: HTMLElement): void {
  const root = document.documentElement
  const follow = () => element.setAttribute('theme', root.dataset.theme ?? 'light')
  new MutationObserver(follow).observe(root, { attributes: true, attributeFilter: ['data-theme'] })
  follow()
}
