// Owns the declaration of object components. It brings their upkeep, so that other programs do not carry it.

import { FLAG_UPKEEP, STORAGE_TABLE, STORAGE_TAG } from '../../build/layout'
import type { MadeObject, ObjectComponent } from '../components/component'
import { checkName, checkTrack, define } from '../components/definition'
import { type HasEach, checkOptions } from '../memory/arguments'
import { describe } from '../memory/describe'
import { StrataTypeError } from '../memory/errors'
import { type AnyOptions, type ObjectOptions, keepOptions } from '../components/objectOptions'
import { ObjectStates, reviveObjects } from './objectRestore'
import { ObjectStore } from './objectStore'
import { makeUpkeep } from '../changes/apply'
import type { ObjectStatesClass, ReviveObjects } from '../state/upkeep'

const FUNCTIONS = ['init', 'dispose', 'clone', 'revive', 'save', 'load'] as const
const OPTIONS = [...FUNCTIONS, 'snapshots', 'trackChanges'] as const
true satisfies HasEach<ObjectOptions<unknown>, typeof OPTIONS>

/**
 * Declares a component that holds any JavaScript value except undefined. In queries it behaves like any component;
 * its values are in JavaScript, not in linear memory, and each belongs to one entity. They take up memory in pages of 1,024
 * entity indices, 16 bytes an index; pages without values are freed.
 *
 * @param name shown in errors; in one world it must stand for one declaration
 * @param make returns the value for an entity that gets the component without one, so that `spawn(Movement)` works: a new one at
 *   each call. It runs with the world locked, before the change; if it throws, nothing changes. Lists and copies do not call it
 * @param options init, dispose, clone and revive: functions that are called over the life of a value; save and load, by which
 *   files and forks keep it, and with `snapshots: true` snapshots as well; track
 * @throws StrataTypeError INVALID_SCHEMA, INVALID_OPTION
 * @example const Sprite = object<MySprite>('Sprite', { dispose: (sprite) => sprite.free() })
 * @example const Movement = object('Movement', () => new Movement(), { clone: (movement) => movement.copy() })
 * @example const Effects = object<Effect[]>('Effects', { save: (effects) => effects, load: (state) => state })
 */
export function object<T>(name: string, options?: ObjectOptions<T>): ObjectComponent<T>
export function object<T>(name: string, make: () => T, options?: ObjectOptions<T>): MadeObject<T>
export function object<T>(
  name: string,
  first: ObjectOptions<T> | (() => T) = {},
  second: ObjectOptions<T> = {},
): ObjectComponent<T> {
  checkName(name, 'object')
  const make = typeof first === 'function' ? first : undefined
  const options = make === undefined ? (first as ObjectOptions<T>) : second
  checkOptions(`object '${name}'`, options, OPTIONS)
  const tracksRows = checkTrack(`object '${name}'`, options, ['row'])
  for (const key of FUNCTIONS) {
    if (options?.[key] !== undefined && typeof options[key] !== 'function') {
      throw new StrataTypeError('INVALID_SCHEMA', `object '${name}': ${key} must be a function.`)
    }
  }
  checkSaving(name, options)
  const definition = define({
    name,
    kind: 'object',
    storage: 'table',
    schema: {},
    storageCode: tracksRows ? STORAGE_TABLE : STORAGE_TAG,
    flags: FLAG_UPKEEP,
    tracksRows,
    upkeep: makeUpkeep,
    make,
  })
  keepOptions(definition, {
    ...(options as ObjectOptions<unknown>),
    store: ObjectStore,
    reviveObjects,
    states: options?.save && ObjectStates,
  } satisfies AnyOptions & {
    readonly reviveObjects: ReviveObjects
    readonly states?: ObjectStatesClass | undefined
  })
  return (make === undefined
    ? definition
    : Object.assign(definition, { makes: true })) as unknown as ObjectComponent<T>
}

/** Files and forks need both functions, and snapshots these. */
function checkSaving<T>(name: string, options: ObjectOptions<T>): void {
  const { save, load, snapshots } = options ?? {}
  if ((save === undefined) !== (load === undefined)) {
    throw new StrataTypeError(
      'INVALID_OPTION',
      `object '${name}': save and load belong together, and ${save === undefined ? 'save' : 'load'} is missing.`,
    )
  }
  if (snapshots !== undefined && typeof snapshots !== 'boolean') {
    throw new StrataTypeError(
      'INVALID_OPTION',
      `object '${name}': snapshots must be true or false, not ${describe(snapshots)}.`,
    )
  }
  if (snapshots === true && save === undefined) {
    throw new StrataTypeError(
      'INVALID_OPTION',
      `object '${name}': snapshots keep values by save and load, so give both.`,
    )
  }
}
