// Owns what there is one of: the clock, the settings of the run, the running totals, the chronicle.
// It must never hold what can be asked of the entities, such as how many are alive.

import { bool, f64, resource, u16, u32 } from 'strata-ecs'

export const Time = resource('Time', {
  frame: u32,
  step: u32,
  day: u16,
  hour: f64,
  light: bool,
  dry: bool,
})
export const Settings = resource('Settings', { seed: u32, side: u16 })

/** Whole pieces of food and whole ants, so that every balance comes out exactly. */
export const Totals = resource('Totals', {
  supplied: u32,
  grown: u32,
  eaten: u32,
  lost: u32,
  settlers: u32,
  births: u32,
  starved: u32,
  bitten: u32,
  aged: u32,
  larvaeLost: u32,
  trips: u32,
  meals: u32,
  waits: u32,
  nightsAsleep: u32,
  marked: u32,
  referencesSwept: u32,
  textsSwept: u32,
  cellsRedrawn: u32,
})

/** What is written down for the report, `{ events, diaries }`: the one part of a run that is not in linear memory. */
export const Chronicle = resource('Chronicle')
