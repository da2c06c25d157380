// What a program can read of a world, in the words in which plain.ts describes its own entities.

import { optional, type World } from '../../../bindings/index'
import type { Kind } from './kinds'
import { isEmpty, wordOfAll } from './plain'

/** A relation: the script makes what no compiler can know. */
type Declared = (...given: unknown[]) => unknown

export class Seeing {
  constructor(
    readonly world: World,
    readonly kinds: readonly Kind[],
  ) {}

  isAlive(handle: number): boolean {
    return this.world.isAlive(handle)
  }

  /** All that a program can read of an entity: plain.ts describes its own in the same words. */
  described(entity: number): string {
    const { world } = this
    if (!world.isAlive(entity)) return 'dead'
    const words: string[] = []
    for (const kind of this.kinds) {
      const declared = kind.declared as never
      if (!world.has(entity, declared)) continue
      const mark = kind.toggles && !world.isEnabled(entity, declared) ? '(off)' : ''
      if (kind.sort === 'tag') words.push(kind.name + mark)
      else if (kind.sort === 'relation') words.push(`${kind.name}>${this.linksOf(entity, kind).join('+')}`)
      else words.push(`${kind.name}${mark}${wordOf(world.get(entity, declared))}`)
    }
    return words.join(' ')
  }

  /** All that can be read of all entities, in a word. */
  protected all(): string {
    const hiding = this.kinds.filter(({ hides }) => hides).map(({ declared }) => optional(declared as never))
    const entities = this.world.query(...(hiding as never[])).entities()
    return wordOfAll(Array.from(entities, (entity) => [entity, this.described(entity)] as const))
  }

  targetsOf(entity: number, kind: Kind): number[] {
    return [...(this.world.targets(entity, kind.declared as never) as unknown as Iterable<number>)]
  }

  private linksOf(entity: number, kind: Kind): string[] {
    const relation = kind.declared as unknown as Declared
    return this.targetsOf(entity, kind).map((target) =>
      isEmpty(kind.defaults)
        ? `${target}`
        : `${target}${wordOf(this.world.get(entity, relation(target) as never))}`,
    )
  }
}

/** A value in a word: lists as arrays. */
export function wordOf(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    ArrayBuffer.isView(one) ? Array.from(one as never) : one,
  )
}
