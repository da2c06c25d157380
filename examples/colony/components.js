// What there is in the colony: components and tags, with why each is kept the way it is; what there is one of; and the numbers of
// the model.

import {
  bool,
  component,
  entity,
  f32,
  f64,
  i16,
  object,
  resource,
  sparse,
  tag,
  text,
  toggle,
  u16,
  u32,
  u8,
} from 'strata-ecs'

/** One square of the ground. `source` is what grows there; it may be dead until the next sweep of references. */
export const Cell = component('Cell', { x: u16, y: u16, source: entity })
/** The scent that carriers leave on a cell. Tracked by row: the picture asks which cells changed. */
export const Scent = component('Scent', { strength: f32 }, { trackChanges: 'row' })
/** A plant with food. It grows back until it has been eaten up; then it leaves a seedling nearby. */
export const Source = component('Source', { x: u16, y: u16, food: u16 })

const COUNTS = { stored: u32, nurses: u32, foragers: u32, larvae: u32 }
/** Events keep the counts. `quota`: what is left to hand out in one system, meals of an hour or nurses that may leave. */
export const Nest = component('Nest', { x: u16, y: u16, ...COUNTS, quota: u32 })
/** On a nest without food. */
export const Famine = tag('Famine')
export const Name = component('Name', { value: text })

/** A grown ant. Nobody grows older row by row: what is due on which day is known at birth. */
export const Body = component('Body', { nest: entity, energy: i16, foragesFrom: u16, diesOn: u16 })
export const Nurse = tag('Nurse')
export const Forager = tag('Forager')
/** Foragers sleep at night: this is switched off for all of them at once, and no row moves. */
export const Awake = tag('Awake', { toggle })

const SPARSE = { storage: sparse }
const HOME = { nest: entity, homeX: u16, homeY: u16 }
// Only foragers walk, and only some of those carry. Both are sparse, so picking food up moves nothing else; as a group they lie side
// by side, carriers first, and the walk home runs over plain columns.
export const Walk = component('Walk', { x: u16, y: u16, heading: u8 }, SPARSE)
export const Load = component('Load', { food: u8, scent: f32, ...HOME }, SPARSE)

export const Larva = component('Larva', { nest: entity, meals: u8, patience: u8 })
/** Larvae that wait to be fed, in the order in which they grew hungry: first come, first served. */
export const Hungry = tag('Hungry', { order: 'insertion' })
/** Ate in this frame; was caught by a spider in it. Nobody takes these away. */
export const Fed = tag('Fed', { lifetime: 'frame' })
export const Bitten = component('Bitten', { by: entity, venom: i16 }, { ...SPARSE, lifetime: 'frame' })

/** Hunts what walks. `prey` may be dead; a spider looks before it runs. */
export const Spider = component('Spider', { x: u16, y: u16, prey: entity, restsUntil: u32, caught: u16 })
/** Ants with a spot of paint, visited in the order of their handles whatever happened to their rows. */
export const Marked = tag('Marked')
/** What the observer writes about a marked ant: an AntDiary of schedule.js, which ticks. */
export const Diary = object('Diary', { dispose: (diary) => diary.close() })

export const Time = resource('Time', { frame: u32, step: u32, day: u16, hour: f64, light: bool, dry: bool })
export const Settings = resource('Settings', { seed: u32, side: u16 })
const TOTALS =
  'supplied grown eaten lost settlers births starved bitten aged larvaeLost trips meals waits nightsAsleep marked ' +
  'referencesSwept textsSwept cellsRedrawn'
/** Whole pieces of food and whole ants, so that every balance comes out exactly. */
export const Totals = resource('Totals', Object.fromEntries(TOTALS.split(' ').map((name) => [name, u32])))
/** What is written down for the report, `{ events, diaries }`: the one part of a run that is not in linear memory. */
export const Chronicle = resource('Chronicle')

/** A frame is a quarter of an hour; the walkers take four steps in it. All are exact in binary. */
export const HOURS_PER_FRAME = 0.25
export const HOURS_PER_STEP = 0.0625
export const FRAMES_PER_DAY = 24 / HOURS_PER_FRAME
export const DAWN = 6
export const DUSK = 22

/** Cells on each side of the land that a nest has to itself, and what there is in it at first. */
export const LAND = 64
export const ANTS_PER_NEST = 500
export const SETTLER_NURSES = 0.2
export const FIRST_STORE_PER_ANT = 1
export const SPIDERS_PER_NEST = 3
export const SOURCES_PER_NEST = 8

export const SOURCE_RADIUS = 2
export const FULL_SOURCE = 300
export const SEEDLING = 1
/** Pieces of food that grow on a plant in an hour, unless the weather is dry. */
export const GROWTH_PER_HOUR = 5
export const WEATHER_DAYS = 20
export const DRY_DAYS = 6
export const SPOILED_A_DAY = 0.1

export const LOAD = 3
/** Scent of the first step home; each further step leaves a little less. */
export const FIRST_SCENT = 4
export const SCENT_FADES = 0.97
/** What an hour leaves of a scent, and what is too little to smell. */
export const SCENT_PER_HOUR = 0.6
export const FAINT = 0.05

/** Energy is counted in waking hours. */
export const FULL_ENERGY = 60
export const PECKISH = 30
export const MEAL = 24
export const OLD_AGE = 30
export const NURSING_DAYS = 6
/** A nest keeps its nurses, however old, when there are no more than these. */
export const FEWEST_NURSES = 20

export const EGGS_PER_DAY = 30
/** With so much food for every mouth a queen lays all eggs she can, with less fewer. */
export const STORE_OF_PLENTY = 2
export const MEALS_TO_GROW = 6
/** Nurses it takes to feed one larva in an hour. */
export const NURSES_PER_MEAL = 10
/** Hours in the queue that a larva lives through unfed. */
export const PATIENCE = 12

export const VENOM = 45
export const STEPS_TO_DIGEST = 96
export const MARKED_ANTS = 6

/** What may never be lost or made out of nothing, by the figures of a day. Each is 0 in every moment between two frames. */
export function imbalances(figures) {
  const { supplied, grown, growing, stored, carried, eaten, lost } = figures
  const { settlers, births, deaths, ants } = figures
  return {
    food: supplied + grown - growing - stored - carried - eaten - lost,
    ants: settlers + births - deaths - ants,
  }
}
