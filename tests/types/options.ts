// Shows that each option takes undefined for what is left out, also where exactOptionalPropertyTypes tells the two apart, as in
// tsconfig.nodenext.json.

import {
  component,
  createSchedule,
  createWorld,
  f32,
  object,
  onAdd,
  tag,
  type ComponentOptions,
  type AddObjectsOptions,
  type ObjectOptions,
  type PhaseOptions,
  type ScheduleOptions,
  type SystemOptions,
  type TagOptions,
  type WorldOptions,
} from 'strata-ecs'

/** The options, each given, and each of them perhaps undefined. */
type Given<T> = { [K in keyof T]-?: T[K] | undefined }

declare const forWorld: Given<WorldOptions>
declare const forComponent: Given<Omit<ComponentOptions, 'storage'>>
declare const forTag: Given<Omit<TagOptions, 'order'>>
declare const forObject: Given<ObjectOptions<{ tick(): void }>>
declare const forSchedule: Given<ScheduleOptions>
declare const forSystem: Given<SystemOptions>
declare const forPhase: Given<PhaseOptions>
declare const forDrive: Given<AddObjectsOptions<'tick'>>
declare const many: number | undefined
declare const existing: boolean | undefined

const world = createWorld(forWorld)
createWorld({ memory: { initial: many, maximum: many } })
const Position = component('Position', { x: f32 }, forComponent)
tag('Frozen', forTag)
const Sprite = object<{ tick(): void }>('Sprite', forObject)
createSchedule(world, forSchedule)
  .phase('physics', forPhase)
  .add(() => {}, forSystem)
  .add({ name: undefined, run() {} })
  .addObjects(Sprite, forDrive)
onAdd(world, Position, () => {}, { existing })
