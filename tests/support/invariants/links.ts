// Checks relations: that the links of sources and the lists of their targets say the same, as memory has them.

import { LAYOUT } from '../layout'
import type { Components } from './components'
import type { Entities } from './entities'
import { fail } from './failure'
import { ManyLinks } from './manyLinks'
import type { Memory } from './memory'
import type { Pools } from './pools'

const L = LAYOUT

const NULL_ENTITY = 0xffffffff
/** The text of a component that targets have, of an exclusive relation and of any other; see bindings/relations/relation.ts. */
const OF_TARGETS = /^sources of (.*)\{:(entity|u32),:(?:entity|u32),:u32\}$/s
/** The beginning of a component's text that is a segment of links; its relation's follows. */
const SEGMENT = /^links \d+ of /

/** A row of a source or a target: its last three columns. */
export type LinkRow = readonly [number, number, number]

export class Links {
  private readonly many: ManyLinks

  constructor(
    private readonly memory: Memory,
    private readonly entities: Entities,
    private readonly components: Components,
    private readonly pools: Pools,
  ) {
    this.many = new ManyLinks(memory, pools, (entity) => this.mustList(entity))
  }

  check(): void {
    const texts = Array.from({ length: this.components.count }, (_, id) => this.components.textOf(id))
    /** Of each component that is a segment of links: the text of its relation. */
    const relationOf = new Map<number, string>()
    texts.forEach((text, id) => {
      if (SEGMENT.test(text)) relationOf.set(id, text.replace(SEGMENT, ''))
    })
    texts.forEach((text, targets) => {
      const [, name, kind] = OF_TARGETS.exec(text) ?? []
      if (name === undefined) return
      const links = texts.findIndex((other) => other.startsWith(`${name}{`))
      if (links < 0) fail(`there are targets of ${name}, and no such relation`)
      if (kind === 'entity') this.checkRelation(name, links, targets)
      else {
        const segments = [...relationOf].filter(([, relation]) => relation.startsWith(`${name}{`))
        this.many.check(
          name,
          segments.map(([id]) => this.poolOf(id)),
          this.rowsOf(links),
          this.rowsOf(targets),
        )
      }
    })
  }

  private poolOf(id: number): number {
    return this.memory.word(this.components.addressOf(id) + L.COMPONENT_POOL)
  }

  private checkRelation(name: string, links: number, targets: number): void {
    const { memory } = this
    const sources = this.rowsOf(links)
    const listed = new Set<number>()
    for (const [target, [first, last, count]] of this.rowsOf(targets)) {
      if (count === 0 && !memory.locked) fail(`target ${target} of ${name} has a row and no source`)
      let previous = NULL_ENTITY
      let found = 0
      for (let source = first; source !== NULL_ENTITY; found++) {
        if (found > count) fail(`target ${target} of ${name} counts ${count} sources and has more`)
        const row = sources.get(source)
        if (row === undefined) fail(`target ${target} of ${name} lists ${source}, which has no link`)
        if (row[0] !== target) fail(`target ${target} of ${name} lists ${source}, whose target is ${row[0]}`)
        if (row[2] !== previous)
          fail(`source ${source} in ${name} follows ${row[2]}, and the list says ${previous}`)
        listed.add(source)
        previous = source
        source = row[1]
      }
      if (previous !== last)
        fail(`the list of target ${target} of ${name} ends with ${previous}, not ${last}`)
      if (found !== count) fail(`target ${target} of ${name} counts ${count} sources and has ${found}`)
    }
    for (const [source, [target, next, previous]] of sources) {
      if (this.mustList(target) && !listed.has(source))
        fail(`source ${source} in ${name} has the target ${target}, which does not list it`)
      // The list of a target that is gone has no ends, and its neighbours still know each other.
      if (next !== NULL_ENTITY && sources.get(next)?.[2] !== source)
        fail(`source ${source} in ${name} is followed by ${next}, which does not know it`)
      if (previous !== NULL_ENTITY && sources.get(previous)?.[1] !== source)
        fail(`source ${source} in ${name} follows ${previous}, which does not know it`)
    }
  }

  /** Whether a target knows its sources: it is alive, and no reserved one. That has no rows, and no links but kept ones. */
  private mustList(target: number): boolean {
    const { entities } = this
    const index = entities.indexOf(target)
    return index < entities.fresh && entities.handleOf(index) === target && entities.locationOf(index) !== 0
  }

  /** The last three columns of each row of a pool, by entity. */
  private rowsOf(id: number): Map<number, LinkRow> {
    const { components, memory, pools } = this
    const component = components.addressOf(id)
    const pool = memory.word(component + L.COMPONENT_POOL)
    const last = memory.word(component + L.COMPONENT_COLUMN_COUNT)
    const rows = new Map<number, LinkRow>()
    for (const entity of pools.poolEntities(pool)) {
      const location = pools.findRow(pool, this.entities.indexOf(entity))
      const read = (place: number) => memory.word(pools.hiddenAddress(pool, location, place))
      // Column 0 is the link to the entity's next sparse component.
      rows.set(entity, [read(last - 2), read(last - 1), read(last)])
    }
    return rows
  }
}
