// Owns the columns of relations in a table: the target of each entity, or the list of its targets.

import { type Data, Field, List, Uint32, makeData } from 'apache-arrow'
import { NULL_ENTITY } from '../../../bindings/memory/entity'
import { type ArrowColumn, handleColumn, packed } from './columns'
import type { ArrowRelation, ArrowRun } from './source'

export function targetColumn(relation: ArrowRelation): ArrowColumn {
  return relation.isExclusive ? ofOne(relation) : new TargetLists(relation)
}

function ofOne(relation: ArrowRelation): ArrowColumn {
  const targets: number[] = []
  return handleColumn(relation.definition.componentName, relation.mayLack, (entity) => {
    targets.length = 0
    relation.collectTargets(entity, targets)
    const [target] = targets
    return target === NULL_ENTITY ? undefined : target
  })
}

/** What a batch has of the column. */
interface Lists {
  readonly targets: number[]
  /** Where the list of each row begins, and where the last one ends. */
  readonly offsets: number[]
}

class TargetLists implements ArrowColumn {
  private readonly batches: Lists[] = []
  private readonly type = new List(new Field('item', new Uint32(), false))

  constructor(private readonly relation: ArrowRelation) {}

  begin(): void {
    this.batches.push({ targets: [], offsets: [0] })
  }

  take({ entities, start, end }: ArrowRun): void {
    const { targets, offsets } = this.batches.at(-1) as Lists
    for (let row = start; row < end; row++) {
      this.relation.collectTargets(entities[row] as number, targets)
      offsets.push(targets.length)
    }
  }

  field(): Field {
    const { definition, mayLack } = this.relation
    return new Field(definition.componentName, this.type, mayLack)
  }

  data(batch: number, rows: number): Data {
    const { targets, offsets } = this.batches[batch] as Lists
    const hasSome = (row: number) => offsets[row] !== offsets[row + 1]
    const nullCount = offsets.slice(0, -1).filter((_, row) => !hasSome(row)).length
    const child = makeData({
      type: new Uint32(),
      length: targets.length,
      nullCount: 0,
      data: Uint32Array.from(targets),
    })
    return makeData({
      type: this.type,
      length: rows,
      nullCount,
      ...(nullCount > 0 && { nullBitmap: packed(rows, hasSome) }),
      valueOffsets: Int32Array.from(offsets),
      child,
    })
  }
}
