// Owns: what entities are made of, and what the world has one of.
// Must never: compute anything.

import { component, entity, f32, f64, resource, tag, u16, u32 } from 'strata-ecs'

export const Place = component('Place', { city: u32, country: u16, longitude: f32, latitude: f32 })
export const People = component('People', { susceptible: u32, exposed: u32, infectious: u32, recovered: u32 })
/** Added with the first case and kept; a place without it was never reached. */
export const Outbreak = component('Outbreak', { firstDay: u16 })
/** Somebody is exposed or infectious. A place with an outbreak behind it and without this tag has recovered. */
export const Infected = tag('Infected')
/** What the kernels drew for a place on the day, for JavaScript to go on with. The loops do without it. */
export const Drawn = component('Drawn', { infected: u32, leaving: u32 })
export const Journey = component('Journey', { destination: entity, arrivesOn: u16 })

/** The parameters of model.js. */
export const Parameters = resource('Parameters', {
  seed: u32,
  startCity: u32,
  firstCases: u32,
  contactRate: f64,
  onsetHazard: f64,
  recoveryHazard: f64,
  departureHazard: f64,
})
/** The day that is being simulated, with its figures: a Day of ledger.js. */
export const Today = resource('Today')
