// What part of the square is seen, and how large agents are in it.

import { SIZE } from '../simulation/settings.ts'
import { wayTo } from '../simulation/torus.ts'

/** From the whole of the square along the longer side, to single agents. */
export const LEAST_ZOOM = 1
export const MOST_ZOOM = 40

/** A followed agent is kept in the middle part of the view, so wide; there it moves without the camera. */
const FREE = 0.4

/** The same place, from 0 up to SIZE. */
export function wrapped(at: number): number {
  const inside = at - SIZE * Math.floor(at / SIZE)
  // What lies a hair below 0 is rounded to SIZE itself.
  return inside < SIZE ? inside : 0
}

export class Camera {
  /** Centre of the view, in units from 0 up to SIZE; y points down. */
  x = SIZE / 2
  y = SIZE / 2
  /** 1: the square is as long as the longer side of the view. */
  zoom = LEAST_ZOOM
  /** Whether it goes where the marked agent goes. Panning ends it. */
  following = false
  /** Size of the view in CSS pixels. */
  width = 1
  height = 1

  /** CSS pixels a unit. */
  get scale(): number {
    return (this.zoom * Math.max(this.width, this.height)) / SIZE
  }

  /** The place in the square that is seen at a pixel of the view, from its left edge. */
  worldX(pixel: number): number {
    return wrapped(this.x + (pixel - this.width / 2) / this.scale)
  }

  /** The place in the square that is seen at a pixel of the view, from its upper edge. */
  worldY(pixel: number): number {
    return wrapped(this.y + (pixel - this.height / 2) / this.scale)
  }

  /** Moves the view by parts of its width and height: 0.5 to the right shows what was half a view further right. */
  panBy(right: number, down: number): void {
    this.drag(-right * this.width, -down * this.height)
  }

  /** Moves what is seen by so many CSS pixels, as a finger does. */
  drag(right: number, down: number): void {
    this.following = false
    this.x = wrapped(this.x - right / this.scale)
    this.y = wrapped(this.y - down / this.scale)
  }

  /** Goes nearer by a factor; below 1 further away. What is at the pixel, by default the middle, stays there. */
  zoomBy(factor: number, pixelX = this.width / 2, pixelY = this.height / 2): void {
    const x = (pixelX - this.width / 2) / this.scale
    const y = (pixelY - this.height / 2) / this.scale
    const zoom = Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, this.zoom * factor))
    const moved = 1 - this.zoom / zoom
    this.x = wrapped(this.x + x * moved)
    this.y = wrapped(this.y + y * moved)
    this.zoom = zoom
  }

  reset(): void {
    Object.assign(this, { x: SIZE / 2, y: SIZE / 2, zoom: LEAST_ZOOM, following: false })
  }

  /**
   * Comes so near to a place that it is in the middle part of the view.
   *
   * @param share how much of the way is gone at once, from 0 up to 1
   */
  approach(x: number, y: number, share: number): void {
    this.x = wrapped(this.x + share * beyond(wayTo(this.x, x), (FREE * this.width) / 2 / this.scale))
    this.y = wrapped(this.y + share * beyond(wayTo(this.y, y), (FREE * this.height) / 2 / this.scale))
  }
}

/** How far a distance goes beyond a limit, on either side. */
function beyond(distance: number, limit: number): number {
  return distance - Math.min(limit, Math.max(-limit, distance))
}

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
  return Math.min(72, (2.4 + 1.6 * Math.sqrt(spacing)) * zoom ** 0.65)
}

/**
 * Factor that brings the light of all agents into what a screen shows: the more of a pixel is covered on average, the less.
 *
 * @param scale CSS pixels a unit
 */
export function exposureOf(agents: number, length: number, scale: number): number {
  const covered = (agents * length * length * 0.2) / (SIZE * scale) ** 2
  return 3.5 / (1 + 8 * covered)
}
