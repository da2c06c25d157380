// Checks relations with many targets: records in segments, both lists, the hash, the free ones. How they lie in memory stands in
// bindings/relations/linkMemory.ts.

import { LAYOUT } from '../layout'
import { fail } from './failure'
import type { LinkRow } from './links'
import type { Memory } from './memory'
import type { Pools } from './pools'

const L = LAYOUT

const NULL_ENTITY = 0xffffffff
const RECORD_BYTES = 32

/** A link, as its record says it. */
interface Link {
  readonly source: number
  readonly target: number
  readonly sourceNext: number
  readonly sourcePrevious: number
  readonly targetNext: number
  readonly targetPrevious: number
  readonly bucket: number
  readonly chain: number
}

export class ManyLinks {
  constructor(
    private readonly memory: Memory,
    private readonly pools: Pools,
    private readonly mustList: (entity: number) => boolean,
  ) {}

  check(
    name: string,
    segments: readonly number[],
    sources: ReadonlyMap<number, LinkRow>,
    targets: ReadonlyMap<number, LinkRow>,
  ): void {
    const records = segments.flatMap((pool) => this.recordsOf(pool))
    const [none] = records
    if (none === undefined) {
      if (sources.size + targets.size > 0) fail(`${name} has rows and no link`)
      return
    }
    const { source: fresh, target: firstFree, sourceNext: live, sourcePrevious: buckets } = none
    if (fresh < 1 || fresh > records.length) fail(`${name} has used ${fresh} of ${records.length} records`)
    if (buckets * 2 <= records.length || buckets > records.length || (buckets & (buckets - 1)) !== 0)
      fail(`${name} has ${buckets} buckets for ${records.length} records`)
    const free = this.checkFree(name, records, firstFree, fresh)
    if (free + live + 1 !== fresh) fail(`${name} counts ${live} links, ${free} free ones, of ${fresh}`)
    const found = this.checkBuckets(name, records, buckets)
    if (found !== live) fail(`the buckets of ${name} lead to ${found} links of ${live}`)
    const bySource = this.checkSources(name, records, sources)
    if (bySource !== live) fail(`the sources of ${name} have ${bySource} links of ${live}`)
    this.checkTargets(name, records, targets)
  }

  /** The records of a segment; none while it has no row. */
  private recordsOf(pool: number): Link[] {
    const { memory } = this
    if (memory.word(pool + L.TABLE_ROWS) === 0) return []
    const location = memory.word(pool + L.TABLE_TAIL_ID) * 2 ** L.ROW_BITS
    const first = this.pools.hiddenAddress(pool, location, 0)
    const column = memory.word(memory.word(pool + L.TABLE_LAYOUT) + L.LAYOUT_COLUMNS)
    const count = memory.word(column + L.COLUMN_WIDTH) / RECORD_BYTES
    const records: Link[] = []
    for (let i = 0, at = first; i < count; i++, at += RECORD_BYTES)
      records.push({
        source: memory.word(at),
        target: memory.word(at + 4),
        sourceNext: memory.word(at + 8),
        sourcePrevious: memory.word(at + 12),
        targetNext: memory.word(at + 16),
        targetPrevious: memory.word(at + 20),
        bucket: memory.word(at + 24),
        chain: memory.word(at + 28),
      })
    return records
  }

  private checkFree(name: string, records: readonly Link[], first: number, fresh: number): number {
    let count = 0
    for (let at = first; at !== 0; at = (records[at] as Link).sourceNext) {
      if (at >= fresh) fail(`the free link ${at} of ${name} was never used`)
      if ((records[at] as Link).source !== NULL_ENTITY) fail(`link ${at} of ${name} is free and in use`)
      if (++count > fresh) fail(`the free links of ${name} lead in a circle`)
    }
    return count
  }

  private checkBuckets(name: string, records: readonly Link[], buckets: number): number {
    const seen = new Set<string>()
    let count = 0
    records.forEach(({ bucket }, i) => {
      if (i >= buckets && bucket !== 0)
        fail(`record ${i} of ${name} begins a chain, and there are ${buckets}`)
      for (let at = bucket; at !== 0; at = (records[at] as Link).chain) {
        const { source, target } = records[at] as Link
        if (source === NULL_ENTITY) fail(`a bucket of ${name} leads to the free link ${at}`)
        count++
        // In a world that was loaded, several may lead to what was gone.
        if (target === NULL_ENTITY) continue
        if (seen.has(`${source} ${target}`)) fail(`${name} has two links from ${source} to ${target}`)
        seen.add(`${source} ${target}`)
      }
    })
    return count
  }

  private checkSources(
    name: string,
    records: readonly Link[],
    sources: ReadonlyMap<number, LinkRow>,
  ): number {
    let links = 0
    for (const [entity, [first, last, count]] of sources) {
      let previous = 0
      let found = 0
      for (let at = first; at !== 0; previous = at, at = (records[at] as Link).sourceNext) {
        const { source, sourcePrevious } = records[at] as Link
        if (source !== entity) fail(`source ${entity} of ${name} has link ${at}, which is one of ${source}`)
        if (sourcePrevious !== previous)
          fail(`link ${at} of ${name} follows ${sourcePrevious}, and the list of its source says ${previous}`)
        if (++found > count) fail(`source ${entity} of ${name} counts ${count} links and has more`)
      }
      if (previous !== last) fail(`the links of ${entity} in ${name} end with ${previous}, not ${last}`)
      if (found !== count) fail(`source ${entity} of ${name} counts ${count} links and has ${found}`)
      if (count === 0) fail(`source ${entity} of ${name} has a row and no link`)
      links += found
    }
    return links
  }

  private checkTargets(name: string, records: readonly Link[], targets: ReadonlyMap<number, LinkRow>): void {
    const listed = new Set<number>()
    for (const [entity, [first, last, count]] of targets) {
      if (count === 0 && !this.memory.locked) fail(`target ${entity} of ${name} has a row and no source`)
      let previous = 0
      let found = 0
      for (let at = first; at !== 0; previous = at, at = (records[at] as Link).targetNext) {
        const { target, targetPrevious } = records[at] as Link
        if (target !== entity) fail(`target ${entity} of ${name} lists link ${at}, which leads to ${target}`)
        if (targetPrevious !== previous)
          fail(`link ${at} of ${name} follows ${targetPrevious}, and the list of its target says ${previous}`)
        if (++found > count) fail(`target ${entity} of ${name} counts ${count} sources and has more`)
        listed.add(at)
      }
      if (previous !== last)
        fail(`the list of target ${entity} of ${name} ends with ${previous}, not ${last}`)
      if (found !== count) fail(`target ${entity} of ${name} counts ${count} sources and has ${found}`)
    }
    records.forEach(({ source, target, targetNext, targetPrevious }, at) => {
      if (at === 0 || source === 0 || source === NULL_ENTITY) return
      if (this.mustList(target) && !listed.has(at))
        fail(`link ${at} of ${name} leads to ${target}, which does not list it`)
      // The list of a target that is gone has no ends, and its neighbours still know each other.
      if (targetNext !== 0 && (records[targetNext] as Link).targetPrevious !== at)
        fail(`link ${at} of ${name} is followed by ${targetNext}, which does not know it`)
      if (targetPrevious !== 0 && (records[targetPrevious] as Link).targetNext !== at)
        fail(`link ${at} of ${name} follows ${targetPrevious}, which does not know it`)
    })
  }
}
