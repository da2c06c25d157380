// The inspector of the package on this page: it follows the picked agent, goes through the past, pauses, and writes values. It is loaded
// when it is first asked for.

import { NULL_ENTITY, type Entity } from 'strata-ecs'
import type { Change, InstalledInspector } from 'strata-ecs/inspector'
import type { Page } from './panel.ts'
import { MOST_PREY, SIZE, STEP } from './simulation/settings.ts'
import type { Swarm } from './simulation/swarm.ts'

export function createInspector({ swarm, past, frames, pick, tell }: Page) {
  let loading: Promise<InstalledInspector> | undefined

  async function load(): Promise<InstalledInspector> {
    const { installInspector } = await import('strata-ecs/inspector')
    const history = {
      get frame() {
        return swarm.tick
      },
      get oldest() {
        return past.oldest
      },
      get newest() {
        return past.newest
      },
      goTo: (tick: number) => past.goTo(tick),
      cut: () => past.cut(),
      secondsPerFrame: STEP,
    }
    const installed = installInspector(swarm.world, {
      schedule: swarm.schedule,
      clock: frames,
      history,
      write: (change) => write(swarm, change),
      key: '',
      side: 'left',
    })
    installed.element.addEventListener('follow', (event) => {
      const { entity } = (event as CustomEvent<{ entity: Entity | undefined }>).detail
      if (entity !== undefined) pick(entity)
    })
    const followTheme = () =>
      installed.element.setAttribute('theme', document.documentElement.dataset.theme ?? 'light')
    new MutationObserver(followTheme).observe(document.documentElement, { attributeFilter: ['data-theme'] })
    followTheme()
    return installed
  }

  function use(act: (installed: InstalledInspector) => void) {
    loading ??= load()
    loading.then(act, () => {
      loading = undefined
      tell('The inspector could not be loaded.')
    })
  }

  return {
    toggle: () => use((installed) => installed.toggle()),
    /** Opens it with an agent in it; NULL_ENTITY closes it. */
    show(entity: Entity) {
      if (entity === NULL_ENTITY && loading === undefined) return
      use((installed) => {
        installed.element.follow(entity === NULL_ENTITY ? undefined : entity)
        if (entity === NULL_ENTITY) installed.close()
        else installed.open()
      })
    },
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
  // Beyond these an agent would be outside of the square, or too fast for its neighbours' sake.
  const [least, most] = component === 'Position' ? [0, SIZE - 0.01] : [-1000, 1000]
  const isOutside = typeof value === 'number' && (value < least || value > most)
  if (isOutside && field !== 'target') throw new Error(`${component}.${field} is from ${least} to ${most}.`)
  swarm.act({ kind: 'set', entity, component, values: { [field]: value } })
}
