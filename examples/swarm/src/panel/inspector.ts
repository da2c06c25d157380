// Owns the picked agent on the page: what its handle says, its tags, its components, and what can be done to it.
// It must never keep a value: all of them are read from the world, ten times a second.

import { NULL_ENTITY, type Component, type Entity, type Tag } from 'strata-ecs'
import * as declared from '../simulation/components.ts'
import { SIZE } from '../simulation/settings.ts'
import type { Swarm } from '../simulation/swarm.ts'
import { type Bounds, createComponentForm } from './componentForm.ts'
import { element, grouped, make, say } from './element.ts'

const { Burning, Hunter, Name, Position, Prey, Velocity } = declared
const COMPONENTS = Object.values(declared).filter(({ kind }) => kind === 'component') as Component[]
const TAGS = Object.values(declared).filter(({ kind }) => kind === 'tag') as Tag[]

/** Beyond these an agent would be outside of the square, or too fast for one neighbour's sake of all. */
const BOUNDS = new Map<unknown, Bounds>([
  [Position, [0, SIZE - 0.01]],
  [Velocity, [-1000, 1000]],
])
const USUAL_BOUNDS: Bounds = [-1000, 1000]

/** From which number to which each field of a component may be set by hand. */
export const boundsOf = (component: unknown): Bounds => BOUNDS.get(component) ?? USUAL_BOUNDS

export interface Inspector {
  /** Picks an agent in place of the one before; NULL_ENTITY for none. */
  pick(entity: Entity): void
  readonly picked: Entity
  /** Shows how things stand; to be called some times a second. */
  show(): void
}

/** @param changed told of the agent that is picked now and lives, NULL_ENTITY for none */
export function createInspector(swarm: Swarm, changed: (living: Entity) => void): Inspector {
  const { world } = swarm
  const canvas = element('view', HTMLCanvasElement)
  const root = element('inspector', HTMLElement)
  const title = element('agent-title', HTMLElement)
  const handle = element('agent-handle', HTMLParagraphElement)
  const fate = element('agent-fate', HTMLParagraphElement)
  const heir = element('heir', HTMLButtonElement)
  const alive = element('agent-alive', HTMLDivElement)
  const burn = element('burn', HTMLButtonElement)
  const forms = COMPONENTS.map((each) => createComponentForm(swarm, each, boundsOf(each), pick))
  const chips = TAGS.map((tag) => ({ tag, chip: make('li', {}, tag.componentName) }))
  let picked: Entity = NULL_ENTITY
  /** Who has the index of the picked one after its death. */
  let next: Entity = NULL_ENTITY
  let living = false

  element('components', HTMLDivElement).append(...forms.map((form) => form.element))
  element('tags', HTMLUListElement).append(...chips.map(({ chip }) => chip))
  element('drop', HTMLButtonElement).addEventListener('click', () => pick(NULL_ENTITY))
  heir.addEventListener('click', () => pick(next))
  burn.addEventListener('click', () => {
    swarm.act({ kind: 'burn', entity: picked, on: !world.has(picked, Burning) })
    show()
  })
  element('destroy', HTMLButtonElement).addEventListener('click', () => {
    swarm.act({ kind: 'destroy', entity: picked })
    show()
  })

  function pick(entity: Entity) {
    swarm.pick(entity)
    picked = entity
    living = world.isAlive(entity)
    // The focus must not go with what it was in.
    if (entity === NULL_ENTITY && root.contains(document.activeElement)) canvas.focus()
    root.hidden = entity === NULL_ENTITY
    changed(living ? entity : NULL_ENTITY)
    show()
  }

  // The pick is a person's, not the moment's: it survives a way through time, and comes alive again with its agent.
  world.onRestore(() => {
    if (picked === NULL_ENTITY) return
    swarm.pick(picked)
    living = world.isAlive(picked)
    changed(living ? picked : NULL_ENTITY)
  })

  function show() {
    if (picked === NULL_ENTITY) return
    const lives = world.isAlive(picked)
    if (lives) showLiving()
    else showDead()
    if (lives !== living) changed(NULL_ENTITY)
    living = lives
    alive.hidden = !lives
    fate.hidden = lives
    root.classList.toggle('dead', !lives)
    say(handle, `index ${grouped(indexOf(picked))} · generation ${generationOf(picked)}`)
  }

  function showLiving() {
    say(title, world.get(picked, Name)?.value ?? (world.has(picked, Hunter) ? 'Hunter' : 'One of the flock'))
    for (const form of forms) form.show(picked)
    for (const { tag, chip } of chips) chip.hidden = !world.has(picked, tag)
    say(burn, world.has(picked, Burning) ? 'Put out' : 'Set on fire')
    burn.hidden = !world.has(picked, Prey)
    heir.hidden = true
  }

  /** What a stale handle says: no, for ever, also when its index is in use again. */
  function showDead() {
    say(title, 'It died')
    next = heirOf(picked)
    heir.hidden = next === NULL_ENTITY
    const inUse = heir.hidden
      ? 'Its index waits to be used again, by another generation.'
      : `Its index is in use again, in generation ${generationOf(next)}: another agent, another handle.`
    say(fate, `world.isAlive(handle) is false, and get finds nothing. ${inUse}`)
    say(heir, `Pick generation ${generationOf(next)}`)
  }

  /** Who lives at the index of one that died, NULL_ENTITY when nobody does. */
  function heirOf(dead: Entity): Entity {
    for (let generation = generationOf(dead) + 1; generation <= LAST_GENERATION; generation++) {
      const handle = (indexOf(dead) + generation * GENERATION) as Entity
      if (world.isAlive(handle)) return handle
    }
    return NULL_ENTITY
  }

  return {
    pick,
    show,
    get picked() {
      return picked
    },
  }
}

// A handle is 24 bits of index below 8 bits of generation.
const GENERATION = 2 ** 24
const LAST_GENERATION = 255
const indexOf = (entity: Entity) => entity % GENERATION
const generationOf = (entity: Entity) => Math.floor(entity / GENERATION)
