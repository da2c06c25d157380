// What the pointer does: turn, zoom, take hold of a body, drop it on another one, follow one.

import { followPointers, type Point } from '../../../page/pointers.ts'
import type { Camera } from './camera.ts'

interface Asked {
  pick(at: Point, except: number): number
  drop(slot: number, on: number): void
  /** A body was clicked, or nothing: -1. */
  choose(slot: number): void
}

export class Hand {
  /** The slot of the body that is held, and of the one below the pointer; -1 for none. */
  held = -1
  aimed = -1
  at: Point = { x: 0, y: 0 }
  isDragging = false

  constructor(canvas: HTMLCanvasElement, camera: Camera, asked: Asked) {
    followPointers(canvas, {
      down: (at, isAlone) => {
        this.release()
        if (isAlone) this.held = asked.pick(at, -1)
      },
      drag: (by, at) => {
        this.at = at
        this.isDragging = true
        if (this.held < 0) camera.turn(by.x, by.y)
        else this.aimed = asked.pick(at, this.held)
      },
      zoom: (factor) => camera.zoom(1 / factor),
      drop: () => {
        const { held, aimed } = this.release()
        if (held >= 0 && aimed >= 0) asked.drop(held, aimed)
      },
      tap: () => asked.choose(this.release().held),
      cancel: () => this.release(),
    })
  }

  /** Returns what was held. */
  private release() {
    const { held, aimed } = this
    this.held = this.aimed = -1
    this.isDragging = false
    return { held, aimed }
  }
}
