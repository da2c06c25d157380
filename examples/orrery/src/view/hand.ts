// What the pointer does: turn, zoom, take hold of a body, drop it on another one, follow one.

import type { Camera } from './camera.ts'

/** Pixels that a pointer must move before it drags. */
const SLACK = 6

export interface Asked {
  pick(x: number, y: number, except: number): number
  /** A body was dropped on another one. */
  drop(slot: number, on: number): void
  /** A body was clicked, or nothing: -1. */
  choose(slot: number): void
}

interface Point {
  readonly x: number
  readonly y: number
}

export class Hand {
  /** The slot of the body that is held, and of the one below the pointer; -1 for none. */
  held = -1
  aimed = -1
  /** Where the pointer is. */
  at: Point = { x: 0, y: 0 }
  isDragging = false
  private start: Point = this.at
  private readonly pointers = new Map<number, Point>()

  constructor(
    canvas: HTMLCanvasElement,
    private readonly camera: Camera,
    private readonly asked: Asked,
  ) {
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId)
      this.down(event)
    })
    canvas.addEventListener('pointermove', (event) => this.move(event))
    canvas.addEventListener('pointerup', (event) => this.up(event))
    canvas.addEventListener('pointercancel', ({ pointerId }) => {
      this.release()
      this.pointers.delete(pointerId)
    })
    const onWheel = (event: WheelEvent) => {
      event.preventDefault()
      camera.zoom(Math.exp(event.deltaY * (event.deltaMode === 0 ? 0.0012 : 0.05)))
    }
    canvas.addEventListener('wheel', onWheel, { passive: false })
  }

  private release(): void {
    this.held = this.aimed = -1
    this.isDragging = false
  }

  private down({ pointerId, offsetX: x, offsetY: y }: PointerEvent): void {
    this.at = this.start = { x, y }
    this.pointers.set(pointerId, this.at)
    this.release()
    if (this.pointers.size === 1) this.held = this.asked.pick(x, y, -1)
  }

  private move({ pointerId, offsetX: x, offsetY: y }: PointerEvent): void {
    const before = this.pointers.get(pointerId)
    if (before === undefined) return
    this.at = { x, y }
    this.pointers.set(pointerId, this.at)
    const other = [...this.pointers].find(([id]) => id !== pointerId)?.[1]
    if (other !== undefined) {
      const spread = (a: Point) => Math.max(20, Math.hypot(a.x - other.x, a.y - other.y))
      return this.camera.zoom(spread(before) / spread(this.at))
    }
    this.isDragging ||= Math.hypot(x - this.start.x, y - this.start.y) > SLACK
    if (!this.isDragging) return
    if (this.held < 0) this.camera.turn(x - before.x, y - before.y)
    else this.aimed = this.asked.pick(x, y, this.held)
  }

  private up({ pointerId }: PointerEvent): void {
    const { held, aimed, isDragging } = this
    const wasAlone = this.pointers.size === 1
    this.pointers.delete(pointerId)
    this.release()
    if (!wasAlone) return
    if (!isDragging) this.asked.choose(held)
    else if (held >= 0 && aimed >= 0) this.asked.drop(held, aimed)
  }
}
