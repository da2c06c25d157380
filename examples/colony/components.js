// Owns the vocabulary: every component and tag of the simulation, and why each is kept the way it is.
// It must never hold behaviour; systems do that, one a file, in systems/.

import { component, entity, f32, i16, object, tag, text, u16, u32, u8 } from 'strata-ecs'

/** One square of the ground. `source` is what grows there; it may be dead until the next sweep of references. */
export const Cell = component('Cell', { x: u16, y: u16, source: entity })
/** The scent that carriers leave on a cell. Tracked by row: the picture asks which cells changed. */
export const Scent = component('Scent', { strength: f32 }, { track: 'row' })

/** A plant with food. It grows back until it has been eaten up; then it leaves a seedling nearby. */
export const Source = component('Source', { x: u16, y: u16, food: u16 })

/** The head counts follow events, see census.js. */
export const Nest = component('Nest', {
  x: u16,
  y: u16,
  stored: u32,
  nurses: u32,
  foragers: u32,
  larvae: u32,
  /** What is left to hand out within one system: meals of an hour, or nurses that may leave. */
  quota: u32,
})
/** On a nest without food. */
export const Famine = tag('Famine')
export const Name = component('Name', { value: text })

/** A grown ant. Nobody grows older row by row: what is due on which day is known at birth. */
export const Body = component('Body', { nest: entity, energy: i16, foragesFrom: u16, diesOn: u16 })
export const Nurse = tag('Nurse')
export const Forager = tag('Forager')
/** Foragers sleep at night: this is switched off for all of them at once, and no row moves. */
export const Awake = tag('Awake', { toggle: true })

// Only foragers walk, and only some of those carry. Both are sparse, so picking food up moves nothing else; as a
// group they lie side by side, carriers first, and the walk home runs over plain columns.
export const Walk = component('Walk', { x: u16, y: u16, heading: u8 }, { storage: 'sparse' })
export const Load = component(
  'Load',
  { food: u8, scent: f32, nest: entity, homeX: u16, homeY: u16 },
  { storage: 'sparse' },
)

export const Larva = component('Larva', { nest: entity, meals: u8, patience: u8 })
/** Larvae that wait to be fed, in the order in which they grew hungry: first come, first served. */
export const Hungry = tag('Hungry', { order: 'insertion' })

/** Ate in this frame. */
export const Fed = tag('Fed', { lifetime: 'frame' })
/** Was caught by a spider in this frame. */
export const Bitten = component(
  'Bitten',
  { by: entity, venom: i16 },
  { storage: 'sparse', lifetime: 'frame' },
)

/** Hunts what walks. `prey` may be dead; a spider looks before it runs. */
export const Spider = component('Spider', { x: u16, y: u16, prey: entity, restsUntil: u32, caught: u16 })

/** Ants with a spot of paint, visited in the order of their handles whatever happened to their rows. */
export const Marked = tag('Marked', { order: 'entity' })
/** What the observer writes about a marked ant: a JavaScript object with a tick(), see diary.js. */
export const Diary = object('Diary', { dispose: (diary) => diary.close() })
