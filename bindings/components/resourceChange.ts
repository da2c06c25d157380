// Owns what changed() makes of resources. It must never evaluate it: a schedule does.

import { StrataTypeError } from '../memory/errors'
import { INSPECT } from '../memory/consoleText'
import { type AnyResource, ResourceDeclaration } from './resourceDeclaration'

/**
 * The condition made by changed() of resources: each of them was written, or made, since the system was last asked. For
 * `runIf` of a system.
 */
export class ResourceChange {
  readonly operator = 'changed'
  constructor(
    readonly resources: readonly AnyResource[],
    /** @internal What keeps what was seen: see queryPlan/changeTermHooks.ts. */
    readonly changing: object,
  ) {}

  /** @internal */
  [INSPECT](): string {
    return `changed(${this.resources.map(({ resourceName }) => resourceName).join(', ')})`
  }
}

/**
 * The condition for a list of resources; undefined for a list of anything else.
 *
 * @param changing what changed() brings
 */
export function resourceChangeOf(list: readonly unknown[], changing: object): ResourceChange | undefined {
  if (!(list[0] instanceof ResourceDeclaration)) return undefined
  for (const each of list) {
    if (each instanceof ResourceDeclaration && each.definition !== undefined) continue
    throw new StrataTypeError(
      'INVALID_QUERY',
      each instanceof ResourceDeclaration
        ? `changed(${each.resourceName}): its value lives in JavaScript, where writes leave no trace. Declare it with fields, or ask it itself in runIf.`
        : 'changed takes components, or resources, but not both: give runIf a condition for each.',
    )
  }
  return new ResourceChange(list as readonly AnyResource[], changing)
}
