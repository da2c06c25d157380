// Owns when the levels of one query are looked at again, and the runs of kernels that read the rows of parents over it.
// cascadeLevels.ts orders the entities.

import { TABLE_VERSION } from '../../build/layout'
import type { BoundKernel } from '../kernels/boundKernel'
import type { ParentReading } from '../kernels/parentParameters'
import type { Plan } from '../queryPlan/plan'
import type { WorldState } from '../state/worldState'
import type { RelationType } from './relationType'
import { CascadeLevels } from './cascadeLevels'
import type { ExclusiveLinks } from './exclusiveLinks'
import { CascadeRun } from './cascadeRun'
import type { Relations } from './relations'

/** An order, and what it was made from. */
class KeptLevels {
  timeline = -1
  membersVersion = -1
  linksVersion = -1

  constructor(readonly levels: CascadeLevels) {}
}

export class CascadeOrder implements ParentReading {
  private readonly loops: KeptLevels
  private readonly kernels: KeptLevels
  /** Whether the next one who asks for the entities is a kernel with parents. */
  private isForKernel = false

  constructor(
    readonly state: WorldState,
    readonly kind: RelationType,
  ) {
    this.loops = new KeptLevels(new CascadeLevels(state, false))
    this.kernels = new KeptLevels(new CascadeLevels(state, true))
  }

  /** What kernels with parents follow. */
  get passes(): CascadeLevels {
    return this.kernels.levels
  }

  /** The links of now; undefined in a world that has not met the relation. */
  get links(): ExclusiveLinks | undefined {
    return (this.state.relations as Relations | undefined)?.of(this.kind.definition) as
      ExclusiveLinks | undefined
  }

  /** A number that grows whenever links may decide on another order than before. */
  version(): number {
    const { state, kind } = this
    let version = 0
    // What leads to a dead target has no row that changes; the list of sources goes with its target.
    for (const definition of [kind.definition, kind.sources]) {
      const registration = state.known(definition)
      if (registration !== undefined) version += state.heap.word(registration.pool + TABLE_VERSION)
    }
    return version
  }

  /**
   * The entities level by level; for a kernel with parents, pass by pass.
   *
   * @param membersVersion differs from before when others are listed; undefined when that is not known
   * @param members lists them
   * @throws StrataError RELATION_CYCLE
   */
  entities(membersVersion: number | undefined, members: () => Uint32Array): Uint32Array {
    const { links, state } = this
    const kept = this.isForKernel ? this.kernels : this.loops
    this.isForKernel = false
    const { levels } = kept
    const linksVersion = this.version()
    const isAsListed = kept.timeline === state.timeline && kept.membersVersion === membersVersion
    if (isAsListed && kept.linksVersion === linksVersion) return levels.order
    kept.timeline = -1
    // Where links stay when their target dies, depths change without them.
    const canMend = isAsListed && links !== undefined && this.kind.onTargetDestroy !== 'keep'
    if (!canMend || !levels.mend(links)) levels.make(members(), links)
    kept.timeline = membersVersion === undefined ? -1 : state.timeline
    kept.membersVersion = membersVersion ?? -1
    kept.linksVersion = linksVersion
    return levels.order
  }

  get relation() {
    return this.kind.definition
  }

  expectRun(): void {
    this.isForKernel = true
  }

  runOver(bound: BoundKernel<unknown, unknown, boolean>, plan: Plan): CascadeRun {
    return new CascadeRun(bound, plan, this)
  }
}
