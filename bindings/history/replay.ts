// Owns the proof that a simulation is deterministic: it is run, taken back and run again, and both runs are compared. The world
// ends where the first run left it.

import { type Definition, definitionOf } from '../components/definition'
import { onRestore } from '../events/listeners'
import { checkCallback, checkOptions, checkWhole, refusePromise } from '../memory/arguments'
import { type Entity, NULL_ENTITY } from '../memory/entity'
import type { AbsentObject } from '../state/worldParticipants'
import { type WorldState, stateOf } from '../state/worldState'
import { digestsById, eachEntityHash, eachRowHash } from '../snapshots/digest'
import { type Snapshot, snapshotWorld } from '../snapshots/snapshot'
import type { World } from '../world/world'
import { restoreWorld } from '../snapshots/restore'

/** Options of checkReplay. */
export interface ReplayOptions {
  /** How many frames are run, taken back and run again, from 1. Default 8. */
  readonly frames?: number | undefined
}

/** What checkReplay found. */
export interface ReplayReport {
  /** Whether both runs came to the same in every frame. */
  readonly equal: boolean
  /** The first frame after which they differ, from 1; undefined if they are equal. */
  readonly frame: number | undefined
  /**
   * Name of the component that differs, or of the resource: the first of those that do, in the order in which the world
   * met them. Undefined if they are equal, and if one run has entities that the other has not.
   */
  readonly component: string | undefined
  /** The entity that differs, the one with the smallest handle; undefined if they are equal, and for a resource. */
  readonly entity: Entity | undefined
}

const EQUAL: ReplayReport = { equal: true, frame: undefined, component: undefined, entity: undefined }
const DEFAULT_FRAMES = 8

/**
 * Runs a simulation for some frames, takes the world back, runs the same frames again, and compares: after each frame all
 * entities, components and resources with fields must be equal, as by digest. It finds what a rollback would trip
 * over: state outside of the world, Math.random, clocks, object components without `revive`. For tests; afterwards the
 * world is where the first run left it, without the objects that were lost.
 * Cost: the frames twice, a snapshot and two digests for each; it keeps one snapshot for each frame until it returns.
 *
 * @param step runs one frame; it must do the same whenever the world is the same. Not async
 * @param options how many frames
 * @throws StrataTypeError INVALID_OPTION, ASYNC_CALLBACK; what `step` throws, and the world stays where it is then; as
 *   snapshot and restore do
 * @example const { equal, component, entity } = checkReplay(world, () => schedule.run(1 / 60))
 */
export function checkReplay(world: World, step: () => unknown, options: ReplayOptions = {}): ReplayReport {
  stateOf(world, 'checkReplay')
  checkCallback('checkReplay', step)
  checkOptions('checkReplay', options, ['frames'])
  const frames: unknown = options?.frames ?? DEFAULT_FRAMES
  checkWhole('checkReplay', 'frames', frames, 1)
  return new Replay(world, step).check(frames as number)
}

/** What a world has after a frame, taken apart so that it is known what differs. */
interface FrameDigests {
  readonly entities: number
  readonly each: ReadonlyMap<Definition, number>
}

function digestFrame(state: WorldState): FrameDigests {
  let entities = 0
  eachEntityHash(state, (_, hash) => (entities = (entities + hash) | 0))
  const digests = digestsById(state)
  return {
    entities,
    each: new Map(state.definitionsById().map((each, id) => [each, digests[id] as number])),
  }
}

class Replay {
  private readonly state: WorldState

  constructor(
    private readonly world: World,
    private readonly step: () => unknown,
  ) {
    this.state = world['state']
  }

  check(frames: number): ReplayReport {
    const { world, state } = this
    const before = snapshotWorld(world)
    const first: Snapshot[] = []
    // Taken while the first run is there: a restore of its snapshots loses objects, as the restore below does.
    const digests: FrameDigests[] = []
    for (let frame = 0; frame < frames; frame++) {
      this.run()
      first.push(snapshotWorld(world))
      digests.push(digestFrame(state))
    }
    restoreWorld(world, before)
    let report = EQUAL
    for (let frame = 0; frame < frames && report.equal; frame++) {
      this.run()
      report = this.compare(first[frame] as Snapshot, digests[frame] as FrameDigests, frame + 1)
    }
    restoreWorld(world, first[frames - 1] as Snapshot)
    return report
  }

  private run(): void {
    refusePromise('checkReplay', this.step())
  }

  /** Compares the world as it is with what it was in the first run. */
  private compare(first: Snapshot, before: FrameDigests, frame: number): ReplayReport {
    const { state } = this
    const now = digestFrame(state)
    if (now.entities !== before.entities) {
      const hashes = this.entityHashes()
      restoreWorld(this.world, first)
      const entity = firstDifference(hashes, this.entityHashes())
      return { equal: false, frame, component: undefined, entity }
    }
    for (const definition of new Set([...before.each.keys(), ...now.each.keys()])) {
      if ((now.each.get(definition) ?? 0) === (before.each.get(definition) ?? 0)) continue
      const entity = this.findEntity(definition, first)
      return { equal: false, frame, component: definition.componentName, entity }
    }
    return EQUAL
  }

  /** The first entity whose component differs; undefined for a resource. The world is at the snapshot then. */
  private findEntity(definition: Definition, first: Snapshot): Entity | undefined {
    const hashes = this.hashesOf(definition)
    const absent = this.restoreNotingAbsent(first)
    const before = this.hashesOf(definition)
    // They had an object in the first run, and this restore has lost it as well.
    for (const { entity, component } of absent)
      if (definitionOf(component) === definition) before.set(entity, NaN)
    const entity = firstDifference(hashes, before)
    return entity === NULL_ENTITY ? undefined : entity
  }

  private restoreNotingAbsent(taken: Snapshot): readonly AbsentObject[] {
    const { world } = this
    let lost: readonly AbsentObject[] = []
    const stop = onRestore(world, (_, { absent }) => void (lost = absent))
    try {
      restoreWorld(world, taken)
    } finally {
      stop()
    }
    return lost
  }

  private entityHashes(): Map<number, number> {
    const hashes = new Map<number, number>()
    eachEntityHash(this.state, (entity, hash) => hashes.set(entity, hash))
    return hashes
  }

  private hashesOf(definition: Definition): Map<number, number> {
    const hashes = new Map<number, number>()
    const registration = this.state.known(definition)
    eachRowHash(this.state, new Set([registration]), (_, entity, hash) => hashes.set(entity, hash))
    return hashes
  }
}

/** The smallest handle whose hash is not the same in both, or that is missing in one of them. */
function firstDifference(a: Map<number, number>, b: Map<number, number>): Entity | undefined {
  let least: number | undefined
  for (const entity of new Set([...a.keys(), ...b.keys()])) {
    if (a.get(entity) !== b.get(entity) && (least === undefined || entity < least)) least = entity
  }
  return least as Entity | undefined
}
