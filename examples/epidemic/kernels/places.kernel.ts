// The inner loops over places: the course of the disease, how many set out, how many people there are.

import { Column, ReadonlyColumn, Rows, Sum } from 'strata-ecs/kernel'
import { binomial, chanceOf } from './binomial'
import { keyOfCity, keyOfDay, uniform } from './random'

// The numbers of draws of a city's day. Travellers have those from JOURNEY_DRAWS of systems.js on.
const INFECTION: u32 = 0
const ONSET: u32 = 1
const RECOVERY: u32 = 2
const DEPARTURE: u32 = 3

/**
 * The course of the disease on a day, and how many of those who are exposed then set out: one pass over the places is
 * cheaper than two. Returns all new infections; `newlyInfected` keeps those of each place.
 */
export function disease(
  rows: Rows,
  city: ReadonlyColumn<u32>,
  susceptible: Column<u32>,
  exposed: Column<u32>,
  infectious: Column<u32>,
  recovered: Column<u32>,
  newlyInfected: Column<u32>,
  leaving: Column<u32>,
  seed: u32,
  day: u32,
  contactRate: f64,
  onsetHazard: f64,
  recoveryHazard: f64,
  departureHazard: f64,
): Sum<f64> {
  const onsetChance = chanceOf(onsetHazard)
  const recoveryChance = chanceOf(recoveryHazard)
  const departureChance = chanceOf(departureHazard)
  const ofDay = keyOfDay(seed, day)
  let newInfections: f64 = 0
  for (let row = rows.start; row < rows.end; row++) {
    const key = keyOfCity(ofDay, city[row])
    const people = f64(susceptible[row]) + f64(exposed[row]) + f64(infectious[row]) + f64(recovered[row])
    const hazard = (contactRate * f64(infectious[row])) / people
    const infected = u32(binomial(f64(susceptible[row]), hazard, chanceOf(hazard), uniform(key, INFECTION)))
    const fallingIll = u32(binomial(f64(exposed[row]), onsetHazard, onsetChance, uniform(key, ONSET)))
    const recovering = u32(
      binomial(f64(infectious[row]), recoveryHazard, recoveryChance, uniform(key, RECOVERY)),
    )

    susceptible[row] -= infected
    exposed[row] += infected - fallingIll
    infectious[row] += fallingIll - recovering
    recovered[row] += recovering
    newlyInfected[row] = infected
    leaving[row] = u32(binomial(f64(exposed[row]), departureHazard, departureChance, uniform(key, DEPARTURE)))
    newInfections += f64(infected)
  }
  return newInfections
}

/** The people of one column. Whole numbers below 2^53: their order in the sum makes no difference. */
export function total(rows: Rows, people: ReadonlyColumn<u32>): Sum<f64> {
  let sum: u64 = 0
  for (let row = rows.start; row < rows.end; row++) sum += people[row]
  return f64(sum)
}
