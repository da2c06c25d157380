// Owns which systems a schedule has, and finds them by their names or by what was added.

import { describe } from '../memory/describe'
import { StrataTypeError } from '../memory/errors'
import { isPlain } from '../memory/realms'
import { type System, type SystemRecord, type SystemReference, isReference } from './system'

/** The systems of one schedule, in the order in which they were added. */
export class SystemList {
  private readonly byName = new Map<string, SystemRecord>()
  private readonly bySystem = new Map<System, SystemRecord[]>()
  /** What was removed, under its name and as itself: constraints that name it are ignored, not wrong. */
  private readonly removed = new Set<SystemReference>()

  get all(): SystemRecord[] {
    return [...this.byName.values()]
  }

  /** Calls back for each, in the order in which they were added. Allocates nothing. */
  forEach(callback: (system: SystemRecord) => void): void {
    this.byName.forEach(callback)
  }

  has(reference: SystemReference): boolean {
    return typeof reference === 'string' ? this.byName.has(reference) : this.bySystem.has(reference)
  }

  get names(): string[] {
    return [...this.byName.keys()]
  }

  /**
   * The name that a system gets if it can be added: the one given in its options, or its own with a number where
   * another system has that one already. A minifier may give two functions one name, or none.
   *
   * @throws StrataTypeError INVALID_SYSTEM
   */
  nameFor(system: System, given: string | undefined): string {
    if (given !== undefined) {
      if (!this.byName.has(given)) return given
      throw new StrataTypeError(
        'INVALID_SYSTEM',
        `This schedule has a system '${given}' already: give this one a name of its own, or remove the other.`,
      )
    }
    const [present] = this.bySystem.get(system) ?? []
    if (present !== undefined) {
      throw new StrataTypeError(
        'INVALID_SYSTEM',
        `This schedule has this system already, as '${present.name}': to add it twice, give it another name in the options.`,
      )
    }
    const own = ownName(system) ?? 'system'
    let name = own
    for (let number = 2; this.byName.has(name); number++) name = `${own} ${number}`
    return name
  }

  add(record: SystemRecord): void {
    this.byName.set(record.name, record)
    const others = this.bySystem.get(record.system)
    if (others === undefined) this.bySystem.set(record.system, [record])
    else others.push(record)
  }

  remove(record: SystemRecord): void {
    this.byName.delete(record.name)
    const left = (this.bySystem.get(record.system) ?? []).filter((other) => other !== record)
    if (left.length > 0) this.bySystem.set(record.system, left)
    else {
      this.bySystem.delete(record.system)
      this.removed.add(record.system)
    }
    this.removed.add(record.name)
  }

  /** The system of a name, or the one that was added as `reference`; undefined if there is none. */
  get(reference: SystemReference): SystemRecord | undefined {
    if (typeof reference === 'string') return this.byName.get(reference)
    const records = this.bySystem.get(reference)
    if (records === undefined || records.length === 1) return records?.[0]
    throw new StrataTypeError(
      'INVALID_SYSTEM',
      `${describeSystem(reference)} was added as ${records.map(({ name }) => `'${name}'`).join(' and ')}: say which by its name.`,
    )
  }

  /**
   * The system that a call names.
   *
   * @throws StrataTypeError UNKNOWN_SYSTEM, INVALID_SYSTEM
   */
  find(reference: SystemReference, operation: string): SystemRecord {
    const record = this.get(reference)
    if (record === undefined) throw this.unknown(reference, operation)
    return record
  }

  /**
   * The system that a constraint names; undefined for one that was removed, and so decides nothing.
   *
   * @throws StrataTypeError UNKNOWN_SYSTEM, INVALID_SYSTEM
   */
  named(reference: SystemReference, namedBy: string): SystemRecord | undefined {
    const record = this.get(reference)
    if (record === undefined && !this.removed.has(reference)) throw this.unknown(reference, namedBy)
    return record
  }

  private unknown(reference: SystemReference, namedBy: string): StrataTypeError {
    const { names } = this
    const list = names.length > 0 ? `its systems are ${names.join(', ')}` : 'it has no systems'
    let sentence = `${namedBy} names ${describe(reference)}, but this schedule has no system of that name: ${list}.`
    if (!isReference(reference)) {
      sentence = `${namedBy} takes systems, by name or as they were added, not ${describe(reference)}.`
    } else if (typeof reference !== 'string') {
      sentence = `${namedBy} names ${describeSystem(reference)}, which was not added to this schedule: ${list}.`
    }
    return new StrataTypeError('UNKNOWN_SYSTEM', sentence)
  }
}

/** The name that a system has by itself: that of the function, of the object, or of the object's class. */
function ownName(system: System): string | undefined {
  const { name } = system as { readonly name?: unknown }
  if (typeof name === 'string' && name !== '') return name
  // The class of a function says only whether it is async.
  if (typeof system === 'function') return undefined
  return isPlain(system) ? undefined : system.constructor?.name || undefined
}

function describeSystem(system: System): string {
  const kind = typeof system === 'function' ? 'function' : 'object'
  const name = ownName(system)
  return name === undefined
    ? `${kind === 'object' ? 'an' : 'a'} ${kind} without a name`
    : `the ${kind} '${name}'`
}
