// Owns the refusal of options that make no sense: unknown ones, wrong kinds, and a schedule or a history of another world. A
// refused option leaves no trace.

import { Schedule, StrataTypeError, type World } from '../../../../bindings/index'
import { worldOfHistory, worldOfSchedule } from './belonging'
import type { AttachOptions, Past } from './session'

const ATTACHED = ['schedule', 'history', 'clock', 'write'] as const
const INSTALLED = [...ATTACHED, 'key', 'open', 'theme', 'side', 'parent'] as const

/** The options of installInspector, as far as they are about the page. */
export interface PageOptions {
  readonly key?: unknown
  readonly open?: unknown
  readonly theme?: unknown
  readonly side?: unknown
  readonly parent?: Node | null | undefined
}

/** @throws StrataTypeError INVALID_OPTION */
export function checkAttachOptions(world: World, options: AttachOptions): void {
  const { schedule, history, clock, write } = requireObject('attach', options, ATTACHED) as AttachOptions
  if (schedule !== undefined) {
    if (!(schedule instanceof Schedule))
      refuse('schedule', 'a schedule that createSchedule of this copy of strata-ecs returned', schedule)
    if (worldOfSchedule(schedule) !== world) refuseOther('schedule', 'createSchedule(world)')
  }
  if (history !== undefined) {
    if (!isPast(history))
      refuse(
        'history',
        'one of createHistory, or an object with frame, oldest, newest, goTo and cut',
        history,
      )
    if (![undefined, world].includes(worldOfHistory(history) as World | undefined))
      refuseOther('history', 'createHistory(world, { frames })')
  }
  if (clock !== undefined && typeof (clock as { paused?: unknown } | null)?.paused !== 'boolean')
    refuse('clock', 'an object whose `paused` is true or false, such as a schedule', clock)
  if (write !== undefined && typeof write !== 'function')
    refuse('write', 'a function that takes a change', write)
}

/** @throws StrataTypeError INVALID_OPTION */
export function checkInstallOptions(options: object): void {
  const { key, open, theme, side, parent } = requireObject(
    'installInspector',
    options,
    INSTALLED,
  ) as PageOptions
  if (key !== undefined && typeof key !== 'string')
    refuse('key', "a text as KeyboardEvent.key has it, such as 'F2', or '' for none", key)
  if (open !== undefined && typeof open !== 'boolean') refuse('open', 'true or false', open)
  if (theme !== undefined && theme !== 'light' && theme !== 'dark')
    refuse('theme', "'light' or 'dark'", theme)
  if (side !== undefined && side !== 'left' && side !== 'right') refuse('side', "'left' or 'right'", side)
  // Of another window, a page's element is no instance of this one's Element.
  if (parent !== undefined && parent?.nodeType !== ELEMENT) refuse('parent', 'an element of a page', parent)
  const page = globalThis.document as Document | undefined
  if (parent === undefined && (page?.body ?? undefined) === undefined) {
    throw new StrataTypeError(
      'INVALID_OPTION',
      'installInspector adds the inspector to the body of the page, and there is none yet: call it later, or give a parent.',
    )
  }
}

/** Node.ELEMENT_NODE. */
const ELEMENT = 1

function requireObject(what: string, options: unknown, known: readonly string[]): object {
  if (typeof options !== 'object' || options === null)
    throw new StrataTypeError(
      'INVALID_OPTION',
      `${what}: the options must be an object such as { schedule, history }, not ${described(options)}.`,
    )
  const unknown = Object.keys(options).find((name) => !known.includes(name))
  if (unknown === undefined) return options
  throw new StrataTypeError(
    'INVALID_OPTION',
    `${what} has no option '${unknown.slice(0, MOST_SAID)}': there is ${known.join(', ')}.`,
  )
}

function isPast(value: unknown): value is Past {
  const past = value as Partial<Past> | null
  return (
    typeof value === 'object' &&
    [past?.frame, past?.oldest, past?.newest].every((frame) => typeof frame === 'number') &&
    [past?.goTo, past?.cut].every((way) => typeof way === 'function')
  )
}

function refuse(name: string, wanted: string, given: unknown): never {
  throw new StrataTypeError(
    'INVALID_OPTION',
    `The inspector's ${name} must be ${wanted}, not ${described(given)}.`,
  )
}

function refuseOther(name: string, way: string): never {
  throw new StrataTypeError(
    'INVALID_OPTION',
    `The inspector's ${name} is that of another world: give the one that ${way} made for the world that is shown.`,
  )
}

const MOST_SAID = 60

function described(value: unknown): string {
  if (typeof value === 'string') return `'${value.slice(0, MOST_SAID)}'`
  if (typeof value === 'function') return 'a function'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
