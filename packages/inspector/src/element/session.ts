// Owns what the views of one attached world share: the world, its schedule and history, which entity is chosen, and how a value
// is written.

import { type Entity, type Schedule, type World } from '../../../../bindings/index'
import { type Inspection, inspect } from '../inspect/inspect'
import { checkAttachOptions } from './options'

/** What the slider moves along. A History of createHistory is one; a page with a past of its own hands over these members. */
export interface Past {
  /** The number of the frame that the world is at. */
  readonly frame: number
  /** The first and the last frame that can be gone to. */
  readonly oldest: number
  readonly newest: number
  /** Goes to a frame between them and forgets none; it may arrive later. */
  goTo(frame: number): unknown
  /** Forgets the frames after the present one: another future begins. */
  cut(): void
  /** Seconds of one frame, where they are known: the slider then tells seconds. */
  readonly secondsPerFrame?: number | undefined
}

/** What stops and goes on. A Schedule is one. */
export interface Clock {
  paused: boolean
}

/** Options of element.attach. */
export interface AttachOptions {
  /** Its systems are shown and, while the inspector is open, measured. */
  readonly schedule?: Schedule | undefined
  /** What the slider goes back in: a history of createHistory, or a past of the page's own. */
  readonly history?: Past | undefined
  /** What the pause button stops; default the schedule. */
  readonly clock?: Clock | undefined
  /**
   * Writes a value that a person changed; default a `world.set` or `world.setResource` by names. A page that records what people
   * do passes its own, so that the record has it. What it throws is shown beside the field.
   */
  readonly write?: ((change: Change) => void) | undefined
}

/** What a person changes: one field of a component of an entity, or of a resource. */
export type Change =
  | { readonly entity: Entity; readonly component: string; readonly field: string; readonly value: unknown }
  | { readonly resource: string; readonly field: string; readonly value: unknown }

/** world.get, for components whose types nobody knows. */
interface UntypedReading {
  get(entity: Entity | number, component: object): Readonly<Record<string, unknown>> | undefined
}

/**
 * All that the views of a session say to each other. The element alone listens: it hands this over as it makes the session, and
 * passes on what is for one of its panels.
 */
export interface Channel {
  /** From whatever a person clicks or types in: do what was asked for. What it throws is shown, and does not escape. */
  readonly attempt: (action: () => void) => void
  /** From the time bar and the list of entities: a sentence for the status line, which the person is told. */
  readonly tell: (news: string) => void
  /** From the session: another entity is chosen, or followed. The element looks at once, and sends its event `follow`. */
  readonly chose: () => void
  /** From the session, where a link in another tab leads to an entity: the tab of entities comes to the front. */
  readonly showEntities: () => void
  /** From the archetypes and from a tree of links: the tab of entities comes to the front, and finds what this filter names. */
  readonly filter: (text: string) => void
}

/** One attached world. */
export class Session {
  readonly view: Inspection
  readonly schedule: Schedule | undefined
  readonly history: Past | undefined
  readonly clock: Clock | undefined
  /** The entity that is looked at, dead or alive. */
  chosen: Entity | undefined
  /** Whether the chosen entity stays chosen whatever is clicked in the list. */
  isFollowing = false
  /** Whether the inspector is open. One that is being closed writes nothing that a person is still typing. */
  isOpen = false
  /** The number of the refresh: what holds for one of them is looked up once. */
  turn = 0

  constructor(
    readonly world: World,
    private readonly options: AttachOptions,
    readonly channel: Channel,
  ) {
    this.view = inspect(world)
    checkAttachOptions(world, options)
    this.schedule = options.schedule
    this.history = options.history
    this.clock = options.clock ?? options.schedule
  }

  /** A copy of the fields of a component that is known by its name alone; undefined where the entity does not have it. */
  valuesOf(entity: Entity | number, component: object): Readonly<Record<string, unknown>> | undefined {
    const world = this.world as unknown as UntypedReading
    return world.get(entity, component)
  }

  choose(entity: Entity): void {
    if (entity !== this.chosen) this.isFollowing = false
    this.chosen = entity
    this.channel.chose()
  }

  /** Chooses an entity, and shows its tab. */
  show(entity: Entity): void {
    this.channel.showEntities()
    this.choose(entity)
  }

  follow(on: boolean): void {
    this.isFollowing = on
    this.channel.chose()
  }

  /** @throws what world.set and world.setResource throw; nothing is changed then */
  write(change: Change): void {
    const { write } = this.options
    if (write !== undefined) write(change)
    else if ('resource' in change) this.view.setResource(change.resource, change.field, change.value)
    else this.view.set(change.entity, change.component, change.field, change.value)
  }
}

/** One of the tabs. */
export interface Panel {
  readonly root: HTMLElement
  /** Reads what is on the screen. Called some ten times a second while the panel is shown. */
  refresh(): void
  /** Called at each frame of the page while the inspector is open, whether or not the panel is shown. */
  frame?(): void
}
