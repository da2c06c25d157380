// How large agents are on the screen, and how bright a crowd of them is: the same for all.

import { SIZE } from '../simulation/settings.ts'

/** Longest dart, in CSS pixels. */
const LONGEST = 72

/**
 * Length of a dart in CSS pixels. Few agents are large, many are small but never lost; coming near, they grow more slowly
 * than the distances between them.
 *
 * @param agents how many there are, 1 or more
 * @param scale CSS pixels a unit at a zoom of 1
 * @param zoom 1 or more
 */
export function dartLength(agents: number, scale: number, zoom: number): number {
  const spacing = (SIZE / Math.sqrt(agents)) * scale
  return Math.min(LONGEST, (2.4 + 1.6 * Math.sqrt(spacing)) * zoom ** 0.65)
}

/**
 * Factor that brings the light of all agents into what a screen shows: the more of a pixel is covered on average, the less.
 *
 * @param agents how many there are
 * @param length of a dart, in CSS pixels
 * @param scale CSS pixels a unit
 */
export function exposureOf(agents: number, length: number, scale: number): number {
  const covered = (agents * length * length * 0.2) / (SIZE * scale) ** 2
  return 3.5 / (1 + 8 * covered)
}
